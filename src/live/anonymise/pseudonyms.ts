import { keyedPrng } from '../../lib/keyed-prng.ts';
import type { Prng } from '../../lib/prng.ts';

/** The characters of each class: a character is replaced by one of its own class. */
const CLASSES = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'] as const;
const WORD = /[A-Za-z0-9]+/g;
const NUMBER = /^\d+$/;

/**
 * Replaces words by others of the same form: the same length, with letters, capitals and digits at the same places. The
 * same word always becomes the same, and no two words become one. Numbers stay, and so does what stands between words,
 * so names that are made of other names still are.
 */
export class Pseudonyms {
  readonly #seed: number;
  readonly #kept: ReadonlySet<string>;
  readonly #byWord = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** `kept`: the words that everybody knows, which stay. */
  constructor(seed: number, kept: readonly string[]) {
    this.#seed = seed;
    this.#kept = new Set(kept);
    for (const word of kept) this.#taken.add(word);
  }

  of(text: string): string {
    return text.replace(WORD, (word) => this.#ofWord(word));
  }

  #ofWord(word: string): string {
    if (NUMBER.test(word) || this.#kept.has(word)) return word;
    const known = this.#byWord.get(word);
    if (known !== undefined) return known;
    const prng = keyedPrng(this.#seed, word);
    let drawn = likeWord(word, prng);
    // There are as many words of a form as can be drawn, so one is always left.
    while (this.#taken.has(drawn)) drawn = likeWord(word, prng);
    this.#taken.add(drawn);
    this.#byWord.set(word, drawn);
    return drawn;
  }
}

function likeWord(word: string, prng: Prng): string {
  let drawn = '';
  for (const character of word) {
    const characters = CLASSES.find((each) => each.includes(character)) as string;
    drawn += characters[prng.below(characters.length)];
  }
  return drawn;
}
