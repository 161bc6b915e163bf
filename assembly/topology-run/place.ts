/** Decisions of pods with topology rules, one after the other, without the host between them. */
import {
  NodeEnvironment,
  STOP_INFEASIBLE,
  STOP_NONE,
  STOP_NORMALIZE,
  STOP_STALE,
  TotalsBlock,
} from '../signature-index/layout';
import { COLUMN_MASK, RESULT_BYTES, chargeNode, firstBest, placeOne } from '../signature-index/place';
import { syncBlock } from '../signature-index/sync';
import { countPod } from './buckets';
import { placeBeside } from './excluded';
import { hasMaxima } from './maxima';
import { placeMember } from './searches';
import { MEMBER_BYTES, RunMember, SortedNodes, TopologyRun, i32At, pointerAt } from './records';
import { addAffinity, addSpread, blockOf, boundRules, columnOf, countNodes, findCandidates } from './scores';

/** Brings the columns of all buckets up to date; false if that takes a scan. */
function syncBlocks(env: NodeEnvironment, nodes: SortedNodes): bool {
  for (let k = 0; k < nodes.blockCount; k++) {
    if (!syncBlock(env, changetype<TotalsBlock>(pointerAt(nodes.blocks, k)))) return false;
  }
  return true;
}

@inline
function sumAt(run: TopologyRun, candidate: i32): f64 {
  return load<f64>(run.sums + (usize(candidate) << 3));
}

/** The earliest of the best nodes in the candidates with this sum. */
function earliestOf(env: NodeEnvironment, run: TopologyRun, nodes: SortedNodes, found: i32, best: f64): i32 {
  let earliest = -1;
  for (let i = 0; i < found; i++) {
    if (sumAt(run, i) != best) continue;
    const reference = columnOf(nodes, i32At(run.candidates, i));
    const slot = firstBest(env, blockOf(reference), i32(reference & COLUMN_MASK));
    if (earliest < 0 || isEarlier(env, slot, earliest)) earliest = slot;
  }
  return earliest;
}

@inline
function isEarlier(env: NodeEnvironment, slot: i32, other: i32): bool {
  return env.isOrdered ? slot < other : i32At(env.order, slot) < i32At(env.order, other);
}

/**
 * Places a pod in the best bucket of sorted nodes. Returns the slot; -1 if something has to be decided outside, with
 * the reason in the environment.
 */
function placeInBuckets(env: NodeEnvironment, run: TopologyRun, member: RunMember, result: usize): i32 {
  const nodes = changetype<SortedNodes>(member.nodes);
  if (nodes.isIncomplete || !syncBlocks(env, nodes)) {
    env.stopReason = STOP_STALE;
    return -1;
  }
  boundRules(member);
  const found = findCandidates(run, member, nodes);
  if (found == 0) {
    env.stopReason = STOP_INFEASIBLE;
    return -1;
  }
  if (nodes.isCounting && !hasMaxima(run, member, nodes, found)) {
    env.stopReason = STOP_NORMALIZE;
    return -1;
  }
  const feasible = countNodes(run, nodes, found);
  addSpread(run, member, nodes, found, feasible);
  addAffinity(run, member, nodes, found);
  let best: f64 = -1;
  for (let k = 0; k < found; k++) best = max(best, sumAt(run, k));
  const slot = earliestOf(env, run, nodes, found, best);
  store<i32>(result, slot);
  store<i32>(result, i32(best), 4);
  store<i32>(result, feasible, 8);
  const reference = columnOf(nodes, i32At(run.candidates, 0));
  chargeNode(env, blockOf(reference), i32(reference & COLUMN_MASK), slot);
  return slot;
}

/**
 * Places pods one after the other, as long as nothing has to be decided outside. `pods` are i32 numbers of members of
 * the run, each with the slot on which alone the pod may run, or -1; `out` takes slot, total and number of feasible
 * nodes of each as i32. Returns how many were placed; why not all is left in the environment.
 */
export function placeByTopology(env: NodeEnvironment, pods: usize, count: i32, out: usize, run: TopologyRun): i32 {
  for (let i = 0; i < count; i++) {
    const member = changetype<RunMember>(run.members + usize(i32At(pods, 2 * i)) * MEMBER_BYTES);
    const result = out + usize(i) * RESULT_BYTES;
    const only = i32At(pods, 2 * i + 1);
    let slot: i32;
    if (run.search) slot = placeMember(env, run, member, only, result);
    else if (member.nodes) slot = placeInBuckets(env, run, member, result);
    else if (member.excluded && only < 0) slot = placeBeside(env, member, result);
    else slot = placeOne(env, member.column, only, result);
    if (slot < 0) return i;
    countPod(member, slot);
  }
  env.stopReason = STOP_NONE;
  return count;
}
