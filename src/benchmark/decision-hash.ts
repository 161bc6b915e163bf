import { createHash } from 'node:crypto';

const HASH_BYTES = 16;
/** Text is hashed in pieces of this size, since large pieces cost less. */
const PIECE_CHARS = 16_384;

/**
 * A fingerprint of every pod's decision in order: the first 16 bytes, in hex, of SHA-256 over one line a pod, each
 * ended by a line feed. A line is the node's name, or empty for a pod that was not placed; behind it, each after a
 * space, the pods (namespace/name) that were evicted for it.
 */
export function decisionHash(decisions: Iterable<string>): string {
  return hashDecisions(decisions, new Set()).hash;
}

export interface DecisionHashes {
  readonly hash: string;
  /** The hash of the first n decisions, by n. */
  readonly prefixes: ReadonlyMap<number, string>;
}

/**
 * `counts`: the numbers of decisions after which a prefix ends. Decisions do not depend on later pods, so shorter runs
 * can be compared by them.
 */
export function hashDecisions(decisions: Iterable<string>, counts: ReadonlySet<number>): DecisionHashes {
  const hash = createHash('sha256');
  const prefixes = new Map<number, string>();
  let piece = '';
  let count = 0;
  for (const decision of decisions) {
    piece += `${decision}\n`;
    count++;
    const isPrefix = counts.has(count);
    if (!isPrefix && piece.length < PIECE_CHARS) continue;
    hash.update(piece);
    piece = '';
    if (isPrefix) prefixes.set(count, shortened(hash.copy().digest('hex')));
  }
  return { hash: shortened(hash.update(piece).digest('hex')), prefixes };
}

function shortened(hex: string): string {
  return hex.slice(0, HASH_BYTES * 2);
}
