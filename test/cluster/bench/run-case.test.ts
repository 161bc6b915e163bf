import { describe, expect, it } from 'vitest';
import { decisionHash } from '../../../src/cluster/bench/decision-hash.ts';
import { percentile } from '../../../src/cluster/bench/percentile.ts';
import { type BenchCase, runCase, stepCount } from '../../../src/cluster/bench/run-case.ts';
import type { Subject } from '../../../src/cluster/bench/subject.ts';
import { ENGINES, syntheticCluster } from '../../../src/cluster/bench/suite.ts';
import { basicCluster } from '../../../src/cluster/synthetic/basic.ts';
import { Scheduler } from '../../../src/core/scheduler.ts';
import { FakeClock } from '../../../src/lib/clock.ts';

const CASE: BenchCase = {
  suite: 'core',
  kind: 'basic',
  cluster: basicCluster(3, 20),
  engine: 'reference',
  tieBreak: 'first',
  seed: 1,
  repeat: 3,
};

/** Takes 2 ms for a pod, and always the same node. */
function fakeSubject(clock: FakeClock, calls: string[]): Subject {
  return {
    addNode: ({ metadata }) => calls.push(`node ${metadata?.name}`),
    addPod: ({ metadata }) => calls.push(`pod ${metadata?.name}`),
    schedule: () => {
      clock.advance(2);
      return { status: 'scheduled', node: 'n', score: 1, feasibleNodes: 1, ties: 1 };
    },
    scheduleBatch: (pods) => {
      clock.advance(2 * pods.length);
      return { length: pods.length, scheduledCount: pods.length, nodeName: () => 'n' };
    },
  };
}

describe('runCase', () => {
  it('measures the batch and single calls by the clock it is given', () => {
    const clock = new FakeClock();
    let steps = 0;
    const result = runCase(CASE, {
      createSubject: () => fakeSubject(clock, []),
      clock,
      onStep: () => steps++,
    });
    expect(steps).toBe(stepCount(CASE));
    expect(result).toMatchObject({
      engine: 'reference',
      nodes: 3,
      pods: 20,
      scheduled: 20,
      seconds: 0.04,
      podsPerSecond: 500,
      nodeEvaluationsPerSecond: 1500,
      latencyMicros: { p50: 2000, p90: 2000, p99: 2000 },
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
    const result = runCase({ ...CASE, cluster }, { createSubject: () => fakeSubject(clock, calls), clock });
    expect(result.pods).toBe(2);
    expect(calls.slice(0, 2)).toEqual(['node node-00000', 'pod b']);
    const onlyBound = { ...CASE, cluster: { nodes, pods: [bound] } };
    expect(() => runCase(onlyBound, { createSubject: () => fakeSubject(clock, calls), clock })).toThrow(
      'basic: there is no pending pod to schedule',
    );
  });

  it.each(['basic', 'hetero'] as const)('%s comes out the same on every engine', (kind) => {
    const cluster = syntheticCluster(kind, 25, 150, 1);
    const hashes = ENGINES.map((engine) => {
      const createSubject = (options: ConstructorParameters<typeof Scheduler>[0]) => new Scheduler(options);
      return runCase({ ...CASE, kind, cluster, engine, repeat: 1 }, { createSubject, clock: new FakeClock() })
        .decisionHash;
    });
    expect(new Set(hashes).size).toBe(1);
    expect(hashes[0]).toMatch(/^[0-9a-f]{32}$/);
  });
});

it('percentiles are nearest ranks', () => {
  const samples = Float64Array.from({ length: 200 }, (_, i) => i + 1);
  expect([50, 90, 99, 100].map((percent) => percentile(samples, percent))).toEqual([100, 180, 198, 200]);
  expect(percentile([7], 50)).toBe(7);
  expect(() => percentile([], 50)).toThrow();
});

it('the hash tells order and holes apart', () => {
  const hashes = [['a', 'b'], ['b', 'a'], ['a', 'b', ''], ['ab']].map(decisionHash);
  expect(new Set(hashes).size).toBe(4);
});
