import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ANY_CHANGE, NodeChanges } from '../../../src/framework/cluster/node-changes.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import type { NodeSlots, Standing } from '../../../src/framework/post-filter.ts';
import { SlotAnswers } from '../../../src/framework/slot-answers.ts';
import { type Status, unschedulable } from '../../../src/framework/status.ts';
import { type Candidate, CandidateList, candidateOf } from '../../../src/plugins/default-preemption/candidates.ts';
import type { DryRun } from '../../../src/plugins/default-preemption/dry-run.ts';
import { KeptCandidates, type OwnAnswers } from '../../../src/plugins/default-preemption/kept-candidates.ts';
import { inNodeOrder, leastHarmful } from '../../../src/plugins/default-preemption/pick-node.ts';
import { makeCluster, makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';

const NODES = 6;
const ALL = { minLength: NODES, maxLength: NODES };
const SLOTS = Array.from({ length: NODES }, (_, slot) => slot);

/** What a dry run would find on a node; null if the node is no candidate. */
const candidate = fc.record({ pdbViolations: fc.nat(1), priority: fc.nat(1), victims: fc.integer({ min: 1, max: 2 }) });
const result = fc.option(candidate, { freq: 3 });
/** In a cluster that is full, nearly no node is a candidate. */
const rarely = fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, candidate);
/** What is found on a node by what topology filters say of it, the plan, and counts of pods elsewhere. */
const STANDINGS = 3;
const OF_EACH = { minLength: STANDINGS, maxLength: STANDINGS };
const byStanding = fc.array(result, OF_EACH);
const topology = fc.record({
  plan: fc.nat(1),
  says: fc.array(fc.nat(STANDINGS - 1), ALL),
  counts: fc.nat(2),
});
const round = fc.record({
  changes: fc.array(fc.record({ slot: fc.nat(NODES - 1), found: byStanding, reason: fc.constantFrom(...ANY_CHANGE) }), {
    maxLength: 3,
  }),
  offset: fc.nat(NODES - 1),
  limit: fc.integer({ min: 0, max: NODES }),
  budgetsVersion: fc.constantFrom(1, 1, 1, 2),
  pod: fc.nat(5),
  rank: fc.nat(NODES),
  own: fc.uniqueArray(fc.nat(NODES - 1), { maxLength: 2 }),
  /** What is known of each node for this pod alone; null if nothing is. */
  standings: fc.option(fc.array(fc.constantFrom<Standing>('accepted', 'accepted', 'rejected', 'unknown'), ALL)),
  topology: fc.option(topology),
  isListed: fc.oneof(fc.constant(new Array<boolean>(NODES).fill(true)), fc.array(fc.boolean(), ALL)),
});
/** A round of pods that are alike in a cluster that is full, and changes rarely. */
const oneIn3 = <T>(usual: T, other: fc.Arbitrary<T>) => fc.oneof({ weight: 2, arbitrary: fc.constant(usual) }, other);
const fullRound = fc.record({
  changes: fc.array(fc.record({ slot: fc.nat(NODES - 1), found: byStanding, reason: fc.constantFrom(...ANY_CHANGE) }), {
    maxLength: 1,
  }),
  offset: fc.nat(NODES - 1),
  limit: oneIn3(2, fc.nat(1)),
  budgetsVersion: fc.constantFrom(1, 1, 1, 2),
  pod: oneIn3(0, fc.nat(1)),
  rank: fc.nat(NODES),
  own: oneIn3<number[]>([], fc.uniqueArray(fc.nat(NODES - 1), { maxLength: 2 })),
  standings: oneIn3<Standing[] | null>(
    null,
    fc.array(fc.constantFrom<Standing>('accepted', 'rejected', 'unknown'), ALL),
  ),
  topology: oneIn3<{ plan: number; says: number[]; counts: number } | null>(null, topology),
  isListed: oneIn3(new Array<boolean>(NODES).fill(true), fc.array(fc.boolean(), ALL)),
});
type Round = typeof round extends fc.Arbitrary<infer R> ? R : never;

/** Zones that take turns order the nodes otherwise than they were added. */
const snapshotOrder = fc.oneof(fc.constant(SLOTS), fc.shuffledSubarray(SLOTS, ALL));

/** The listed nodes, of those in snapshot order, as the search reads them. */
function slotsOf(
  nodes: readonly NodeInfo[],
  inSnapshot: readonly number[],
  isListed: readonly boolean[],
  changes: NodeChanges,
): NodeSlots {
  const listed = inSnapshot.filter((slot) => isListed[slot]);
  return {
    ...{ count: NODES, end: changes.end, nodeAt: (slot) => nodes[slot] as NodeInfo },
    changedSince: (cursor) => changes.since(cursor, ANY_CHANGE),
    ...{ length: listed.length, order: Int32Array.from(inSnapshot) },
    positionOf: (number) => inSnapshot.indexOf(listed[number % listed.length] ?? 0),
    has: listed.length === NODES ? null : (slot) => isListed[slot] === true,
  };
}

/** The best candidates and the reasons of all other nodes, by a search that keeps nothing. */
function fromTheBeginning(order: readonly NodeInfo[], dryRun: DryRun, limit: number) {
  const list = new CandidateList(limit);
  const reasons: Status[] = [];
  order.every((node) => {
    const result = dryRun(node);
    if ('victims' in result) list.add(result);
    else reasons.push(result);
    return !list.isComplete;
  });
  return { ties: leastHarmful(list.all()), reasons };
}

function inOrder(statuses: readonly Status[]): string[] {
  return statuses.map(({ code, plugin, reasons }) => `${code} ${plugin} ${reasons.join()}`).toSorted();
}

test.each([
  ['of any pods', round, fc.array(byStanding, ALL)],
  ['of pods for which there is no room', fullRound, fc.array(fc.array(rarely, OF_EACH), ALL)],
])('kept results %s give the candidates that a search from the beginning gives', (_, rounds, first) => {
  const nodes = makeCluster(Array.from({ length: NODES }, (_, i) => makeNode(`n${i}`))).nodeInfos();
  const pods = Array.from({ length: 6 }, (_, i) => makePodInfo(makePod(`p${i}`, { spec: { priority: 9 + i } })));
  const victim = [0, 1].map((priority) => makePodInfo(makePod('victim', { spec: { priority } })));
  const plans = [{}, {}];
  fc.assert(
    fc.property(
      first,
      snapshotOrder,
      fc.uniqueArray(fc.nat(NODES - 1), { maxLength: 2 }),
      fc.array<Round>(rounds, { maxLength: 12, size: 'max' }),
      (results, inSnapshot, counting, played) => {
        const changes = new NodeChanges();
        const kept = new KeptCandidates();
        let asked = 0;
        let own: readonly number[] = [];
        let now: Round['topology'] = null;
        let lastSlot = -1;
        // On nodes for which the pod itself is nominated something else is found.
        const dryRun = (node: NodeInfo): Candidate | Status => {
          asked++;
          lastSlot = node.slot;
          const kind =
            now === null ? 0 : (now.says[lastSlot] ?? 0) + now.plan + (counting.includes(lastSlot) ? now.counts : 0);
          const at = own.includes(lastSlot) ? (lastSlot + 1) % NODES : lastSlot;
          const found = results[at]?.[kind % STANDINGS] ?? null;
          if (found === null) return unschedulable('P', `no room on ${node.name}`);
          const { pdbViolations, priority, victims } = found;
          return candidateOf(node, new Array(victims).fill(victim[priority]), pdbViolations);
        };
        for (const { changes: changed, offset, limit, pod, rank, own: ownSlots, isListed, ...drawn } of played) {
          const { budgetsVersion, standings } = drawn;
          own = ownSlots;
          now = drawn.topology;
          for (const { slot, found, reason } of changed) {
            results[slot] = found;
            changes.append(slot, reason, NODES);
          }
          const listed = inSnapshot.filter((slot) => isListed[slot]);
          const order = listed.map((_, i) => nodes[listed[(offset + i) % listed.length] ?? 0] as NodeInfo);
          const slots = slotsOf(nodes, inSnapshot, isListed, changes);
          const podInfo = pods[pod] ?? makePodInfo(makePod('p'));
          const standing = (slot: number): Standing => standings?.[slot] ?? 'accepted';
          const whole = (node: NodeInfo): Candidate | Status => {
            if (standing(node.slot) === 'accepted') return dryRun(node);
            if (standing(node.slot) === 'rejected') return unschedulable('Q', `no volume on ${node.name}`);
            return candidateOf(node, new Array(1 + (node.slot % 2)).fill(victim[0]), 0);
          };
          const ownAnswers: OwnAnswers | null =
            standings === null ? null : { standing: new SlotAnswers(standing), dryRun: whole };
          const says = new SlotAnswers((slot: number) => now?.says[slot] ?? 0);
          const topology = now === null ? null : { plan: plans[now.plan] ?? {}, standing: says };
          const shared = { dryRun, dependsOnCounts: () => now !== null && counting.includes(lastSlot) };
          const search = { offset, limit, shared, topology, ownSlots, own: ownAnswers };
          const found = kept.find(podInfo, budgetsVersion, slots, search);
          const { ties, reasons } = fromTheBeginning(order, whole, limit);
          expect(found.count).toBe(ties.length);
          expect(found.inNodeOrder(rank)).toEqual(inNodeOrder(ties, rank));
          // A search that found nothing is remembered, wherever it began.
          if (ties.length === 0) expect(inOrder(found.statuses)).toEqual(inOrder(reasons));
          const before = asked;
          kept.find(podInfo, budgetsVersion, slots, search);
          expect(asked - before).toBeLessThanOrEqual(ownSlots.length + (now === null ? 0 : counting.length));
        }
      },
    ),
    { numRuns: rounds === round ? runs(50) : runs(1500) },
  );
});
