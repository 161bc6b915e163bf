import { MAX_NODE_SCORE, type Normalization } from './plugin.ts';

/**
 * Scales a raw score by the largest raw score to 0..100 (upstream's DefaultNormalizeScore). A raw score above `max`
 * counts as `max`: the index keeps scores of nodes that are not feasible now.
 */
export function normalizeScore(raw: number, max: number, { reverse }: Normalization): number {
  if (max === 0) return reverse ? MAX_NODE_SCORE : Math.min(raw, MAX_NODE_SCORE);
  const score = Math.trunc((Math.min(raw, max) * MAX_NODE_SCORE) / max);
  return reverse ? MAX_NODE_SCORE - score : score;
}
