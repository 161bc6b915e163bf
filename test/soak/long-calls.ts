/** A span of time by the clock. */
export interface Span {
  readonly startMillis: number;
  readonly millis: number;
}

/** A call, and what it took. */
export interface LongCall extends Span {
  readonly method: string;
  /** The number of calls before it. */
  readonly number: number;
  /** The time for which the thread, or else the process, had a processor. */
  readonly cpuMillis: number;
  /** The bytes by which the kernels' memory grew. */
  readonly grownBytes: number;
}

/** Systems may count the time on a processor in steps, which says nothing of a shorter call. */
const STEP_MILLIS = 10;

/** The time that counts: of a long call that had to wait for a processor only the time for which it had one. */
export function countedMillis({ millis, cpuMillis }: Pick<LongCall, 'millis' | 'cpuMillis'>): number {
  return millis < STEP_MILLIS ? millis : Math.min(millis, cpuMillis);
}

/** The longest calls, the longest one first. */
export class LongCalls {
  readonly #most: number;
  readonly #calls: LongCall[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get all(): readonly LongCall[] {
    return this.#calls;
  }

  /** The time that a call must exceed to be listed. */
  get leastMillis(): number {
    const last = this.#calls[this.#most - 1];
    return last === undefined ? 0 : countedMillis(last);
  }

  add(call: LongCall): void {
    const at = this.#calls.findIndex((other) => countedMillis(other) < countedMillis(call));
    this.#calls.splice(at < 0 ? this.#calls.length : at, 0, call);
    this.#calls.length = Math.min(this.#calls.length, this.#most);
  }
}

/** How much of a call lies in pauses, such as those of the garbage collector. */
export function pausedMillis(call: Span, pauses: readonly Span[]): number {
  let sum = 0;
  for (const { startMillis, millis } of pauses) {
    const end = Math.min(startMillis + millis, call.startMillis + call.millis);
    sum += Math.max(0, end - Math.max(startMillis, call.startMillis));
  }
  return sum;
}
