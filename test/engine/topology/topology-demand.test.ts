import { expect, test } from 'vitest';
import { newTopologyAsks, TopologyDemand } from '../../../src/engine/topology/topology-demand.ts';

/** For each change, the pods that come before the next one: how many of them are left to cycles. */
function cyclesOf(demand: TopologyDemand, podsBetweenChanges: readonly number[]): number[] {
  const asks = newTopologyAsks();
  return podsBetweenChanges.map((pods, version) => {
    let cycles = 0;
    for (let i = 0; i < pods; i++) if (!demand.isEnough(asks, version, 0)) cycles++;
    return cycles;
  });
}

test('nodes are sorted at once until that has not paid', () => {
  expect(cyclesOf(new TopologyDemand(), [5, 5, 5])).toEqual([0, 0, 0]);
  expect(cyclesOf(new TopologyDemand(), [1, 5, 5])).toEqual([0, 1, 0]);
});

test('where nodes change all the time, pods are left to cycles', () => {
  const cycles = cyclesOf(new TopologyDemand(), new Array<number>(12).fill(2));
  expect(cycles).toEqual([0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
});

test('no more pods wait than to sort costs, and fewer where it pays again', () => {
  const demand = new TopologyDemand();
  // The signatures that waste a sort are many; each of them reports it at its next change.
  const wasted = Array.from({ length: 20 }, newTopologyAsks);
  for (const version of [1, 2]) for (const asks of wasted) demand.isEnough(asks, version, 0);
  const [first = 0, second = 0, third = 0] = cyclesOf(demand, [20, 20, 20]);
  expect(first).toBeLessThanOrEqual(8);
  expect(first).toBeGreaterThan(0);
  expect([second < first || first === 1, third <= second]).toEqual([true, true]);
});

test('a verdict that changes counts as a node does', () => {
  const [demand, asks] = [new TopologyDemand(), newTopologyAsks()];
  expect([demand.isEnough(asks, 1, 1), demand.isEnough(asks, 1, 2), demand.isEnough(asks, 1, 2)]).toEqual([
    ...[true, false, true],
  ]);
});

test('where buckets would differ by counts of single nodes, as many pods are searched for as a sort costs', () => {
  const [demand, asks] = [new TopologyDemand(), newTopologyAsks()];
  const isSorted = Array.from({ length: 20 }, () => demand.isEnough(asks, 1, 1, true));
  expect(isSorted.indexOf(true)).toBe(8);
  expect(isSorted.lastIndexOf(false)).toBe(7);
});

test('pods of runs count as pods for which the nodes were sorted', () => {
  const demand = new TopologyDemand();
  const asks = newTopologyAsks();
  demand.isEnough(asks, 1, 0);
  demand.count(asks);
  demand.count(asks);
  // Three pods have paid, so that nobody waits after the next change.
  expect(demand.isEnough(asks, 2, 0)).toBe(true);
});
