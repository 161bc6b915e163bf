import { createHash } from 'node:crypto';

const HASH_BYTES = 16;

/**
 * A fingerprint of every pod's node in order: the first 16 bytes, in hex, of SHA-256 over the node names, each followed
 * by a line feed; a pod that was not placed is an empty line.
 */
export function decisionHash(nodeNames: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const name of nodeNames) hash.update(`${name}\n`);
  return hash.digest('hex').slice(0, HASH_BYTES * 2);
}
