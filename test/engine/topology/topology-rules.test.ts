import { describe, expect, test } from 'vitest';
import { filterDomains, INT32_MAX, INT32_MIN, isVacuous } from '../../../src/engine/topology/topology-rules.ts';
import { NO_DOMAIN } from '../../../src/memory/topology-domains.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

/** n0 and n1 in zone a with one pod each, n2 in zone b with one, n3 in none with two. */
function start() {
  const world = new EngineColumns();
  for (const [i, zone] of ['a', 'a', 'b', undefined].entries()) {
    world.cluster.addNode(makeNode(`n${i}`, { ...(zone && { labels: { zone } }) }));
  }
  for (const [i, node] of [0, 1, 2, 3, 3].entries()) world.cluster.pods.add(makePod(`p${i}`, { nodeName: `n${node}` }));
  const all = () => 1;
  const counter = world.topology.domainCounter('all', all, 'zone');
  return { world, counter, pods: world.topology.podCounter('all', all), domains: world.topology.domains('zone') };
}

describe('a count by domain', () => {
  test('is the sum over the nodes of the domain, whatever the slot; 0 where there is none', () => {
    const { counter, domains } = start();
    const { count } = counter;
    expect([0, 1, 2, 3].map((slot) => count.countAt(slot, domains.domainOf(slot)))).toEqual([2, 2, 1, 0]);
    expect(count.countAt(-1, domains.domainOf(0))).toBe(2);
    expect(count.countAt(0, NO_DOMAIN)).toBe(0);
    expect([count.isByNode, count.domains === domains]).toEqual([false, true]);
  });

  test('follows the pods', () => {
    const { world, counter, domains } = start();
    const { count } = counter;
    world.cluster.pods.remove('default', 'p0');
    expect(count.countAt(0, domains.domainOf(0))).toBe(1);
  });

  test('is one object for a counter', () => {
    const { world, counter } = start();
    expect(world.topology.domainCounter('all', () => 1, 'zone').count).toBe(counter.count);
    expect(world.topology.domainCounter('all', () => 1, 'rack').count).not.toBe(counter.count);
  });
});

describe('a count by node', () => {
  test('is that of the slot, whatever the domain', () => {
    const { pods, domains } = start();
    const count = pods.countByNode(domains);
    expect([0, 1, 2, 3, 4].map((slot) => count.countAt(slot, NO_DOMAIN))).toEqual([1, 1, 1, 2, 0]);
    expect([count.isByNode, count.pods === pods]).toEqual([true, true]);
  });

  test('is one object for the pods', () => {
    const { pods, domains } = start();
    expect(pods.countByNode(domains)).toBe(pods.countByNode(domains));
  });
});

describe('the bounds of a rule', () => {
  const filter = (least: number, most: number, absentFits: boolean): number[] => {
    const { world, counter } = start();
    const feasible = world.columns.table.add('i32');
    feasible.values.fill(-1, 0, 4);
    filterDomains(world.kernels, counter, { least, most, absentFits }, feasible, 4);
    return [...feasible.values.subarray(0, 5)];
  };

  test('leave nodes feasible whose domain has as many pods, both bounds included', () => {
    expect(filter(2, INT32_MAX, false)).toEqual([-1, -1, 0, 0, 0]);
    expect(filter(INT32_MIN, 1, false)).toEqual([0, 0, -1, 0, 0]);
    expect(filter(1, 2, false)).toEqual([-1, -1, -1, 0, 0]);
  });

  test('say nothing of a node without a domain', () => {
    expect(filter(2, 1, true)).toEqual([0, 0, 0, -1, 0]);
  });

  test('make no node feasible that was not', () => {
    const { world, counter } = start();
    const feasible = world.columns.table.add('i32');
    filterDomains(world.kernels, counter, { least: 0, most: 9, absentFits: true }, feasible, 4);
    expect([...feasible.values.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  });
});

describe('rules', () => {
  test('change nothing while no pod is counted that excludes a node or scores one', () => {
    const { world, counter } = start();
    const none = world.topology.domainCounter('none', () => 0, 'zone').count;
    const ruleOf = (count: typeof none, isExclusion = true) => ({
      ...{ count, absentFits: true, isExclusion, bound: { kind: 'fixed' } as const },
      ...{ least: () => INT32_MIN, most: () => 0 },
    });
    const empty = { rules: [], spread: [], keyless: 'none' as const, affinity: [], kept: null };
    const scored = { count: none, weight: 5 };
    expect(isVacuous({ ...empty, rules: [ruleOf(none)], affinity: [scored] })).toBe(true);
    expect(isVacuous({ ...empty, rules: [ruleOf(none), ruleOf(counter.count)] })).toBe(false);
    expect(isVacuous({ ...empty, rules: [ruleOf(none, false)] })).toBe(false);
    expect(isVacuous({ ...empty, affinity: [scored, { count: counter.count, weight: 1 }] })).toBe(false);
    expect(isVacuous({ ...empty, spread: [{ count: none, maxSkew: 1 }] })).toBe(false);
  });
});
