import type { SharedMemory } from '../../memory/shared-memory.ts';
import type { NodeVerdicts } from '../verdicts/node-verdicts.ts';
import { SCORE, SCORE_WORDS, SCORES, SCORES_WORDS } from './search-layout.ts';
import type { Maxima } from './static-totals.ts';
import type { TotalsForm } from './totals-form.ts';

const SMALLEST_CAPACITY = 16;

/**
 * What kernels need to normalise the scores of a signature by the maxima of the nodes that a search finds: the raw
 * scores by verdict id, and the maxima by which the totals in the rows are normalised.
 *
 *   head     number of scores; pointer to corrections; number of verdict ids
 *   scores   for each: pointer to its raw scores, weight, whether it is reversed, the rows' maximum, the search's
 *   tables   raw scores by verdict id for each score; corrections by verdict id
 */
export class WindowScores {
  readonly #memory: SharedMemory;
  readonly #verdicts: NodeVerdicts;
  readonly #form: TotalsForm;
  #words: Int32Array = new Int32Array(0);
  /** The number of verdict ids for which there is room, and of those that are written. */
  #capacity = 0;
  #idCount = 0;

  constructor(memory: SharedMemory, verdicts: NodeVerdicts, form: TotalsForm) {
    this.#memory = memory;
    this.#verdicts = verdicts;
    this.#form = form;
  }

  /** The address, which changes when there are more verdict ids. */
  get pointer(): number {
    return this.#words.byteOffset;
  }

  /** Writes the raw scores of new verdict ids, and the maxima of the rows. */
  update(maxima: Maxima): void {
    const { normalized } = this.#form;
    const { idCount } = this.#verdicts;
    if (idCount > this.#capacity) this.#grow(idCount);
    const tables = SCORES_WORDS + normalized.length * SCORE_WORDS;
    normalized.forEach(({ plugin }, score) => {
      const table = tables + score * this.#capacity;
      for (let id = this.#idCount; id < idCount; id++) {
        this.#words[table + id] = this.#verdicts.rawOfId(plugin.name, id);
      }
      this.#words[SCORES_WORDS + score * SCORE_WORDS + SCORE.maximum] = maxima[score] ?? 0;
    });
    this.#words[SCORES.idCount] = idCount;
    this.#idCount = idCount;
  }

  release(): void {
    if (this.#capacity > 0) this.#memory.free(this.#words.byteOffset, this.#words.byteLength);
    this.#capacity = 0;
    this.#idCount = 0;
  }

  #grow(idCount: number): void {
    const { normalized } = this.#form;
    const capacity = Math.max(SMALLEST_CAPACITY, idCount, this.#capacity * 2);
    const tables = SCORES_WORDS + normalized.length * SCORE_WORDS;
    const length = tables + (normalized.length + 1) * capacity;
    const pointer = this.#memory.allocate(length * Int32Array.BYTES_PER_ELEMENT, 'window scores');
    this.release();
    this.#capacity = capacity;
    const words = new Int32Array(this.#memory.memory.buffer, pointer, length);
    this.#words = words;
    words.fill(0);
    const addressOf = (table: number): number => pointer + (tables + table * capacity) * Int32Array.BYTES_PER_ELEMENT;
    words[SCORES.scoreCount] = normalized.length;
    words[SCORES.corrections] = addressOf(normalized.length);
    normalized.forEach(({ weight, normalize }, score) => {
      const at = SCORES_WORDS + score * SCORE_WORDS;
      words[at + SCORE.raw] = addressOf(score);
      words[at + SCORE.weight] = weight;
      words[at + SCORE.isReverse] = normalize.reverse ? 1 : 0;
    });
  }
}
