import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { checkAgreement } from '../../src/benchmark/agreement.ts';
import { type BenchCase, type BenchContext, wholeGroupCount } from '../../src/benchmark/bench-case.ts';
import { decisionHash } from '../../src/benchmark/decision-hash.ts';
import { placeAllOf } from '../../src/benchmark/place-all.ts';
import { type CaseRun, runCase, stepCount } from '../../src/benchmark/run-case.ts';
import type { Subject } from '../../src/benchmark/subject.ts';
import { BENCH_KINDS, ENGINES, syntheticCluster } from '../../src/benchmark/suite.ts';
import { basicCluster } from '../../src/benchmark/synthetic/basic.ts';
import { GANG_GATES, gangCluster } from '../../src/benchmark/synthetic/gang.ts';
import { preemptionCluster } from '../../src/benchmark/synthetic/preemption.ts';
import { benchSubject } from '../../src/cli/commands/bench-subject.ts';
import { Scheduler } from '../../src/core/scheduler.ts';
import type { SchedulerOptions } from '../../src/core/scheduler-options.ts';
import { FakeClock } from '../../src/lib/clock.ts';
import { percentile } from '../../src/lib/percentile.ts';
import { loadCluster } from '../../src/manifests/load-cluster.ts';
import { selectPods } from '../../src/manifests/pod-selection.ts';
import { configured } from '../core/configured.ts';

const CASE: BenchCase = {
  suite: 'core',
  kind: 'basic',
  cluster: basicCluster(3, 20),
  engine: 'reference',
  options: { tieBreak: 'first', seed: 1 },
};

const memory: BenchContext['memory'] = { usedBytes: () => 0, heapLimitBytes: 0 };
const warmUpRounds = 1;

/** Takes 2 ms for a pod, and always the same node. */
function fakeSubject(clock: FakeClock, calls: string[]): Subject {
  return {
    setObject: (kind) => calls.push(kind),
    removePod: (namespace, name) => calls.push(`remove ${namespace}/${name}`),
    addNode: ({ metadata }) => calls.push(`node ${metadata?.name}`),
    addPod: ({ metadata }) => calls.push(`pod ${metadata?.name}`),
    schedule: () => {
      clock.advance(2);
      return { status: 'scheduled', node: 'n', score: 1, feasibleNodes: 1, ties: 1 };
    },
    scheduleBatch: (pods) => {
      clock.advance(2 * pods.length);
      const at = () => ({ status: 'scheduled', node: 'n', score: 1, feasibleNodes: 1, ties: 1 }) as const;
      return { length: pods.length, scheduledCount: pods.length, nodeName: () => 'n', at };
    },
    sharedMemoryBytes: 0,
    [Symbol.dispose]: () => calls.push('dispose'),
  };
}

describe('runCase', () => {
  it('measures the batch and single calls by the clock it is given', () => {
    const clock = new FakeClock();
    const calls: string[] = [];
    let [steps, subjects, collections] = [0, 0, 0];
    const createSubject = () => {
      subjects++;
      return fakeSubject(clock, calls);
    };
    const collectYoungGarbage = (): void => {
      expect(calls.slice(-3)).toEqual(CASE.cluster.nodes.map(({ metadata }) => `node ${metadata?.name}`));
      clock.advance(1000);
      collections++;
    };
    const onStep = () => steps++;
    const context = { createSubject, clock, memory, warmUpRounds, collectYoungGarbage, onStep };
    const { result, prefixes } = runCase(CASE, { repeat: 3 }, context);
    expect(collections).toBe(3);
    expect(steps).toBe(stepCount(3));
    expect(calls.filter((call) => call === 'dispose')).toHaveLength(subjects);
    expect([...prefixes.keys()]).toEqual([1, 2, 5, 10, 20]);
    expect(prefixes.get(5)).toBe(decisionHash(new Array<string>(5).fill('n')));
    expect(result).toMatchObject({
      engine: 'reference',
      index: false,
      workers: 1,
      nodes: 3,
      pods: 20,
      scheduled: 20,
      seconds: 0.04,
      secondsOfRuns: [0.04, 0.04, 0.04],
      podsPerSecond: 500,
      nodeEvaluationsPerSecond: 1500,
      latencyMicros: { p50: 2000, p90: 2000, p99: 2000, samples: 10 },
      decisionHash: decisionHash(new Array<string>(20).fill('n')),
    });
  });

  it('loads bound pods first and measures the pending ones only', () => {
    const clock = new FakeClock();
    const calls: string[] = [];
    const { nodes, pods } = CASE.cluster;
    const bound = { metadata: { name: 'b' }, spec: { nodeName: 'node-00000' } };
    const done = { metadata: { name: 'd' }, spec: {}, status: { phase: 'Succeeded' } };
    const cluster = { nodes: nodes.slice(0, 1), pods: [bound, done, ...pods.slice(0, 2)] };
    const context = { createSubject: () => fakeSubject(clock, calls), clock, memory, warmUpRounds };
    expect(runCase({ ...CASE, cluster }, { repeat: 1 }, context).result.pods).toBe(2);
    expect(calls.slice(0, 2)).toEqual(['node node-00000', 'pod b']);
    const onlyBound = { ...CASE, cluster: { nodes, pods: [bound] } };
    expect(() => runCase(onlyBound, { repeat: 1 }, context)).toThrow('basic: there is no pending pod to schedule');
  });

  it.each(BENCH_KINDS)('%s comes out the same on every engine', (kind) => {
    const cluster = syntheticCluster(kind, 25, 150, 1);
    const results = ENGINES.map((engine) => run({ ...CASE, kind, cluster, engine }).result);
    expect(new Set(results.map((result) => result.decisionHash)).size).toBe(1);
    expect(results[0]?.decisionHash).toMatch(/^[0-9a-f]{32}$/);
    expect(results[0]).toMatchObject({ scheduled: 150, preemptions: kind === 'preemption' ? 150 : 0 });
  });

  it.each<[what: string, flag: number | undefined, config: object | null, percent: number]>([
    ['every node', undefined, null, 100],
    ['a fixed share', 60, null, 60],
    // 50 % less one for every 125 nodes.
    ['an adaptive share', 0, null, 48],
    ['the share of a configuration', undefined, { percentageOfNodesToScore: 70 }, 70],
    ['the share that a configuration has by default', undefined, {}, 48],
    ['the share of a profile', undefined, { profiles: [{ percentageOfNodesToScore: 90 }] }, 90],
    ['its own share before all others', 80, { percentageOfNodesToScore: 70 }, 80],
  ])('says how much of the cluster decisions look at: %s', (_what, percentageOfNodesToScore, config, percent) => {
    const options = {
      ...(percentageOfNodesToScore !== undefined && { percentageOfNodesToScore }),
      ...(config !== null && { configuration: configured(config) }),
    };
    const cluster = basicCluster(250, 2);
    expect(run({ ...CASE, cluster, options }).result.percentageOfNodesScored).toBe(percent);
  });

  it('counts preemptions where pods evict each other, and nothing else', () => {
    const cluster = preemptionCluster(2, 3);
    const clock = new FakeClock();
    let evicted = 0;
    const evictedOfEach: number[] = [];
    const { result } = runCase(
      { ...CASE, kind: 'preemption', cluster },
      { repeat: 1 },
      {
        createSubject: (options) => {
          const scheduler = createSubject(options);
          evictedOfEach.push(evicted);
          evicted = 0;
          return {
            setObject: (kind, object) => scheduler.setObject(kind, object),
            addNode: (node) => scheduler.addNode(node),
            addPod: (pod) => scheduler.addPod(pod),
            schedule: (pod) => scheduler.schedule(pod),
            scheduleBatch: (pods) => scheduler.scheduleBatch(pods),
            removePod: (namespace, name) => {
              evicted++;
              clock.advance(500);
              scheduler.removePod(namespace, name);
            },
            sharedMemoryBytes: 0,
          };
        },
        clock,
        memory,
        warmUpRounds,
      },
    );
    // Warm-up and what is weighed place all three as well.
    expect(new Set([...evictedOfEach.slice(1), evicted])).toEqual(new Set([3]));
    expect(result).toMatchObject({ pods: 3, scheduled: 3, preemptions: 3, seconds: 1.5, podsPerSecond: 2 });
  });
});

describe('wholeGroupCount', () => {
  const { pods } = gangCluster(1, 150);

  it('leaves out a group that would be cut, but places at least one', () => {
    expect([64, 100, 127, 128, 149, 150, 500].map((count) => wholeGroupCount(pods, count))).toEqual([
      ...[64, 64, 64, 128, 128, 150, 150],
    ]);
    expect(wholeGroupCount(pods, 1)).toBe(64);
  });

  it('cuts pods without groups anywhere', () => {
    expect(wholeGroupCount(CASE.cluster.pods, 7)).toBe(7);
  });

  it('lets a short run be compared with a long one', () => {
    const cluster = gangCluster(10, 150);
    const benchCase = { ...CASE, kind: 'gang', cluster, options: { ...CASE.options, featureGates: GANG_GATES } };
    const context = { createSubject: benchSubject, clock: new FakeClock(), memory, warmUpRounds };
    const long = runCase({ ...benchCase, engine: 'simd' }, { repeat: 1 }, context);
    const short = runCase(benchCase, { repeat: 1, podCount: 100 }, context);
    expect([long.result.scheduled, short.result.scheduled]).toEqual([150, 64]);
    expect(checkAgreement([long, short])).toMatchObject([{ isAgreed: true }]);
  });
});

function run(benchCase: BenchCase): CaseRun {
  return runCase(benchCase, { repeat: 1 }, { createSubject, clock: new FakeClock(), memory, warmUpRounds });
}

function createSubject(options: SchedulerOptions): Scheduler {
  return new Scheduler(options);
}

it('a decision is the node, and who was evicted for it', () => {
  const { nodes, pods } = preemptionCluster(1, 2);
  const decisions = (places: readonly Pod[]) => {
    const { placeAll } = placeAllOf(places);
    const scheduler = new Scheduler();
    const selection = selectPods(pods);
    loadCluster(scheduler, { nodes, pods }, selection);
    return [...placeAll(scheduler, selection.pending).decisions()];
  };
  expect(decisions([])).toEqual(['', '']);
  expect(decisions(pods)).toEqual([
    expect.stringMatching(/^node-00000 default\/low-\d+$/),
    expect.stringMatching(/^node-00000 default\/low-\d+$/),
  ]);
});

it('percentiles are nearest ranks', () => {
  const samples = Float64Array.from({ length: 200 }, (_, i) => i + 1);
  expect([50, 90, 99, 100].map((percent) => percentile(samples, percent))).toEqual([100, 180, 198, 200]);
  expect(percentile([7], 50)).toBe(7);
  expect(() => percentile([], 50)).toThrow();
});
