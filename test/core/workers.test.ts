import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { decisionHash } from '../../src/benchmark/decision-hash.ts';
import { placeAllOf } from '../../src/benchmark/place-all.ts';
import { BENCH_KINDS, syntheticCluster } from '../../src/benchmark/suite.ts';
import type { RunnerFactory } from '../../src/engine/columns/column-engine-options.ts';
import { TotalsBlock } from '../../src/engine/index/totals-block.ts';
import { Scheduler, type SchedulerOptions } from '../../src/index.ts';
import { loadCluster } from '../../src/manifests/load-cluster.ts';
import { selectPods } from '../../src/manifests/pod-selection.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { runs } from '../builders/runs.ts';
import { GuardedHosts } from '../guard/guarded-kernels.ts';
import { differences } from '../parity/differences.ts';
import { sharingRunner, waitUntil } from '../pool/always-share.ts';
import { MovingRunner } from '../pool/moving-runner.ts';
import { PartsRunner } from '../pool/parts-runner.ts';
import { arbitraryLargeScript, arbitraryScript, type Script } from './arbitrary-script.ts';
import { ClusterLife, probesOf } from './event-script.ts';

/** Shares every step, however small the cluster. */
const sharing =
  (workers: number): RunnerFactory =>
  (modules) =>
    sharingRunner(modules, { workers }).runner;

/** A scheduler whose threads have come. */
function withThreads(options: SchedulerOptions, workers: number): Scheduler {
  const scheduler = new Scheduler({ ...options, index: false, validate: false }, sharing(workers));
  scheduler.addNode(makeNode('warm-up', { cpu: 1 }));
  const pod = makePod('warm-up', { requests: { cpu: '100m' } });
  waitUntil(() => {
    scheduler.explain(pod);
    return scheduler.workerCounters.sharedSteps > 0;
  }, 'a step is shared');
  scheduler.removeNode('warm-up');
  return scheduler;
}

const open: Scheduler[] = [];
afterAll(() => {
  for (const scheduler of open) scheduler.close();
});

describe('a full scan, shared by any number of threads', () => {
  // Threads that have come wait for the next runner: few steps are done alone then.
  beforeAll(() => withThreads({}, 3).close());
  let sharedSteps = 0;

  function expectAlike(script: Script, options: SchedulerOptions): void {
    const expected = new ClusterLife(options, script);
    const off = { ...options, index: false };
    const lives = [
      new ClusterLife(off, script),
      new ClusterLife(off, script, (modules) => new PartsRunner(modules, 1)),
      new ClusterLife({ ...off, engine: 'simd' }, script, sharing(2)),
      new ClusterLife({ ...off, engine: 'scalar' }, script, sharing(3)),
    ];
    const probes = probesOf(script);
    script.events.forEach((event, step) => {
      const answers = [expected.play(event), ...probes.map((probe) => expected.scheduler.explain(probe))];
      for (const life of lives) {
        const got = [life.play(event), ...probes.map((probe) => life.scheduler.explain(probe))];
        const label = `${life.scheduler.workers} workers, step ${step}, ${event.do}`;
        expect(differences('', answers, got).slice(0, 4), label).toEqual([]);
      }
    });
    for (const { scheduler } of lives) {
      sharedSteps += scheduler.workerCounters.sharedSteps;
      scheduler.close();
    }
  }

  test('answers as the index does, over random lives of a cluster', () => {
    const options = fc.record({ tieBreak: fc.constantFrom('first', 'random', 'upstream'), seed: fc.nat(1000) });
    fc.assert(fc.property(arbitraryScript, options, expectAlike), { numRuns: runs(8) });
    expect(sharedSteps).toBeGreaterThan(0);
  });

  test('also when a search sees a part of the nodes', () => {
    const options = fc.record({
      tieBreak: fc.constantFrom('first', 'random', 'upstream'),
      percentageOfNodesToScore: fc.constantFrom(0, 5, 50),
    });
    fc.assert(fc.property(arbitraryLargeScript, options, expectAlike), { numRuns: runs(2) });
  });

  it.each(BENCH_KINDS)('places %s as one thread does', (kind) => {
    const cluster = syntheticCluster(kind, 90, 120, 3);
    const hashOf = (scheduler: Scheduler): string => {
      open.push(scheduler);
      const selection = selectPods(cluster.pods);
      loadCluster(scheduler, cluster, selection);
      return decisionHash(placeAllOf(cluster.pods).placeAll(scheduler, selection.pending).decisions());
    };
    const expected = hashOf(new Scheduler());
    expect(hashOf(new Scheduler({ index: false }, (modules) => new PartsRunner(modules, 2)))).toBe(expected);
    for (const workers of [2, 3]) {
      const scheduler = withThreads({}, workers);
      expect(hashOf(scheduler), `${workers} workers`).toBe(expected);
      scheduler.close();
    }
  });
});

describe('totals that are kept, built by any number of threads', () => {
  beforeAll(() => withThreads({}, 3).close());
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Rows and trees as they are whenever one has been built, until it is taken. */
  let built: string[] = [];
  let sharedSteps = 0;
  let buildCount = 0;

  function watchTrees(): void {
    const { rebuildTree } = TotalsBlock.prototype;
    vi.spyOn(TotalsBlock.prototype, 'rebuildTree').mockImplementation(function (this: TotalsBlock) {
      rebuildTree.call(this);
      if (this.rows !== null) built.push(Buffer.from(this.rows.bytes).toString('base64'));
    });
  }

  function takeTrees(): string[] {
    const trees = built;
    built = [];
    return trees;
  }

  function expectAlike(script: Script, options: SchedulerOptions): void {
    const hosts = new GuardedHosts();
    const guarded = { newKernelHost: hosts.newHost };
    const alone = new ClusterLife(options, script);
    takeTrees();
    const lives = [
      new ClusterLife({ ...options, ...guarded }, script, (modules) => new PartsRunner(modules, 1)),
      new ClusterLife({ ...options, ...guarded, engine: 'scalar' }, script, (modules) => new PartsRunner(modules, 2)),
      new ClusterLife(options, script, (modules) => new MovingRunner(modules)),
      new ClusterLife(options, script, sharing(2)),
      new ClusterLife({ ...options, engine: 'scalar' }, script, sharing(3)),
    ];
    takeTrees();
    const probes = probesOf(script);
    script.events.forEach((event, step) => {
      const answersOf = (life: ClusterLife) => {
        const answers = [life.play(event), ...probes.map((probe) => life.scheduler.explain(probe))];
        return { answers, trees: takeTrees() };
      };
      const expected = answersOf(alone);
      buildCount += expected.trees.length;
      lives.forEach((life, i) => {
        const { answers, trees } = answersOf(life);
        const label = `life ${i}, step ${step}, ${event.do}`;
        expect(differences('', expected.answers, answers).slice(0, 4), label).toEqual([]);
        expect(trees, label).toEqual(expected.trees);
      });
    });
    for (const { scheduler } of lives) {
      sharedSteps += scheduler.workerCounters.sharedSteps;
      scheduler.close();
    }
    hosts.check();
  }

  test('are those that one thread builds, to the last byte, over random lives of a cluster', () => {
    watchTrees();
    const options = fc.record({ tieBreak: fc.constantFrom('first', 'upstream'), seed: fc.nat(1000) });
    fc.assert(fc.property(arbitraryScript, options, expectAlike), { numRuns: 15 });
    fc.assert(fc.property(arbitraryLargeScript, options, expectAlike), { numRuns: 4 });
    expect(buildCount).toBeGreaterThan(20);
    expect(sharedSteps).toBeGreaterThan(0);
  });
});

describe('a scheduler with workers', () => {
  it('says how many there are, and goes on alone when it is closed', () => {
    const scheduler = new Scheduler({ workers: 2 });
    expect(scheduler.workers).toBe(2);
    expect(new Scheduler().workers).toBe(1);
    expect(new Scheduler({ workers: 2, engine: 'reference' }).workers).toBe(1);
    expect(new Scheduler({ workers: 'auto' }).workers).toBeGreaterThanOrEqual(1);
    scheduler.close();
    scheduler.addNode(makeNode('n', { cpu: 1 }));
    expect(scheduler.schedule(makePod('p', {}))).toMatchObject({ status: 'scheduled', node: 'n' });
    expect(scheduler.workerCounters).toEqual({ sharedSteps: 0, retriedSteps: 0, restartedWorkers: 0 });
  });

  it.each([0, 1.5, 257, 'many'])('refuses %s workers', (workers) => {
    const options = { workers } as unknown as SchedulerOptions;
    expect(() => new Scheduler(options)).toThrow(
      `option workers: ${JSON.stringify(workers)} is not "auto" or an integer from 1 to 256`,
    );
  });
});
