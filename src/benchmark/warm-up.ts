import { schedulePreempting } from '../core/schedule-preempting.ts';
import type { Clock } from '../lib/clock.ts';
import { type BenchContext, loadedSubject, type PreparedCase } from './bench-case.ts';

/** The cluster of the warm-up, without which the first calls would measure the compiler. A small cluster suffices. */
const NODES = 200;
const PODS = 600;

/** Compilers settle after some seconds of a first case, and at once where one like it ran before. */
const SECONDS_MAX = 10;
/** A case with few pods need not be warmed up for longer than it lasts. */
const SECONDS_PER_POD = 0.001;

/** A few rounds in turn can be slow by chance. */
const LAST_ROUNDS = 24;

/** The best of the last rounds, by the best before them, above which code is taken to be compiled. */
const SETTLED = 0.97;

/**
 * Places pods on a part of the case's cluster, again and again on a fresh scheduler, until its code is compiled: until
 * the best of the last rounds is hardly better than the best before. What a scheduler does once for each pod signature
 * needs hundreds of rounds for that, and a scheduler that runs for hours has long had them.
 */
export function warmUp(prepared: PreparedCase, context: BenchContext): void {
  const { warmUpRounds, warmsUpBy: clock = context.clock } = context;
  const seconds = Math.min(SECONDS_PER_POD * prepared.pending.length, context.warmUpSeconds ?? SECONDS_MAX);
  const round = roundOf(prepared, context);
  const times: number[] = [];
  const start = clock.nowMillis();
  while (times.length < warmUpRounds && !isSettled(times) && clock.nowMillis() - start < seconds * 1000) {
    times.push(millisOf(round, clock));
  }
}

/** Whether the last rounds, of at least twice as many, were no faster than those before. @internal */
export function isSettled(times: readonly number[], last = LAST_ROUNDS): boolean {
  if (times.length < 2 * last) return false;
  return Math.min(...times.slice(-last)) >= Math.min(...times.slice(0, -last)) * SETTLED;
}

/** Places a half of the pods in batches, and the others one by one. */
function roundOf(prepared: PreparedCase, { tracers }: BenchContext): () => void {
  const { benchCase, selection, placeAll } = prepared;
  const nodes = benchCase.cluster.nodes.slice(0, NODES);
  const names = new Set(nodes.map(({ metadata }) => metadata?.name));
  const bound = selection.bound.filter(({ spec }) => names.has(spec?.nodeName));
  const pending = selection.pending.slice(0, PODS);
  const small: PreparedCase = {
    ...prepared,
    benchCase: { ...benchCase, cluster: { ...benchCase.cluster, nodes } },
    selection: { ...selection, bound, pending },
  };
  const half = Math.floor(pending.length / 2);
  return () => {
    const subject = loadedSubject(small, tracers?.warmUp);
    placeAll(subject, pending.slice(0, half));
    for (const pod of pending.slice(half)) schedulePreempting(subject, pod);
    subject[Symbol.dispose]?.();
  };
}

function millisOf(work: () => void, clock: Clock): number {
  const start = clock.nowMillis();
  work();
  return clock.nowMillis() - start;
}
