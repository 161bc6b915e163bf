import { rungBelow } from '../pod-ladder.ts';
import type { Rehearsal } from '../rehearse.ts';
import type { Repetitions } from '../run-case.ts';
import type { PlannedCase } from './core-plan.ts';

/** Estimates until something has been measured. */
const LOAD_SECONDS_PER_NODE = 15e-6;
const BUILD_SECONDS_PER_NODE = 2e-6;
/** The time of each of the garbage collections that measure memory. */
const COLLECT_SECONDS_PER_NODE = 1.5e-6;
const COLLECTIONS = 8;
const LOADS = 3;
/** The time of warm-up, single pods and the first batches. */
const REHEARSAL_SECONDS = 1.5;
/** The longest time that the first pods may take; see rehearse.ts. */
const SET_UP_SECONDS_MAX = 20;

/** The number of repetitions for a load time below a limit. Loading is not measured, but has to be waited for. */
const REPEAT_BY_LOAD: readonly (readonly [loadSecondsBelow: number, repeat: number])[] = [
  [0.25, 5],
  [2, 3],
  [Number.POSITIVE_INFINITY, 1],
];

/**
 * The time of the work that is done once for each pod signature: what the first pods took beyond what later ones take.
 */
function setUpSeconds({ firstPods, podsPerSecond }: Rehearsal): number {
  return Math.max(0, firstPods.seconds - firstPods.count / podsPerSecond);
}

export interface Pinned {
  /** The number of pods; absent: as many as the time of the case allows. */
  readonly pods?: number | undefined;
  readonly repeat?: number | undefined;
}

/** The planned repetitions; `repeat` is 0 if the case does not fit. */
export interface PlannedRepetitions extends Repetitions {
  readonly secondsEach: number;
}

/**
 * Plans the number of pods and repetitions: they take about the seconds of the case in total, not counting set-up, and
 * fewer if that does not fit.
 */
export function planRepetitions(
  seconds: number,
  rehearsal: Rehearsal,
  pending: number,
  { pods, repeat }: Pinned,
  secondsLeft: number,
): PlannedRepetitions {
  const wanted = repeat ?? (REPEAT_BY_LOAD.find(([below]) => rehearsal.loadSeconds < below)?.[1] as number);
  const fitting = rehearsal.podsPerSecond * (seconds / wanted);
  const podCount = pods ?? (fitting >= pending ? pending : rungBelow(fitting));
  const secondsEach = rehearsal.loadSeconds + setUpSeconds(rehearsal) + podCount / rehearsal.podsPerSecond;
  // One more run is needed to measure memory.
  const possible = Math.max(0, Math.floor(secondsLeft / secondsEach) - 1);
  const isTooFew = repeat !== undefined && possible < repeat;
  return { podCount, repeat: isTooFew ? 0 : Math.min(wanted, possible), secondsEach };
}

/** Predicts the cost of a case from that of smaller ones; it rather overestimates. */
export class CaseCosts {
  #load = { nodes: 0, secondsPerNode: LOAD_SECONDS_PER_NODE };
  readonly #setUp = new Map<string, { readonly nodes: number; readonly seconds: number }>();

  learn(planned: PlannedCase, rehearsal: Rehearsal): void {
    const { nodes } = planned;
    if (nodes >= this.#load.nodes) this.#load = { nodes, secondsPerNode: rehearsal.loadSeconds / nodes };
    const key = keyOf(planned);
    if (nodes >= (this.#setUp.get(key)?.nodes ?? 0)) this.#setUp.set(key, { nodes, seconds: setUpSeconds(rehearsal) });
  }

  /** The seconds of a rehearsal, one repetition and measuring memory, including the time to build the cluster. */
  predict(planned: PlannedCase): number {
    const { nodes, seconds } = planned;
    const known = this.#setUp.get(keyOf(planned));
    const setUp = known === undefined ? 0 : Math.min((known.seconds * nodes) / known.nodes, SET_UP_SECONDS_MAX);
    const perNode = BUILD_SECONDS_PER_NODE + COLLECTIONS * COLLECT_SECONDS_PER_NODE + LOADS * this.#load.secondsPerNode;
    return REHEARSAL_SECONDS + seconds + LOADS * setUp + perNode * nodes;
  }
}

function keyOf({ kind, engine, index }: PlannedCase): string {
  return `${kind} ${engine} ${index}`;
}
