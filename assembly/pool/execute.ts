/** Kernels by the numbers of instruction.ts. */
import { NodeEnvironment, TotalsBlock } from '../signature-index/layout';
import { selectBestTotal } from '../signature-index/place';
import { countTotals, countVerdicts, scanTotals } from '../signature-index/scan';
import { writeMaxima } from '../signature-index/tree';
import { filterFit } from '../filter/node-resources-fit';
import { scoreBalancedAllocation } from '../score/balanced-allocation';
import { scoreLeastAllocated } from '../score/least-allocated';
import { scoreMostAllocated } from '../score/most-allocated';
import { addWeighted, fill, maxFeasible, normalize, sumWeighted } from '../score/normalize';
import { scoreRequestedToCapacityRatio } from '../score/requested-to-capacity-ratio';
import { selectBest } from '../select/select-best';
import { Op, opOf, pointer, whole } from './instruction';
import { addCount, foundAt, mergeBest, raiseMaximum } from './registers';

/** One instruction over the slots [from, to); what it finds is added to its register `r`. */
export function execute(at: usize, r: usize, from: i32, to: i32): void {
  const p0 = pointer(at, 0);
  const p1 = pointer(at, 1);
  const p2 = pointer(at, 2);
  const p3 = pointer(at, 3);
  const n1 = whole(at, 1);
  const n2 = whole(at, 2);
  const n3 = whole(at, 3);
  switch (opOf(at)) {
    case Op.filterFit:
      return addCount(r, filterFit(p0, n1, p2, p3, from, to));
    case Op.fill:
      return fill(p0, n1, from, to);
    case Op.scoreLeastAllocated:
      return scoreLeastAllocated(p0, n1, p2, n3, from, to);
    case Op.scoreMostAllocated:
      return scoreMostAllocated(p0, n1, p2, n3, from, to);
    case Op.scoreRequestedToCapacityRatio:
      return scoreRequestedToCapacityRatio(p0, n1, p2, p3, whole(at, 4), from, to);
    case Op.scoreBalancedAllocation:
      return scoreBalancedAllocation(p0, n1, p2, from, to);
    case Op.maxFeasible:
      return raiseMaximum(r, maxFeasible(p0, p1, from, to));
    case Op.normalize:
      return normalize(p0, n1, n2, p3, from, to);
    case Op.addWeighted:
      return addWeighted(p0, n1, p2, from, to);
    case Op.sumWeighted:
      return sumWeighted(p0, p1, n2, p3, from, to);
    case Op.selectBest:
      selectBest(p0, p1, p2, foundAt(r), from, to);
      return mergeBest(r, p2);
    case Op.scanTotals:
      return scanTotals(changetype<NodeEnvironment>(p0), changetype<TotalsBlock>(p1), n2, p3, whole(at, 4), from, to);
    case Op.countTotals:
      return addCount(r, countTotals(changetype<TotalsBlock>(p0), n1, p2, n3, from, to));
    case Op.selectBestTotal:
      selectBestTotal(p0, p1, n2, foundAt(r), from, to);
      return mergeBest(r, p1);
    case Op.countVerdicts:
      countVerdicts(changetype<TotalsBlock>(p0), n1, p2, n3, r, from, to);
      return;
    case Op.writeMaxima:
      return writeMaxima(p0, p1, from, to);
    default:
      unreachable();
  }
}
