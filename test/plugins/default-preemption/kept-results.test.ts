import { describe, expect, test } from 'vitest';
import type { NodeSlots } from '../../../src/framework/post-filter.ts';
import { unschedulable } from '../../../src/framework/status.ts';
import { candidateOf } from '../../../src/plugins/default-preemption/candidates.ts';
import { KeptResults, NO_CANDIDATE, NOT_KNOWN } from '../../../src/plugins/default-preemption/kept-results.ts';
import { makeCluster, makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const nodes = makeCluster(['a', 'b', 'c'].map((name) => makeNode(name))).nodeInfos();
const [a, b, c] = nodes as [(typeof nodes)[0], (typeof nodes)[0], (typeof nodes)[0]];
const low = makePodInfo(makePod('low', { spec: { priority: 1 } }));
const high = makePodInfo(makePod('high', { spec: { priority: 5 } }));
const NO_ROOM = unschedulable('P', 'no room');

/** Slots of which some have changed since the last search; null for all of them. */
function slotsWith(
  changed: readonly number[] | null,
  count: number,
): Pick<NodeSlots, 'count' | 'end' | 'changedSince'> {
  return { count, end: 1, changedSince: () => changed };
}

function synced(results: KeptResults, changed: readonly number[] | null, count = 3): KeptResults {
  results.sync(slotsWith(changed, count) as NodeSlots);
  return results;
}

describe('kept results of dry runs', () => {
  test('are kept for each answer of the topology filters', () => {
    const results = synced(new KeptResults(1), []);
    const harm = results.keep(0, a, candidateOf(a, [low], 0));
    expect(results.keep(4, a, NO_ROOM)).toBe(NO_CANDIDATE);
    expect([0, 4, 1].map((standing) => results.harms(standing)[a.slot])).toEqual([harm, NO_CANDIDATE, NOT_KNOWN]);
    expect(results.result(4, a.slot)).toBe(NO_ROOM);
  });

  test('number candidates by harm, whatever their node', () => {
    const results = synced(new KeptResults(1), []);
    const [first, same, more] = [
      results.keep(0, a, candidateOf(a, [low], 0)),
      results.harmOf(b, candidateOf(b, [low], 0)),
      results.keep(1, c, candidateOf(c, [high], 1)),
    ];
    expect(same).toBe(first);
    expect([results.isLess(first, more), results.isLess(more, first)]).toEqual([true, false]);
    expect([first, more].map((harm) => results.isProtected(harm))).toEqual([false, true]);
    expect([a, b, c].map(({ slot }) => results.orders[slot])).toEqual([a.order, b.order, c.order]);
  });

  test('are forgotten for all answers where a node has changed', () => {
    const results = synced(new KeptResults(1), []);
    for (const node of [a, b]) for (const standing of [0, 2]) results.keep(standing, node, NO_ROOM);
    synced(results, [a.slot]);
    const harms = (slot: number): unknown[] => [0, 2].map((standing) => results.harms(standing)[slot]);
    expect([harms(a.slot), harms(b.slot)]).toEqual([
      [NOT_KNOWN, NOT_KNOWN],
      [NO_CANDIDATE, NO_CANDIDATE],
    ]);
    synced(results, null);
    expect(harms(b.slot)).toEqual([NOT_KNOWN, NOT_KNOWN]);
  });

  test('stay where the cluster grows', () => {
    const results = synced(new KeptResults(1), []);
    results.keep(2, b, NO_ROOM);
    synced(results, [], 300);
    expect([results.harms(2)[b.slot], results.harms(2)[299]]).toEqual([NO_CANDIDATE, NOT_KNOWN]);
  });
});
