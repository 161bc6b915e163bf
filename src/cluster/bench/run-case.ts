import type { Pod } from '../../api/pod.ts';
import { assert } from '../../lib/assert.ts';
import type { Clock } from '../../lib/clock.ts';
import { CodedError } from '../../lib/errors.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { loadCluster } from '../load-cluster.ts';
import { schedulerNames, selectPods } from '../pod-selection.ts';
import { schedulePreempting } from '../schedule-preempting.ts';
import { decisionHash } from './decision-hash.ts';
import { peakRssBytes } from './machine.ts';
import { percentageOfNodesScored } from './nodes-scored.ts';
import { percentile } from './percentile.ts';
import { type PlaceAll, placeAllOf } from './place-all.ts';
import type { BenchResult } from './result.ts';
import type { EngineName, SchedulerOptions, Subject, SubjectFactory } from './subject.ts';

interface Samples {
  /** Single pods that are timed. */
  readonly latencyMax: number;
  /** WASM and JavaScript are compiled in steps; the first calls would measure the compiler. */
  readonly warmUpMax: number;
}

/** Enough that the 99th percentile rests on ten samples. */
const SAMPLES: Samples = { latencyMax: 1000, warmUpMax: 300 };
/** The reference needs milliseconds for a pod: it is warm after a few, and nobody waits for a thousand. */
const REFERENCE_SAMPLES: Samples = { latencyMax: 200, warmUpMax: 30 };

export interface BenchCase {
  readonly suite: string;
  readonly kind: string;
  readonly cluster: ClusterObjects;
  readonly engine: EngineName;
  /** Of the scheduler; the engine apart. */
  readonly options: Omit<SchedulerOptions, 'engine'>;
  /** How often the batch is run, each time on a fresh scheduler; the median counts. */
  readonly repeat: number;
}

export interface BenchContext {
  readonly createSubject: SubjectFactory;
  readonly clock: Clock;
  /** Called after each part of the work; there are `stepCount(case)` of them. */
  readonly onStep?: () => void;
}

/** Warm-up, latency, and the batches. */
export function stepCount(benchCase: Pick<BenchCase, 'repeat'>): number {
  return 2 + benchCase.repeat;
}

/** Measures one engine on one cluster. */
export function runCase(benchCase: BenchCase, { createSubject, clock, onStep }: BenchContext): BenchResult {
  const { suite, kind, cluster, engine, options, repeat } = benchCase;
  assert(repeat >= 1, 'a case runs at least once');
  const selection = selectPods(cluster.pods, schedulerNames(options.configuration));
  const { bound, pending } = selection;
  if (pending.length === 0) throw new CodedError('NothingToSchedule', `${kind}: there is no pending pod to schedule`);
  const placeAll = placeAllOf([...bound, ...pending]);

  const withSubject: WithSubject = (use) => {
    const subject = createSubject({ ...options, engine });
    loadCluster(subject, cluster, selection);
    const result = use(subject);
    subject.close?.();
    return result;
  };

  const { latencyMax, warmUpMax } = engine === 'reference' ? REFERENCE_SAMPLES : SAMPLES;
  warmUp(withSubject, pending.slice(0, warmUpMax), placeAll);
  onStep?.();
  const latencyMicros = withSubject((subject) => measureLatency(subject, pending.slice(0, latencyMax), clock));
  onStep?.();

  const secondsOfRuns: number[] = [];
  let scheduled = 0;
  let preemptions = 0;
  let workers = 1;
  let hash = '';
  for (let run = 0; run < repeat; run++) {
    const outcome = withSubject((subject) => {
      workers = subject.workers ?? 1;
      const start = clock.nowMillis();
      const placed = placeAll(subject, pending);
      secondsOfRuns.push((clock.nowMillis() - start) / 1000);
      return placed;
    });
    const runHash = decisionHash(outcome.decisions());
    assert(run === 0 || runHash === hash, 'every repetition decides the same');
    hash = runHash;
    scheduled = outcome.scheduled;
    preemptions = outcome.preemptions;
    onStep?.();
  }

  const seconds = percentile(secondsOfRuns.sort(ascending), 50);
  const perSecond = (count: number): number => (seconds > 0 ? count / seconds : 0);
  return {
    suite,
    kind,
    engine,
    workers,
    nodes: cluster.nodes.length,
    pods: pending.length,
    scheduled,
    preemptions,
    seconds,
    podsPerSecond: perSecond(kind === 'preemption' ? preemptions : pending.length),
    latencyMicros,
    nodeEvaluationsPerSecond: perSecond(pending.length) * cluster.nodes.length,
    percentageOfNodesScored: percentageOfNodesScored(options, pending, cluster.nodes.length),
    peakRssBytes: peakRssBytes(),
    decisionHash: hash,
  };
}

/** Does something with a scheduler that has just learned of the cluster. */
type WithSubject = <T>(use: (subject: Subject) => T) => T;

function warmUp(withSubject: WithSubject, pods: readonly Pod[], placeAll: PlaceAll): void {
  withSubject((subject) => placeAll(subject, pods));
  withSubject((subject) => {
    for (const pod of pods) schedulePreempting(subject, pod);
  });
}

function measureLatency(subject: Subject, pods: readonly Pod[], clock: Clock): BenchResult['latencyMicros'] {
  const micros = new Float64Array(pods.length);
  for (const [i, pod] of pods.entries()) {
    const start = clock.nowMillis();
    schedulePreempting(subject, pod);
    micros[i] = (clock.nowMillis() - start) * 1000;
  }
  micros.sort();
  return { p50: percentile(micros, 50), p90: percentile(micros, 90), p99: percentile(micros, 99) };
}

function ascending(a: number, b: number): number {
  return a - b;
}
