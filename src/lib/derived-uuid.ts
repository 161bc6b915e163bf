import { keyedPrng } from './keyed-prng.ts';

const SEED = 1;
/** The numbers of hexadecimal digits of a UUID, group by group. */
const GROUPS = [8, 4, 4, 4, 12];

/** A UUID that is random in form and follows from a text, so that every run gives the same text the same one. */
export function derivedUuid(text: string): string {
  const prng = keyedPrng(SEED, text);
  const digits = Array.from({ length: 32 }, () => prng.below(16).toString(16));
  // The version says that the UUID is random, the variant how it is written (RFC 9562).
  digits[12] = '4';
  digits[16] = '8';
  return GROUPS.map((length) => digits.splice(0, length).join('')).join('-');
}
