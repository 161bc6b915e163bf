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
export interface Answers {
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

/** By the number of scores, the bound below which they, and their number, make a whole number below 2^53. */
const PACKED_SCORES = [1, 2 ** 17, 2 ** 17, 2 ** 17, 2 ** 12, 2 ** 10];
const NOT_PACKED = -1;

/** The answers that nodes got, each with a number: the verdict id. Equal answers have one id. */
export class VerdictTable {
  readonly #answers: Answers[] = [NO_NODE];
  readonly #ids = new Map<string, number>();
  /** The ids of a few scores that are not large, by the scores as one number. */
  readonly #idsByScores = new Map<number, number>();
  /** The first object of each rejection with its id, because plugins often return the same object. */
  readonly #idsByStatus = new Map<Status, { readonly position: number; readonly id: number }>();
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
    this.#idsByScores.clear();
    this.#idsByStatus.clear();
    this.#scoring.clear();
    this.hasFailed = false;
  }

  /** Returns the id of a rejection; a new one calls `onAdded`. */
  idOfRejection(status: Status, position: number, onAdded: () => void): number {
    const same = this.#idsByStatus.get(status);
    if (same?.position === position) return same.id;
    const key = `${position} ${status.code} ${status.reasons.join('\n')}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#add({ verdict: { status, position }, raw: NO_NODE.raw });
    if (id === null) return ANY_ID;
    this.#ids.set(key, id);
    this.#idsByStatus.set(status, { position, id });
    if (status.code === 'Error') this.hasFailed = true;
    onAdded();
    return id;
  }

  /** Returns the id of nodes that pass and get these scores, which are copied; a new one calls `onAdded`. */
  idOfScores(raw: readonly number[], onAdded: () => void): number {
    const packed = packedScores(raw);
    const key = packed === NOT_PACKED ? raw.join() : '';
    const known = packed === NOT_PACKED ? this.#ids.get(key) : this.#idsByScores.get(packed);
    if (known !== undefined) return known;
    const id = this.#add({ verdict: null, raw: [...raw] });
    if (id === null) return ANY_ID;
    if (packed === NOT_PACKED) this.#ids.set(key, id);
    else this.#idsByScores.set(packed, id);
    raw.forEach((score, position) => {
      if (score !== 0) this.#scoring.add(position);
    });
    // Whoever is notified reads the answers, and which of them are 0.
    onAdded();
    return id;
  }

  /** Returns null if there are too many ids. */
  #add(answers: Answers): number | null {
    if (this.#answers.length >= MAX_IDS) {
      this.hasFailed = true;
      return null;
    }
    return this.#answers.push(answers) - 1;
  }

  /** Whether nodes with the id pass. */
  accepts(id: number): boolean {
    return id !== NO_NODE_ID && this.#answers[id]?.verdict === null;
  }

  verdict(id: number): Verdict | null {
    return this.#answers[id]?.verdict ?? null;
  }

  answers(id: number): Answers {
    return this.#answers[id] ?? NO_NODE;
  }

  raw(id: number): readonly number[] {
    return this.#answers[id]?.raw ?? NO_NODE.raw;
  }

  /** Whether the score plugin at the position gave every id 0. */
  isZero(position: number): boolean {
    return !this.#scoring.has(position);
  }
}

/** Returns the scores as one number, different for different scores; NOT_PACKED if there are too many or too large. */
function packedScores(raw: readonly number[]): number {
  const bound = PACKED_SCORES[raw.length];
  if (bound === undefined) return NOT_PACKED;
  let packed = raw.length;
  for (let i = 0; i < raw.length; i++) {
    const score = raw[i] as number;
    if (!(score >= 0 && score < bound)) return NOT_PACKED;
    packed = packed * bound + score;
  }
  return packed;
}
