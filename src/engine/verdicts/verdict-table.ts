import type { Status } from '../../framework/status.ts';

/** The position of a rejection by PreFilter, which comes before all filters. */
export const LEFT_OUT = -1;

/** Why a node is rejected, and where in the filter order that was found. */
export interface Verdict {
  readonly status: Status;
  /** The position of the rejecting plugin among the framework's filters, or LEFT_OUT. */
  readonly position: number;
}

/** The answers of the plugins for all nodes with one verdict id. */
interface Answers {
  /** Null if the nodes pass. */
  readonly verdict: Verdict | null;
  /** The raw score of each score plugin, in their order; empty for rejected nodes. */
  readonly raw: readonly number[];
}

/** The verdict id of a slot without a node: it does not pass. */
export const NO_NODE_ID = 0;
/** A placeholder after the limit of ids was exceeded; its results are discarded. */
const ANY_ID = 1;
/** The limit of ids. With so many different nodes, each has to be looked at for every pod. */
const MAX_IDS = 16_384;

const NO_NODE: Answers = { verdict: null, raw: [] };

/** The answers that nodes got, each with a number: the verdict id. Equal answers have one id. */
export class VerdictTable {
  readonly #answers: Answers[] = [NO_NODE];
  readonly #ids = new Map<string, number>();
  /** Positions of the score plugins that gave some id a raw score. */
  readonly #scoring = new Set<number>();
  /** Whether a plugin failed for some node, or there are more different answers than ids. */
  hasFailed = false;

  /** All ids are below this number. */
  get size(): number {
    return this.#answers.length;
  }

  clear(): void {
    this.#answers.length = 1;
    this.#ids.clear();
    this.#scoring.clear();
    this.hasFailed = false;
  }

  /** Returns the id of the answers; a new one calls `onAdded`. */
  idOf(verdict: Verdict | null, raw: readonly number[], onAdded: () => void): number {
    const key = verdict === null ? raw.join() : keyOf(verdict);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    if (this.#answers.length >= MAX_IDS) {
      this.hasFailed = true;
      return ANY_ID;
    }
    const id = this.#answers.push({ verdict, raw }) - 1;
    this.#ids.set(key, id);
    if (verdict?.status.code === 'Error') this.hasFailed = true;
    raw.forEach((score, position) => {
      if (score !== 0) this.#scoring.add(position);
    });
    onAdded();
    return id;
  }

  /** Whether nodes with the id pass. */
  accepts(id: number): boolean {
    return id !== NO_NODE_ID && this.#answers[id]?.verdict === null;
  }

  verdict(id: number): Verdict | null {
    return this.#answers[id]?.verdict ?? null;
  }

  raw(id: number): readonly number[] {
    return this.#answers[id]?.raw ?? NO_NODE.raw;
  }

  /** Whether the score plugin at the position gave every id 0. */
  isZero(position: number): boolean {
    return !this.#scoring.has(position);
  }
}

function keyOf({ position, status }: Verdict): string {
  return `${position} ${status.code} ${status.reasons.join('\n')}`;
}
