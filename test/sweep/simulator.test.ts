import { describe, expect, it } from 'vitest';
import { BENCH_KINDS } from '../../src/benchmark/suite.ts';
import type { Executor } from '../../src/sweep/executor.ts';
import type { Settings } from '../../src/sweep/settings.ts';
import { Simulator } from '../../src/sweep/simulator.ts';
import type { SweepPlan } from '../../src/sweep/sweep-plan.ts';
import { utilisation } from '../../src/sweep/utilisation.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { textSource } from '../manifests/text-source.ts';
import { EXECUTOR, PLAN } from './a-plan.ts';

const SETTINGS: Settings = { kind: 'hetero', nodes: 20, pods: 60 };

interface Given {
  readonly plan?: Partial<SweepPlan>;
  readonly files?: Readonly<Record<string, string>>;
  readonly executor?: Executor;
}

const simulatorOf = ({ plan = {}, files = {}, executor = EXECUTOR }: Given) =>
  new Simulator({ ...PLAN, ...plan }, textSource(files), executor);
const run = (settings: Settings, seed = 1, given: Given = {}) =>
  simulatorOf(given).run({ seed, settings: { ...SETTINGS, ...settings } });

const CONFIGURATION = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - pluginConfig:
      - {name: NodeResourcesFit, args: {scoringStrategy: {type: LeastAllocated}}}
`;

describe('a placing', () => {
  it.each(BENCH_KINDS)('comes to the same end of %s on every engine', async (kind) => {
    const engines = ['simd', 'scalar', 'reference'] as const;
    const [simd, ...others] = await Promise.all(
      engines.map((engine) => run({ kind }, 1, { executor: { engine, index: true } })),
    );
    expect(others).toEqual([simd, simd]);
    expect(simd).toMatchObject({ end: 'placed', scheduled: 60, unschedulable: 0 });
  });

  it('says what is used in the end, evicted pods left out', async () => {
    // 20 nodes of 8 low pods, an eighth of 32 cpus and of 128Gi (of 256Gi) each; 60 of them give way to others.
    expect(await run({ kind: 'preemption' })).toMatchObject({
      ...{ evicted: 60, nodesInUse: 20, utilisationCpu: 1, utilisationMemory: 0.5 },
      utilisationPods: Number((160 / 2200).toFixed(6)),
    });
    // The cluster has one node for 110 pods.
    expect(await run({ kind: 'basic', nodes: 1, pods: 120 })).toMatchObject({
      ...{ scheduled: 110, unschedulable: 10, evicted: 0, nodesInUse: 1 },
      ...{ utilisationCpu: Number((11 / 32).toFixed(6)), utilisationPods: 1 },
    });
  });

  it('depends on the seed: the cluster, and ties', async () => {
    const hashes = async (settings: Settings) =>
      Promise.all([1, 1, 2].map(async (seed) => (await run(settings, seed)).hash));
    const [one, again, two] = await hashes({});
    expect(again).toBe(one);
    expect(two).not.toBe(one);
    const drawn = await hashes({ kind: 'basic', tieBreak: 'random' });
    expect(drawn[2]).not.toBe(drawn[0]);
    const first = await hashes({ kind: 'basic' });
    expect(first[2]).toBe(first[0]);
  });

  it('takes the configuration of the run, and fields of it', async () => {
    const files = { 'c.yaml': CONFIGURATION };
    const kind = 'basic';
    const field = 'config.profiles[0].pluginConfig[0].args.scoringStrategy.type';
    const spread = await run({ kind, pods: 30, config: 'c.yaml' }, 1, { files });
    expect(spread).toEqual(await run({ kind, pods: 30 }));
    const packed = await run({ kind, pods: 30, config: 'c.yaml', [field]: 'MostAllocated' }, 1, { files });
    expect(packed.nodesInUse).toBeLessThan(spread.nodesInUse ?? 0);
  });

  it('varies fields of the default configuration where none is given', async () => {
    const sampled = await run({ nodes: 150, 'config.percentageOfNodesToScore': 5 });
    expect(sampled).toEqual(await run({ nodes: 150, percentageOfNodesToScore: 5 }));
    expect(sampled).not.toEqual(await run({ nodes: 150 }));
  });

  it('is of the cluster of manifests, and of the pods that its workloads lack', async () => {
    const files = {
      'a.yaml': `kind: Node
metadata: {name: a}
status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 5
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: c, resources: {requests: {cpu: 1}}}]}
`,
    };
    const inputs = { ...PLAN.inputs, manifests: ['a.yaml'] };
    const result = await simulatorOf({ plan: { inputs }, files }).run({ seed: 1, settings: {} });
    expect(result).toMatchObject({ scheduled: 4, unschedulable: 1, utilisationCpu: 1 });
  });
});

describe('a simulation', () => {
  const files = {
    'w.yaml': `apiVersion: berth.dev/v1alpha1
kind: Workload
arrivals:
  - poisson: 1/s
    until: 20s
    duration: exponential(10s)
    object: {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: c}]}}
`,
  };
  const plan = { mode: 'simulate' } as const;
  const settings = { nodes: 3, workload: 'w.yaml' };

  it('depends on the seed alone, whatever ran before it', async () => {
    const one = simulatorOf({ plan, files });
    const inTurn = [await one.run({ seed: 1, settings }), await one.run({ seed: 2, settings })];
    const fresh = await simulatorOf({ plan, files }).run({ seed: 2, settings });
    expect(inTurn[1]).toEqual(fresh);
    expect(inTurn[0]?.hash).not.toBe(fresh.hash);
    expect(fresh).toMatchObject({ end: 'settled', unschedulable: 0, failed: 0, errorCount: 0 });
    expect(fresh.scheduled).toBeGreaterThan(9);
    expect(await one.run({ seed: 1, settings })).toEqual(inTurn[0]);
  });

  it('varies fields of its workload', async () => {
    const longer = { ...settings, 'workload.arrivals[0].until': '1m' };
    const simulator = simulatorOf({ plan, files });
    const [short, long] = [
      await simulator.run({ seed: 1, settings }),
      await simulator.run({ seed: 1, settings: longer }),
    ];
    expect(long.scheduled).toBeGreaterThan(short.scheduled + 9);
  });

  it.each([
    [{ 'faults.a': 1 }, 'faults.a: there is no faults file (--faults)'],
    [{ ...settings, 'workload.kind.x': 1 }, 'workload.kind.x: w.yaml has no members in kind'],
    [{ ...settings, 'workload.arivals': 1 }, /^w\.yaml: .*arivals/],
    [{ ...settings, config: 'none.yaml' }, 'none.yaml: no such file'],
  ] as const)('refuses %j', async (refused, message) => {
    await expect(simulatorOf({ plan, files }).load(refused as Settings)).rejects.toThrow(message);
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
