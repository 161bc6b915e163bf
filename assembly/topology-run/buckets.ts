/** The counts that a placement raises, and the nodes that it moves to other buckets. */
import { checkBounds } from '../memory/bounds';
import { countPointer, verdictCount } from '../signature-index/layout';
import { COLUMN_MASK, totalAt } from '../signature-index/place';
import { excludeOthers } from './excluded';
import { blockOf, columnOf } from './scores';
import {
  COUNT_BYTES,
  NO_DOMAIN,
  NO_ENTRY,
  RAISED_BYTES,
  RaisedCount,
  RaisedSum,
  RunMember,
  SUM_BYTES,
  SortedNodes,
  countOn,
  entryAt,
  i32At,
  pointerAt,
} from './records';

@inline
function raise(at: usize, pods: i32): void {
  store<i32>(at, load<i32>(at) + pods);
}

/** Counts a pod of the member that was placed in the slot. */
export function countPod(member: RunMember, slot: i32): void {
  const word = usize(slot) << 2;
  const lastRaised = member.raised + usize(member.raisedCount) * RAISED_BYTES;
  for (let at = member.raised; at < lastRaised; at += RAISED_BYTES) {
    const raised = changetype<RaisedCount>(at);
    raise(raised.counts + word, raised.pods);
  }
  const lastSum = member.sums + usize(member.sumCount) * SUM_BYTES;
  for (let at = member.sums; at < lastSum; at += SUM_BYTES) {
    const sum = changetype<RaisedSum>(at);
    const home = load<i32>(sum.homes + word);
    if (home == NO_DOMAIN) continue;
    raise(sum.counts + (usize(home) << 2), sum.pods);
    raise(sum.total, sum.pods);
  }
  excludeOthers(member, slot);
  const followers = member.followers;
  const count = member.followerCount;
  for (let k = 0; k < count; k++) moveNode(changetype<SortedNodes>(pointerAt(followers, k)), slot);
}

/**
 * Gives the node of a slot the entry that it has by now. The slot is in the log, so that its rows are written anew
 * before they are next read.
 */
function moveNode(nodes: SortedNodes, slot: i32): void {
  const entry = entryOf(nodes, slot);
  if (entry == NO_ENTRY) {
    nodes.isIncomplete = 1;
    return;
  }
  const id = nodes.ids + (usize(slot) << 1);
  if (nodes.isCounting) recount(nodes, slot, i32(load<u16>(id)), entry);
  store<u16>(id, u16(entry));
}

/**
 * Counts a node whose entry changes by its new entry, in the columns whose rows still say that it is feasible: when
 * these are written anew, it is counted by the new entry.
 */
function recount(nodes: SortedNodes, slot: i32, before: i32, after: i32): void {
  if (before == after) return;
  for (let bucket = 0; bucket < nodes.bucketCount; bucket++) {
    const reference = columnOf(nodes, bucket);
    const block = blockOf(reference);
    const column = i32(reference & COLUMN_MASK);
    if (totalAt(block, column, slot) < 0) continue;
    if (!ASC_NO_ASSERT) checkBounds(countPointer(block, column, 0), after, verdictCount(block, column));
    const left = countPointer(block, column, before);
    const held = countPointer(block, column, after);
    raise(left, -1);
    raise(held, 1);
    if (load<i32>(left) == 0 || load<i32>(held) == 1) block.dirty = block.dirty | (1 << column);
  }
}

function entryOf(nodes: SortedNodes, slot: i32): i32 {
  const lastExclusion = nodes.exclusions + usize(nodes.exclusionCount) * COUNT_BYTES;
  for (let at = nodes.exclusions; at < lastExclusion; at += COUNT_BYTES) if (countOn(at, slot) > 0) return 0;
  const verdictId = i32(load<u16>(nodes.verdictIds + (usize(slot) << 1)));
  for (let bucket = 0; bucket < nodes.bucketCount; bucket++) {
    if (!isIn(nodes, bucket, slot)) continue;
    return entryAt(nodes, bucket, verdictId);
  }
  return NO_ENTRY;
}

/** Whether the node is in the domains of the bucket and holds its numbers of pods. */
function isIn(nodes: SortedNodes, bucket: i32, slot: i32): bool {
  const keys = nodes.keyCount;
  const counts = nodes.countCount;
  const row = nodes.rows + (usize(bucket * (keys + counts)) << 2);
  for (let k = 0; k < counts; k++) {
    if (countOn(nodes.counts + usize(k) * COUNT_BYTES, slot) != i32At(row, keys + k)) return false;
  }
  for (let k = 0; k < keys; k++) if (i32At(pointerAt(nodes.keys, k), slot) != i32At(row, k)) return false;
  return true;
}
