import { randomBytes, timingSafeEqual } from 'node:crypto';

const BYTES = 32;

/** A text that nobody can guess, for use in a header. */
export function newSecret(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Whether two texts are equal, in a time that does not tell where they differ. */
export function isSameSecret(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  // A comparison with itself takes the time of one with the other.
  return timingSafeEqual(first, first.length === second.length ? second : first) && first.length === second.length;
}
