/** Scores that are normalised by the largest raw score of a feasible node. */
import { COLUMN_MASK } from '../signature-index/place';
import { checkBounds } from '../memory/bounds';
import { countPointer, verdictCount } from '../signature-index/layout';
import { NO_ENTRY, RunMember, SortedNodes, TopologyRun, entryAt, i32At } from './records';
import { blockOf, columnOf } from './scores';

/** Whether some entry may have won its first or lost its last feasible node since the maxima were compared. */
function isDirty(nodes: SortedNodes): bool {
  for (let bucket = 0; bucket < nodes.bucketCount; bucket++) {
    const reference = columnOf(nodes, bucket);
    if (blockOf(reference).dirty & (1 << i32(reference & COLUMN_MASK))) return true;
  }
  return false;
}

function clean(nodes: SortedNodes): void {
  for (let bucket = 0; bucket < nodes.bucketCount; bucket++) {
    const reference = columnOf(nodes, bucket);
    const block = blockOf(reference);
    block.dirty = block.dirty & ~(1 << i32(reference & COLUMN_MASK));
  }
}

/** The largest of these raw scores, by verdict id, among the feasible nodes of a bucket; at least `most`. */
function mostIn(nodes: SortedNodes, bucket: i32, raws: usize, most: i32): i32 {
  const reference = columnOf(nodes, bucket);
  const counts = countPointer(blockOf(reference), i32(reference & COLUMN_MASK), 0);
  for (let id = 0; id < nodes.verdictCount; id++) {
    const raw = i32At(raws, id);
    if (raw <= most) continue;
    const entry = entryAt(nodes, bucket, id);
    if (entry == 0 || entry == NO_ENTRY) continue;
    if (!ASC_NO_ASSERT) checkBounds(counts, entry, verdictCount(blockOf(reference), i32(reference & COLUMN_MASK)));
    if (i32At(counts, entry) > 0) most = raw;
  }
  return most;
}

/** Whether the totals are normalised by the maxima of the nodes that are feasible for the pod now. */
export function hasMaxima(run: TopologyRun, member: RunMember, nodes: SortedNodes, found: i32): bool {
  const hasRules = member.ruleCount > 0;
  if (!hasRules && !nodes.hadRules && !isDirty(nodes)) return true;
  for (let k = 0; k < nodes.rawCount; k++) {
    const raws = nodes.raws + (usize(k * nodes.verdictCount) << 2);
    let most = 0;
    for (let i = 0; i < found; i++) most = mostIn(nodes, i32At(run.candidates, i), raws, most);
    if (most != i32At(nodes.maxima, k)) return false;
  }
  nodes.hadRules = i32(hasRules);
  clean(nodes);
  return true;
}
