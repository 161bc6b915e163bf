import { describe, expect, test } from 'vitest';
import type { ResourceList } from '../../../src/api/quantity.ts';
import { NodeResourcesFit } from '../../../src/plugins/node-resources/fit.ts';
import type { ScoringStrategy } from '../../../src/plugins/node-resources/fit-args.ts';
import { makeNodeInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { filterVerdict, rawScore } from '../ask-plugin.ts';

const GPU = 'example.com/gpu';
const asking = (requests: ResourceList) => makePod('p', { requests });

/** 4 cpus, 8 GiB, 4 gpus, 3 pods; 1 cpu, 2 GiB, 1 gpu and 1 pod of it taken. */
const node = makeNodeInfo(
  makeNode('n', { cpu: 4, memory: '8Gi', pods: 3, allocatable: { [GPU]: 4, 'hugepages-2Mi': '8Mi' } }),
  [makePod('used', { nodeName: 'n', requests: { cpu: 1, memory: '2Gi', [GPU]: 1 } })],
);

describe('NodeResourcesFit filters', () => {
  test.each<[ResourceList, string]>([
    [{}, 'fits'],
    [{ cpu: 3, memory: '6Gi', [GPU]: 3 }, 'fits'],
    [{ cpu: '3001m' }, 'Unschedulable: Insufficient cpu'],
    [{ cpu: 4 }, 'Unschedulable: Insufficient cpu'],
    [{ cpu: '4001m' }, 'UnschedulableAndUnresolvable: Insufficient cpu'],
    [{ memory: 6 * 2 ** 30 + 1 }, 'Unschedulable: Insufficient memory'],
    [{ [GPU]: 4 }, `Unschedulable: Insufficient ${GPU}`],
    [{ [GPU]: 5 }, `UnschedulableAndUnresolvable: Insufficient ${GPU}`],
    [{ 'ephemeral-storage': 1 }, 'UnschedulableAndUnresolvable: Insufficient ephemeral-storage'],
    [{ 'hugepages-2Mi': '10Mi' }, 'UnschedulableAndUnresolvable: Insufficient hugepages-2Mi'],
    [{ 'example.com/absent': 0 }, 'fits'],
    [{ 'no-such-kind': 5 }, 'fits'],
    // Standard resources come first, the others by name; one that no eviction helps decides the code.
    [
      { 'hugepages-2Mi': '9Mi', [GPU]: 4, memory: '7Gi', cpu: 4 },
      `UnschedulableAndUnresolvable: Insufficient cpu, Insufficient memory, Insufficient ${GPU}, ` +
        `Insufficient hugepages-2Mi`,
    ],
  ])('%j: %s', (requests, verdict) => {
    expect(filterVerdict(new NodeResourcesFit(), asking(requests), node)).toBe(verdict);
  });

  test('too many pods is reported first, and eviction always helps', () => {
    const none = makeNodeInfo(makeNode('none', { pods: 0 }));
    expect(filterVerdict(new NodeResourcesFit(), asking({}), none)).toBe('Unschedulable: Too many pods');
    expect(filterVerdict(new NodeResourcesFit(), asking({ cpu: 9 }), none)).toBe(
      'UnschedulableAndUnresolvable: Too many pods, Insufficient cpu',
    );
  });

  test('an overcommitted node still takes what it is not short of', () => {
    const full = makeNodeInfo(makeNode('full', { cpu: 1 }), [makePod('q', { nodeName: 'full', requests: { cpu: 3 } })]);
    expect(filterVerdict(new NodeResourcesFit(), asking({ memory: 1 }), full)).toBe('fits');
    expect(filterVerdict(new NodeResourcesFit(), asking({ cpu: '1m' }), full)).toBe('Unschedulable: Insufficient cpu');
  });

  test('compares exactly beyond 2^53', () => {
    const huge = makeNodeInfo(makeNode('huge', { memory: '9007199254740993' }));
    expect(filterVerdict(new NodeResourcesFit(), asking({ memory: '9007199254740993' }), huge)).toBe('fits');
    expect(filterVerdict(new NodeResourcesFit(), asking({ memory: '9007199254740994' }), huge)).toMatch(/Insufficient/);
  });
});

describe('NodeResourcesFit scores', () => {
  const cpu = { name: 'cpu', weight: 1 };
  const memory = { name: 'memory', weight: 1 };
  const gpu = { name: GPU, weight: 3 };
  const score = (scoringStrategy: ScoringStrategy, requests: ResourceList, on = node): number | string =>
    rawScore(new NodeResourcesFit({ scoringStrategy }), asking(requests), on);
  const least = (...resources: (typeof cpu)[]): ScoringStrategy => ({ type: 'LeastAllocated', resources });
  const most = (...resources: (typeof cpu)[]): ScoringStrategy => ({ type: 'MostAllocated', resources });

  test('LeastAllocated: what is left, averaged by weight, each part cut off', () => {
    // cpu (4000 - 2000) / 4000 = 50, memory (8 - 4) / 8 = 50
    expect(score(least(cpu, memory), { cpu: 1, memory: '2Gi' })).toBe(50);
    // gpu (4 - 2) / 4 = 50, cpu 25: (3 * 50 + 25) / 4
    expect(score(least(cpu, gpu), { cpu: 2, [GPU]: 1 })).toBe(43);
    expect(score(least(cpu), { cpu: 99 })).toBe(0);
  });

  test('a container without requests counts 100m cpu and 200 MiB', () => {
    expect(score(least(cpu), {})).toBe(72);
    expect(score(least(cpu), { cpu: 0 })).toBe(75);
  });

  test('MostAllocated: what is taken, never more than there is', () => {
    expect(score(most(cpu, memory), { cpu: 1, memory: '4Gi' })).toBe(62);
    expect(score(most(cpu), { cpu: 99 })).toBe(100);
  });

  test('an extended resource that the pod does not ask for plays no part, nor one that the node lacks', () => {
    expect(score(least(cpu, gpu), { cpu: 1 })).toBe(50);
    expect(score(least(cpu, { name: 'ephemeral-storage', weight: 9 }), { cpu: 1 })).toBe(50);
    expect(score(most({ name: 'ephemeral-storage', weight: 9 }), { cpu: 1 })).toBe(0);
  });

  test('RequestedToCapacityRatio: resources that score 0 leave the mean, which is rounded', () => {
    const shape = [
      { utilization: 0, score: 0 },
      { utilization: 100, score: 10 },
    ];
    const ratio = (...resources: (typeof cpu)[]): ScoringStrategy => ({
      type: 'RequestedToCapacityRatio',
      resources,
      requestedToCapacityRatio: { shape },
    });
    expect(score(ratio(cpu, memory), { cpu: 1, memory: '2Gi' })).toBe(50);
    // 50 and 25 + 12 = 37: 43.5 is rounded up
    expect(score(ratio(cpu, memory), { cpu: 1, memory: '1Gi' })).toBe(44);
    const empty = makeNodeInfo(makeNode('empty', { cpu: 100, memory: '1Gi' }));
    expect(score(ratio(cpu, memory), { cpu: '500m', memory: '512Mi' }, empty)).toBe(50);
    expect(score(ratio(cpu), { cpu: 99 })).toBe(100);
  });

  test('computes in 64 bits above what doubles hold exactly', () => {
    const huge = makeNodeInfo(makeNode('huge', { memory: '9007199254740993' }));
    expect(score(least(memory), { memory: '90071992547409' }, huge)).toBe(99);
    expect(score(least(memory), { memory: '90071992547410' }, huge)).toBe(98);
    expect(score(most(memory), { memory: '90071992547409' }, huge)).toBe(0);
    expect(score(most(memory), { memory: '90071992547410' }, huge)).toBe(1);
  });
});
