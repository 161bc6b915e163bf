import { createHash } from 'node:crypto';

const HASH_BYTES = 16;

/**
 * A fingerprint of every pod's decision in order: the first 16 bytes, in hex, of SHA-256 over one line a pod, each
 * ended by a line feed. A line is the node's name, or empty for a pod that was not placed; behind it, each after a
 * space, the pods (namespace/name) that were evicted for it.
 */
export function decisionHash(decisions: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const decision of decisions) hash.update(`${decision}\n`);
  return hash.digest('hex').slice(0, HASH_BYTES * 2);
}
