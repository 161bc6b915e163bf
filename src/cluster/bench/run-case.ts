import type { Pod } from '../../api/pod.ts';
import type { Tracer } from '../../core/tracing/tracer.ts';
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

/** What watches the schedulers of a case; those whose single calls are timed are not watched. */
export interface BenchTracers {
  readonly warmUp: Tracer | null;
  /** Counted from 0. */
  ofRun(run: number): Tracer | null;
}

export interface BenchContext {
  readonly createSubject: SubjectFactory;
  readonly clock: Clock;
  /** Called after each part of the work; there are `stepCount(case)` of them. */
  readonly onStep?: () => void;
  /** Default: none. */
  readonly tracers?: BenchTracers;
}

/** Warm-up, latency, and the batches. */
export function stepCount(benchCase: Pick<BenchCase, 'repeat'>): number {
  return 2 + benchCase.repeat;
}

/** Measures one engine on one cluster. */
export function runCase(benchCase: BenchCase, { createSubject, clock, onStep, tracers }: BenchContext): BenchResult {
  const { suite, kind, cluster, engine, options, repeat } = benchCase;
  assert(repeat >= 1, 'a case runs at least once');
  const selection = selectPods(cluster.pods, schedulerNames(options.configuration));
  const { bound, pending } = selection;
  if (pending.length === 0) throw new CodedError('NothingToSchedule', `${kind}: there is no pending pod to schedule`);
  const placeAll = placeAllOf([...bound, ...pending]);

  const load = (tracer: Tracer | null = null): Subject => {
    const subject = createSubject({ ...options, engine, tracer });
    loadCluster(subject, cluster, selection);
    return subject;
  };

  const { latencyMax, warmUpMax } = engine === 'reference' ? REFERENCE_SAMPLES : SAMPLES;
  warmUp(() => load(tracers?.warmUp), pending.slice(0, warmUpMax), placeAll);
  onStep?.();
  const latencyMicros = measureLatency(load(), pending.slice(0, latencyMax), clock);
  onStep?.();

  const secondsOfRuns: number[] = [];
  let scheduled = 0;
  let preemptions = 0;
  let hash = '';
  for (let run = 0; run < repeat; run++) {
    const subject = load(tracers?.ofRun(run));
    const start = clock.nowMillis();
    const outcome = placeAll(subject, pending);
    secondsOfRuns.push((clock.nowMillis() - start) / 1000);
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
    workers: 1,
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

function warmUp(load: () => Subject, pods: readonly Pod[], placeAll: PlaceAll): void {
  placeAll(load(), pods);
  const subject = load();
  for (const pod of pods) schedulePreempting(subject, pod);
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
