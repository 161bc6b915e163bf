import type { Pod } from '../../api/pod.ts';
import { assert } from '../../lib/assert.ts';
import type { Clock } from '../../lib/clock.ts';
import { CodedError } from '../../lib/errors.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { selectPods } from '../pod-selection.ts';
import { decisionHash } from './decision-hash.ts';
import { peakRssBytes } from './machine.ts';
import { percentile } from './percentile.ts';
import type { BenchResult } from './result.ts';
import type { EngineName, Subject, SubjectFactory, TieBreak } from './subject.ts';

/** Enough that the 99th percentile rests on ten samples, few enough for the slowest engine. */
const LATENCY_SAMPLES_MAX = 1000;
/** WASM and JavaScript are compiled in steps; the first calls would measure the compiler. */
const WARM_UP_PODS_MAX = 300;

export interface BenchCase {
  readonly suite: string;
  readonly kind: string;
  readonly cluster: ClusterObjects;
  readonly engine: EngineName;
  readonly tieBreak: TieBreak;
  readonly seed: number;
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
  const { suite, kind, cluster, engine, tieBreak, seed, repeat } = benchCase;
  assert(repeat >= 1, 'a case runs at least once');
  const { bound, pending } = selectPods(cluster.pods);
  if (pending.length === 0) throw new CodedError('NothingToSchedule', `${kind}: there is no pending pod to schedule`);

  const load = (): Subject => {
    const subject = createSubject({ engine, tieBreak, seed });
    for (const node of cluster.nodes) subject.addNode(node);
    for (const pod of bound) subject.addPod(pod);
    return subject;
  };

  warmUp(load, pending);
  onStep?.();
  const latencyMicros = measureLatency(load(), pending, clock);
  onStep?.();

  const secondsOfRuns: number[] = [];
  let scheduled = 0;
  let hash = '';
  for (let run = 0; run < repeat; run++) {
    const subject = load();
    const start = clock.nowMillis();
    const batch = subject.scheduleBatch(pending);
    secondsOfRuns.push((clock.nowMillis() - start) / 1000);
    const runHash = decisionHash(nodeNamesOf(batch));
    assert(run === 0 || runHash === hash, 'every repetition decides the same');
    hash = runHash;
    scheduled = batch.scheduledCount;
    onStep?.();
  }

  const seconds = percentile(secondsOfRuns.sort(ascending), 50);
  const podsPerSecond = seconds > 0 ? pending.length / seconds : 0;
  return {
    suite,
    kind,
    engine,
    workers: 1,
    nodes: cluster.nodes.length,
    pods: pending.length,
    scheduled,
    seconds,
    podsPerSecond,
    latencyMicros,
    nodeEvaluationsPerSecond: podsPerSecond * cluster.nodes.length,
    percentageOfNodesScored: 100,
    peakRssBytes: peakRssBytes(),
    decisionHash: hash,
  };
}

function warmUp(load: () => Subject, pods: readonly Pod[]): void {
  const some = pods.slice(0, WARM_UP_PODS_MAX);
  load().scheduleBatch(some);
  const subject = load();
  for (const pod of some) subject.schedule(pod);
}

function measureLatency(subject: Subject, pods: readonly Pod[], clock: Clock): BenchResult['latencyMicros'] {
  const micros = new Float64Array(Math.min(pods.length, LATENCY_SAMPLES_MAX));
  for (let i = 0; i < micros.length; i++) {
    const pod = pods[i] as Pod;
    const start = clock.nowMillis();
    subject.schedule(pod);
    micros[i] = (clock.nowMillis() - start) * 1000;
  }
  micros.sort();
  return { p50: percentile(micros, 50), p90: percentile(micros, 90), p99: percentile(micros, 99) };
}

function* nodeNamesOf(batch: ReturnType<Subject['scheduleBatch']>): Generator<string> {
  for (let i = 0; i < batch.length; i++) {
    yield batch.nodeName(i) ?? '';
  }
}

function ascending(a: number, b: number): number {
  return a - b;
}
