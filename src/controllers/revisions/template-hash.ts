import { canonicalJson } from '../../lib/canonical-json.ts';

/** Letters and digits of which no words can be made. Upstream: rand.SafeEncodeString. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * A hash of a template, for names. It has the form of upstream's, not its value, since upstream hashes the way in which
 * Go prints the template. Upstream: ComputeHash in pkg/controller/controller_utils.go.
 */
export function templateHash(template: unknown, collisionCount: number | undefined): string {
  const text = canonicalJson(template) + (collisionCount ? String(collisionCount) : '');
  return Array.from(String(fnv32a(text)), (digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length]).join('');
}

/** The FNV-1a hash of the UTF-8 bytes, 32 bits wide. */
function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
