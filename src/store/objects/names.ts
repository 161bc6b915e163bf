import type { Prng } from '../../lib/prng.ts';

/** The source of the names and uids that the API server generates. */
export interface NameSource {
  /** Returns a uid that is never repeated. */
  uid(): string;
  /** Returns the five characters that complete a `generateName`. */
  suffix(): string;
}

/** Letters and digits that form no words and are not mistaken for each other (apimachinery/pkg/util/rand). */
const ALPHABET_CODES = Array.from('bcdfghjklmnpqrstvwxz2456789', (letter) => letter.charCodeAt(0));
const SUFFIX_LENGTH = 5;
/** Longer prefixes are cut, so that the whole name is at most a DNS label of 63 characters. */
const BASE_LENGTH_MAX = 63 - SUFFIX_LENGTH;

const HEX_CODES = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const DASH_CODE = '-'.charCodeAt(0);

/** Draws version 4 UUIDs and name suffixes from a seeded generator. */
export class RandomNames implements NameSource {
  readonly #prng: Prng;
  /** Character codes of the next uid. Making the text from codes is several times faster than joining parts. */
  readonly #uidCodes: number[] = new Array(36).fill(DASH_CODE);
  /** The same of the next suffix. */
  readonly #suffixCodes: number[] = new Array(SUFFIX_LENGTH).fill(DASH_CODE);

  constructor(prng: Prng) {
    this.#prng = prng;
  }

  uid(): string {
    const a = this.#prng.next();
    const b = this.#prng.next();
    const c = this.#prng.next();
    const version4 = (b & 0xffff0fff) | 0x4000;
    const variant1 = (c & 0x3fffffff) | 0x80000000;
    this.#write16(0, a >>> 16);
    this.#write16(4, a);
    this.#write16(9, version4 >>> 16);
    this.#write16(14, version4);
    this.#write16(19, variant1 >>> 16);
    this.#write16(24, variant1);
    const d = this.#prng.next();
    this.#write16(28, d >>> 16);
    this.#write16(32, d);
    return String.fromCharCode.apply(null, this.#uidCodes);
  }

  suffix(): string {
    const codes = this.#suffixCodes;
    const { length } = ALPHABET_CODES;
    for (let i = 0; i < SUFFIX_LENGTH; i++) codes[i] = ALPHABET_CODES[this.#prng.below(length)] as number;
    return String.fromCharCode.apply(null, codes);
  }

  /** Writes the lower 16 bits as four hexadecimal digits. */
  #write16(at: number, bits: number): void {
    const codes = this.#uidCodes;
    codes[at] = HEX_CODES[(bits >>> 12) & 0xf] as number;
    codes[at + 1] = HEX_CODES[(bits >>> 8) & 0xf] as number;
    codes[at + 2] = HEX_CODES[(bits >>> 4) & 0xf] as number;
    codes[at + 3] = HEX_CODES[bits & 0xf] as number;
  }
}

/** The beginning of the last generated name, and the character codes of the whole. */
let lastBeginning = '';
const lastCodes: number[] = [];

/**
 * Completes a name. V8 keeps a joined text as its two parts, and copies them into one when the name is first looked up.
 * Here the name is made from codes at once, and those of the beginning serve the names in turn that share it.
 */
export function generatedName(generateName: string, names: NameSource): string {
  const suffix = names.suffix();
  const beginning = generateName.slice(0, BASE_LENGTH_MAX);
  if (beginning !== lastBeginning) writeCodes(beginning, 0);
  lastBeginning = beginning;
  writeCodes(suffix, beginning.length);
  return String.fromCharCode.apply(null, lastCodes);
}

/** Writes a text at the end of the codes: from this place on. */
function writeCodes(text: string, start: number): void {
  const end = start + text.length;
  for (let i = 0; i < text.length; i++) lastCodes[start + i] = text.charCodeAt(i);
  if (lastCodes.length > end) lastCodes.length = end;
}
