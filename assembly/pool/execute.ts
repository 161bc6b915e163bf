/** The scalar kernels by the numbers of instruction.ts. */
import { selectBestTotal } from '../class-index/place';
import { countLane, scanLane } from '../class-index/scan';
import { filterFit } from '../filter/node-resources-fit';
import { scoreBalancedAllocation } from '../score/balanced-allocation';
import { scoreLeastAllocated } from '../score/least-allocated';
import { scoreMostAllocated } from '../score/most-allocated';
import { addWeighted, fill, maxFeasible, normalize, sumWeighted } from '../score/normalize';
import { scoreRequestedToCapacityRatio } from '../score/requested-to-capacity-ratio';
import { countFeasible, selectBest } from '../select/select-best';
import { addDomainScores, filterDomains } from '../topology/domains';
import { fillDoubles, normalizeRange, normalizeSpread, roundScores, scoredRange } from '../topology/normalize';
import { double, Op, opOf, pointer, whole } from './instruction';
import { addCount, foundAt, mergeBest, mergeRange, raiseMaximum } from './registers';

/** One instruction over the slots [from, to); what it finds is added to its register `r`. */
export function execute(at: usize, r: usize, from: i32, to: i32): void {
  const p0 = pointer(at, 0);
  const p1 = pointer(at, 1);
  const p2 = pointer(at, 2);
  const p3 = pointer(at, 3);
  const n1 = whole(at, 1);
  const n2 = whole(at, 2);
  const n3 = whole(at, 3);
  const x0 = double(at, 0);
  const x1 = double(at, 1);
  switch (opOf(at)) {
    case Op.filterFit:
      return addCount(r, filterFit(p0, n1, p2, p3, from, to));
    case Op.filterDomains:
      return filterDomains(p0, p1, n2, n3, whole(at, 4), pointer(at, 5), from, to);
    case Op.countFeasible:
      return addCount(r, countFeasible(p0, from, to));
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
    case Op.fillDoubles:
      return fillDoubles(p0, x0, from, to);
    case Op.addDomainScores:
      return addDomainScores(p0, p1, x0, x1, p2, from, to);
    case Op.roundScores:
      return roundScores(p0, from, to);
    case Op.scoredRange:
      return mergeRange(r, scoredRange(p0, p1, foundAt(r), from, to));
    case Op.normalizeSpread:
      return normalizeSpread(p0, p1, x0, x1, p2, from, to);
    case Op.normalizeRange:
      return normalizeRange(p0, x0, x1, p1, from, to);
    case Op.scanLane:
      return scanLane(p0, p1, n2, p3, whole(at, 4), from, to);
    case Op.countLane:
      return addCount(r, countLane(p0, n1, p2, n3, from, to));
    case Op.selectBestTotal:
      selectBestTotal(p0, p1, n2, foundAt(r), from, to);
      return mergeBest(r, p1);
    default:
      unreachable();
  }
}
