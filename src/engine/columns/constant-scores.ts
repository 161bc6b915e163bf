import { MAX_NODE_SCORE, type ScorePlugin } from '../../framework/plugin.ts';
import type { PodSignature } from '../index/pod-signature.ts';

/** Whether a plugin's raw scores for the signature are 0 on every node, and their normalised score is known. */
export function isConstant({ verdicts, preScore }: PodSignature, plugin: ScorePlugin): boolean {
  if (plugin.scoreReads === 'kernel' || preScore === null || plugin.normalizeScores !== undefined) return false;
  return verdicts.raw(plugin.name) === undefined;
}

/** The normalised score of every node when all raw scores are 0. */
export function constantNormalized({ normalize }: ScorePlugin): number {
  return normalize?.reverse ? MAX_NODE_SCORE : 0;
}

/** The sum that the plugins with constant scores add to the total of every node. */
export function constantScore(signature: PodSignature): number {
  let sum = 0;
  for (const { plugin, weight } of signature.preScore?.scores ?? []) {
    if (isConstant(signature, plugin)) sum += constantNormalized(plugin) * weight;
  }
  return sum;
}
