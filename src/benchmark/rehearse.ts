import type { Pod } from '../api/pod.ts';
import { schedulePreempting } from '../core/schedule-preempting.ts';
import type { Clock } from '../lib/clock.ts';
import { percentiles } from '../lib/percentile.ts';
import { type BenchContext, loadedSubject, type PreparedCase } from './bench-case.ts';
import type { Latency } from './result.ts';
import type { Subject } from './subject.ts';
import { warmUp } from './warm-up.ts';

/** The measurements of a case before its batches are timed. */
export interface Rehearsal {
  /** The time to make a scheduler and load the cluster into it. */
  readonly loadSeconds: number;
  /** The time to place the first pods, one by one. It includes the work that is done once for each pod signature. */
  readonly firstPods: { readonly count: number; readonly seconds: number };
  /** The speed of the pods after those, in batches. */
  readonly podsPerSecond: number;
  readonly latencyMicros: Latency;
}

/** The most samples: enough that the 99th percentile rests on ten of them. */
const LATENCY_SAMPLES_MAX = 1000;
/**
 * The time limit for pods whose signature was seen before, since a thousand pods take too long on the reference engine.
 */
const REPEATED_SECONDS_MAX = 0.5;
/**
 * The time limit for all single pods. The first pod of each signature may take long on a large cluster, and all
 * signatures should be seen.
 */
const FIRST_PODS_SECONDS_MAX = 20;
/**
 * The batches after the single pods double in size until they take this long together, which is enough to measure the
 * speed of the last.
 */
const BATCH_SECONDS = 0.2;
const FIRST_BATCH_PODS = 16;

/** Warms up, times single pods, and measures the speed of batches. */
export function rehearse(prepared: PreparedCase, context: BenchContext): Rehearsal {
  const { clock, onStep } = context;
  warmUp(prepared, context);
  onStep?.();
  const start = clock.nowMillis();
  const subject = loadedSubject(prepared);
  const loadSeconds = secondsSince(start, clock);
  const { pending } = prepared;
  const single = placeSingly(subject, pending.slice(0, Math.ceil(pending.length / 2)), clock);
  const { latencyMicros, ...firstPods } = single;
  const podsPerSecond =
    batchSpeed(prepared, subject, pending.slice(firstPods.count), clock) ?? firstPods.count / firstPods.seconds;
  subject[Symbol.dispose]?.();
  onStep?.();
  return { loadSeconds, firstPods, podsPerSecond, latencyMicros };
}

function placeSingly(subject: Subject, pods: readonly Pod[], clock: Clock) {
  const micros: number[] = [];
  const seen = new Set<Pod['spec']>();
  let [seconds, repeatedSeconds] = [0, 0];
  for (const pod of pods.slice(0, LATENCY_SAMPLES_MAX)) {
    const start = clock.nowMillis();
    schedulePreempting(subject, pod);
    const podSeconds = secondsSince(start, clock);
    micros.push(podSeconds * 1e6);
    seconds += podSeconds;
    if (seen.has(pod.spec)) repeatedSeconds += podSeconds;
    seen.add(pod.spec);
    if (repeatedSeconds >= REPEATED_SECONDS_MAX || seconds >= FIRST_PODS_SECONDS_MAX) break;
  }
  const count = micros.length;
  return { count, seconds, latencyMicros: { ...percentiles(micros.sort((a, b) => a - b)), samples: count } };
}

/** The speed of the last batch in pods per second; undefined without pods. */
function batchSpeed(
  { placeAll }: PreparedCase,
  subject: Subject,
  pods: readonly Pod[],
  clock: Clock,
): number | undefined {
  let speed: number | undefined;
  let [from, size, seconds] = [0, FIRST_BATCH_PODS, 0];
  while (from < pods.length && seconds < BATCH_SECONDS) {
    const batch = pods.slice(from, from + size);
    const start = clock.nowMillis();
    placeAll(subject, batch);
    const batchSeconds = secondsSince(start, clock);
    // The remaining pods may be too few for a precise last batch.
    if (speed === undefined || batch.length > size / 2) speed = batch.length / batchSeconds;
    seconds += batchSeconds;
    from += batch.length;
    size *= 2;
  }
  return speed;
}

function secondsSince(startMillis: number, clock: Clock): number {
  return (clock.nowMillis() - startMillis) / 1000;
}
