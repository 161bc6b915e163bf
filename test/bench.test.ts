import { describe, expect, it } from 'vitest';
import { informerSuite } from '../bench/client/informer.bench.ts';
import { workQueueSuite } from '../bench/client/work-queue.bench.ts';
import { jobControllerSuite } from '../bench/controllers/job-controller.bench.ts';
import { firstDecisions } from '../bench/core/first-decision.bench.ts';
import { podSignatureSuite } from '../bench/core/pod-signature.bench.ts';
import { nodePoint } from '../bench/curves/node-curve.ts';
import { pendingPoint } from '../bench/curves/pending-curve.ts';
import { floorPoint } from '../bench/floor/floor-point.ts';
import { readPods } from '../bench/floor/read-pods.ts';
import { clusterProbes } from '../bench/growth/cluster-probes.ts';
import { growthOf } from '../bench/growth/growth.ts';
import { schedulerProbes } from '../bench/growth/scheduler-probes.ts';
import { filterSuite } from '../bench/kernels/filter.bench.ts';
import { fullScanSuite } from '../bench/kernels/full-scan.bench.ts';
import { scoreSuite } from '../bench/kernels/score.bench.ts';
import { selectSuite } from '../bench/kernels/select.bench.ts';
import { signatureIndexSuite } from '../bench/kernels/signature-index.bench.ts';
import { playMixed } from '../bench/mixed/play-mixed.ts';
import { storeSuite } from '../bench/store/store.bench.ts';
import { placeUnlike } from '../bench/unlike/place-unlike.ts';
import { UNLIKE_KINDS } from '../bench/unlike/unlike-pods.ts';
import { benchSubject } from '../src/cli/commands/bench-subject.ts';
import { type EngineName, Scheduler, type SchedulerOptions } from '../src/index.ts';
import { Cluster } from '../src/index-cluster.ts';
import { RealClock } from '../src/lib/clock.ts';
import { drawScript } from './diff/script/draw-script.ts';
import { playScript } from './parity/script/play-script.ts';
import type { Answer } from './parity/script/script-case.ts';

describe('kernel benchmarks, tiny', () => {
  it.each([filterSuite, scoreSuite, selectSuite, fullScanSuite, signatureIndexSuite])(
    '%O runs, both builds write the same',
    (suite) => {
      const timings = suite({ tiny: true });
      const hashes = (kind: string) => timings.filter((timing) => timing.kind === kind).map(({ hash }) => hash);
      expect(hashes('scalar').length).toBeGreaterThan(0);
      expect(hashes('simd')).toEqual(hashes('scalar'));
      for (const { nanosPerUnit } of timings) expect(nanosPerUnit).toBeGreaterThan(0);
    },
  );
});

describe('first decisions, tiny', () => {
  it('are the same for one worker and two', () => {
    const [alone, shared] = [1, 2].map((workers) => firstDecisions({ nodes: 60, workers, rounds: 3 }));
    const results = alone?.map(({ result }) => result) ?? [];
    expect(shared?.map(({ result }) => result)).toEqual(results);
    expect(results).toHaveLength(4);
    for (const result of results) expect(result).toMatch(/^(node-\d+,){5}node-\d+$/);
  });
});

describe('curves, tiny', () => {
  const clock = new RealClock();
  const memory = { usedBytes: () => 0, heapLimitBytes: 0 };

  it('place all pods that waited, and those beside them', () => {
    const { pods, ...costs } = pendingPoint(20, clock, memory);
    expect(pods).toBe(20);
    expect(costs).toMatchObject({ bytesPerPod: 0 });
    for (const micros of [costs.microsToWait, costs.microsBeside, costs.microsToPlace])
      expect(micros).toBeGreaterThan(0);
  });

  it('place pods on nodes', () => {
    const createSubject = (options: SchedulerOptions) => new Scheduler(options);
    const point = nodePoint(10, 100, { createSubject, clock, memory });
    expect(point.nodes).toBe(10);
    for (const cost of [point.microsPerNode, point.microsPerPod, point.bytesPerNode]) expect(cost).toBeGreaterThan(0);
  });
});

describe('floors, tiny', () => {
  const size = { nodes: 10, pods: 40, repeat: 1 };
  const memory = { usedBytes: () => 0, heapLimitBytes: 0 };
  const context = { createSubject: benchSubject, clock: new RealClock(), memory, warmUpRounds: 1 };

  it.each(['basic', 'gang'] as const)('%s has a time for decisions, and one for a loop over its pods', (kind) => {
    const { micros, floorMicros } = floorPoint(kind, size, {}, context);
    expect(micros).toBeGreaterThan(0);
    expect(floorMicros).toBeGreaterThan(0);
  });

  it('reads each value of a pod, and of a shared spec as well', () => {
    const spec = { nodeName: 'abc', containers: [{ name: 'c', ports: [{ containerPort: 80 }] }] };
    const pods = ['web-0', 'web-10'].map((name) => ({ metadata: { name }, spec }));
    // An object and a list count 1, as numbers do; a text counts its characters.
    expect([...readPods(pods)]).toEqual([1 + 5 + 10, 1 + 6 + 10]);
    expect([...readPods([{ metadata: { name: 'x' } }, {}])]).toEqual([2, 1]);
  });
});

describe('mixed work, tiny', () => {
  const script = drawScript(3);
  const answers = playScript(script);
  let attempt = 0;
  const events = script.events.map((event) =>
    event.t === 'schedule' ? { ...event, expect: answers[attempt++] as Answer } : event,
  );
  const newScheduler = (options: SchedulerOptions) => new Scheduler(options);

  it('counts the decisions of a script', () => {
    const rate = playMixed([JSON.stringify({ ...script, events })], { rounds: 1, newScheduler });
    const decisions = answers.filter((answer) => !('skipped' in answer)).length;
    expect(rate).toMatchObject({ scripts: 1, decisions });
    expect(rate.coldPerSecond).toBeGreaterThan(0);
    expect(rate.perSecond).toBeGreaterThan(0);
  });

  it('names an answer that is not as recorded', () => {
    const wrong = events.map((event) => (event.t === 'schedule' ? { ...event, expect: { error: 'none' } } : event));
    const play = () => playMixed([JSON.stringify({ ...script, events: wrong })], { rounds: 1, newScheduler });
    expect(play).toThrow(/^diff-3: attempt \[0\]/);
  });
});

describe('pods of which no two are alike, tiny', () => {
  const sizes = { nodes: 70, pods: 20, rounds: 1 };
  const modes = [{}, { tieBreak: 'upstream', percentageOfNodesToScore: 0 }] as const;

  it.each(UNLIKE_KINDS)('%s: every engine places them alike', (kind) => {
    for (const mode of modes) {
      const place = (engine: EngineName) =>
        placeUnlike(kind, { ...sizes, newScheduler: () => new Scheduler({ engine, ...mode }) });
      const { nodes, micros } = place('simd');
      expect(micros).toBeGreaterThan(0);
      expect(nodes).toHaveLength(sizes.pods);
      for (const engine of ['scalar', 'reference'] as const) expect(place(engine).nodes).toEqual(nodes);
    }
  });
});

describe('growth, tiny', () => {
  const probes = {
    ...schedulerProbes(() => new Scheduler()),
    ...clusterProbes((options) => new Cluster(options)),
  };
  const clock = new RealClock();

  it.each(Object.entries(probes))('%s: costs something at each size', (_, probe) => {
    const { micros } = growthOf(probe, { sizes: [30, 60], rounds: 1, clock });
    expect(micros).toHaveLength(2);
    for (const each of micros) expect(each).toBeGreaterThan(0);
  });

  it.each([0, 0.5, 1, 2])('a cost by the power %d of the size has that growth', (power) => {
    let nowMillis = 0;
    const probe = (size: number) => () => {
      nowMillis += 3 * size ** power;
      return 10;
    };
    const { micros, exponent } = growthOf(probe, {
      sizes: [10, 40, 90],
      rounds: 2,
      clock: { nowMillis: () => nowMillis },
    });
    expect(exponent).toBeCloseTo(power);
    expect(micros[2]).toBeCloseTo(300 * 90 ** power);
  });
});

describe('control plane benchmarks, tiny', () => {
  it.each([
    [storeSuite, ['15', '15', '55', '10', '10', '10']],
    [workQueueSuite, ['10', '1', '10', '10']],
    [informerSuite, ['25', '125']],
    [jobControllerSuite, ['100', '2', '2', '1000', '1000', '1000', '1000']],
    [podSignatureSuite, new Array<string>(16).fill('10')],
  ])('%O runs, and does all of its work', (suite, results) => {
    const rates = suite({ tiny: true });
    expect(rates.map(({ result }) => result)).toEqual(results);
    for (const { perSecond } of rates) expect(perSecond).toBeGreaterThan(0);
  });
});
