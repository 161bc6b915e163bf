/** The buckets that the rules of a pod accept, and the scores that follow from their counts. */
import { bestTotal } from '../signature-index/tree';
import { COLUMN_MASK } from '../signature-index/place';
import { TotalsBlock, feasibleNodes } from '../signature-index/layout';
import { leastDomainCount } from '../topology/domains';
import {
  BOUND_GROUP,
  BOUND_SPREAD,
  NO_DOMAIN,
  RunMember,
  RunTerm,
  SortedNodes,
  TERM_BYTES,
  TopologyRun,
  i32At,
  pointerAt,
} from './records';

const MAX_SCORE: f64 = 100;

@inline
export function blockOf(reference: u32): TotalsBlock {
  return changetype<TotalsBlock>(usize(reference & ~COLUMN_MASK));
}

@inline
export function columnOf(nodes: SortedNodes, bucket: i32): u32 {
  return u32(i32At(nodes.columns, bucket));
}

@inline
function doubleAt(list: usize, index: i32): usize {
  return list + (usize(index) << 3);
}

@inline
function rowOf(nodes: SortedNodes, bucket: i32): usize {
  return nodes.rows + (usize(bucket * (nodes.keyCount + nodes.countCount)) << 2);
}

/** The number of pods in a bucket; -1 if it is in no domain. */
@inline
function podsIn(term: RunTerm, row: usize): i32 {
  const value = i32At(row, term.place);
  if (term.counts == 0 || value == NO_DOMAIN) return value;
  return i32At(term.counts, value);
}

/** Computes the bounds of the rules from the counts as they are now. */
export function boundRules(member: RunMember): void {
  const last = member.rules + usize(member.ruleCount) * TERM_BYTES;
  for (let at = member.rules; at < last; at += TERM_BYTES) {
    const rule = changetype<RunTerm>(at);
    if (rule.bound == BOUND_SPREAD) {
      const fewest = rule.members == 0 ? 0 : leastDomainCount(rule.compared, rule.members, rule.domainCount);
      rule.most = i32(min(i64(rule.weight) + i64(fewest), i64(i32.MAX_VALUE)));
    } else if (rule.bound == BOUND_GROUP) rule.least = isFirst(rule) ? i32.MIN_VALUE : 1;
  }
}

/** Whether the group of the rule has no pod yet. */
function isFirst(rule: RunTerm): bool {
  if (rule.totalCount == 0) return false;
  for (let k = 0; k < rule.totalCount; k++) if (load<i32>(pointerAt(rule.totals, k)) != 0) return false;
  return true;
}

@inline
function accepts(member: RunMember, row: usize): bool {
  const last = member.rules + usize(member.ruleCount) * TERM_BYTES;
  for (let at = member.rules; at < last; at += TERM_BYTES) {
    const rule = changetype<RunTerm>(at);
    const pods = podsIn(rule, row);
    if (pods < 0 ? !rule.absentFits : pods < rule.least || pods > rule.most) return false;
  }
  return true;
}

/**
 * Lists the buckets that fulfil every rule and have a feasible node, with their best totals; returns how many they are.
 */
export function findCandidates(run: TopologyRun, member: RunMember, nodes: SortedNodes): i32 {
  let found = 0;
  for (let bucket = 0; bucket < nodes.bucketCount; bucket++) {
    const reference = columnOf(nodes, bucket);
    const total = bestTotal(blockOf(reference), i32(reference & COLUMN_MASK));
    if (total < 0 || !accepts(member, rowOf(nodes, bucket))) continue;
    store<i32>(run.candidates + (usize(found) << 2), bucket);
    store<f64>(doubleAt(run.sums, found), f64(total));
    found++;
  }
  return found;
}

/** The number of feasible nodes in the candidates. */
export function countNodes(run: TopologyRun, nodes: SortedNodes, found: i32): i32 {
  let sum = 0;
  for (let i = 0; i < found; i++) {
    const reference = columnOf(nodes, i32At(run.candidates, i));
    sum += feasibleNodes(blockOf(reference), i32(reference & COLUMN_MASK));
  }
  return sum;
}

/** The number of domains of a shared topology key in which candidates are. */
function domainsOf(run: TopologyRun, nodes: SortedNodes, found: i32, place: i32): i32 {
  let domains = 0;
  for (let i = 0; i < found; i++) {
    const domain = i32At(rowOf(nodes, i32At(run.candidates, i)), place);
    let k = 0;
    while (k < i && i32At(rowOf(nodes, i32At(run.candidates, k)), place) != domain) k++;
    if (k == i) domains++;
  }
  return domains;
}

/** PodTopologySpread's raw score, halves rounded away from 0. */
@inline
function rounded(raw: f64): f64 {
  const whole = trunc(raw);
  return whole + (abs(raw - whole) >= 0.5 ? copysign<f64>(1, raw) : 0);
}

/** Adds PodTopologySpread's scores, of which the least raw score is best. */
export function addSpread(run: TopologyRun, member: RunMember, nodes: SortedNodes, found: i32, feasible: i32): void {
  if (member.spreadCount == 0) return;
  for (let i = 0; i < found; i++) store<f64>(doubleAt(run.raws, i), 0);
  const last = member.spread + usize(member.spreadCount) * TERM_BYTES;
  for (let at = member.spread; at < last; at += TERM_BYTES) {
    const term = changetype<RunTerm>(at);
    const domains = term.counts == 0 ? feasible : domainsOf(run, nodes, found, term.place);
    const logarithm = load<f64>(doubleAt(run.logarithms, domains));
    for (let i = 0; i < found; i++) {
      const raw = doubleAt(run.raws, i);
      const pods = f64(podsIn(term, rowOf(nodes, i32At(run.candidates, i))));
      store<f64>(raw, load<f64>(raw) + (pods * logarithm + f64(term.weight)));
    }
  }
  let least: f64 = Infinity;
  let most: f64 = -Infinity;
  for (let i = 0; i < found; i++) {
    const at = doubleAt(run.raws, i);
    const raw = rounded(load<f64>(at));
    store<f64>(at, raw);
    least = min(least, raw);
    most = max(most, raw);
  }
  const weight = f64(member.spreadWeight);
  for (let i = 0; i < found; i++) {
    const raw = load<f64>(doubleAt(run.raws, i));
    add(run, i, weight * (most == 0 ? MAX_SCORE : trunc((MAX_SCORE * (most + least - raw)) / most)));
  }
}

@inline
function add(run: TopologyRun, candidate: i32, score: f64): void {
  const at = doubleAt(run.sums, candidate);
  store<f64>(at, load<f64>(at) + score);
}

/** Adds InterPodAffinity's scores, of which the most raw score is best. */
export function addAffinity(run: TopologyRun, member: RunMember, nodes: SortedNodes, found: i32): void {
  if (member.affinityCount == 0) return;
  const last = member.affinity + usize(member.affinityCount) * TERM_BYTES;
  let least: f64 = Infinity;
  let most: f64 = -Infinity;
  for (let i = 0; i < found; i++) {
    const row = rowOf(nodes, i32At(run.candidates, i));
    let raw: f64 = 0;
    for (let at = member.affinity; at < last; at += TERM_BYTES) {
      const term = changetype<RunTerm>(at);
      const pods = podsIn(term, row);
      if (pods > 0) raw += f64(pods) * f64(term.weight);
    }
    store<f64>(doubleAt(run.raws, i), raw);
    least = min(least, raw);
    most = max(most, raw);
  }
  const span = most - least;
  if (!(span > 0)) return;
  const weight = f64(member.affinityWeight);
  for (let i = 0; i < found; i++) {
    add(run, i, weight * trunc(MAX_SCORE * ((load<f64>(doubleAt(run.raws, i)) - least) / span)));
  }
}
