import { describe, expect, it } from 'vitest';
import { BENCH_KINDS } from '../../src/benchmark/suite.ts';
import { type SimulationSpec, Simulator } from '../../src/sweep/simulator.ts';
import { utilisation } from '../../src/sweep/utilisation.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const SPEC: SimulationSpec = {
  ...{ kind: 'hetero', nodes: 20, pods: 60, engine: 'simd', index: true },
  ...{ tieBreak: 'first', percentageOfNodesToScore: null, configurations: [] },
};

const run = (spec: Partial<SimulationSpec>, seed = 1, config: number | null = null) =>
  new Simulator({ ...SPEC, ...spec }).run({ seed, config });

describe('Simulator', () => {
  it.each(BENCH_KINDS)('comes to the same end of %s on every engine', (kind) => {
    const [simd, ...others] = (['simd', 'scalar', 'reference'] as const).map((engine) => run({ kind, engine }));
    expect(others).toEqual([simd, simd]);
    expect(simd).toMatchObject({ scheduled: 60, unschedulable: 0 });
  });

  it('says what is used in the end, evicted pods left out', () => {
    // 20 nodes of 8 low pods, an eighth of 32 cpus and of 128Gi (of 256Gi) each; 60 of them give way to others.
    expect(run({ kind: 'preemption' })).toMatchObject({
      preempted: 60,
      nodesInUse: 20,
      utilisation: { cpu: 1, memory: 0.5, pods: Number((160 / 2200).toFixed(6)) },
    });
    // The cluster has one node for 110 pods.
    expect(run({ kind: 'basic', nodes: 1, pods: 120 })).toMatchObject({
      ...{ scheduled: 110, unschedulable: 10, preempted: 0, nodesInUse: 1 },
      utilisation: { cpu: Number((11 / 32).toFixed(6)), pods: 1 },
    });
  });

  it('depends on the seed: the cluster, and ties', () => {
    expect(run({}, 1)).toEqual(run({}, 1));
    expect(run({}, 1).decisionHash).not.toBe(run({}, 2).decisionHash);
    const drawn = [1, 2].map((seed) => run({ kind: 'basic', tieBreak: 'random' }, seed).decisionHash);
    expect(drawn[0]).not.toBe(drawn[1]);
    const first = [1, 2].map((seed) => run({ kind: 'basic' }, seed).decisionHash);
    expect(first[0]).toBe(first[1]);
  });

  it('takes the configuration of the run', () => {
    const configuration = (type: string) =>
      JSON.stringify({
        ...{ apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' },
        profiles: [{ pluginConfig: [{ name: 'NodeResourcesFit', args: { scoringStrategy: { type } } }] }],
      });
    const configurations = ['LeastAllocated', 'MostAllocated'].map(configuration);
    const [spread, packed] = [0, 1].map((config) => run({ kind: 'basic', pods: 30, configurations }, 1, config));
    expect(spread).toEqual(run({ kind: 'basic', pods: 30 }));
    expect(packed?.nodesInUse).toBeLessThan(spread?.nodesInUse ?? 0);
  });
});

it('utilisation is of all nodes together', () => {
  const nodes = [
    makeNode('a', { cpu: '2', memory: '1Gi', pods: '4' }),
    makeNode('b', { cpu: '1', memory: '1Gi', pods: '4' }),
  ];
  const requests = [{ cpu: '500m', memory: '1Gi' }, { cpu: '1' }];
  const pods = requests.map((amounts, i) => makePod(`p${i}`, { requests: amounts }));
  expect(utilisation(nodes, pods)).toEqual({ cpu: 0.5, memory: 0.5, pods: 0.25 });
  expect(utilisation([], [])).toEqual({ cpu: 0, memory: 0, pods: 0 });
});
