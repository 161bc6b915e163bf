import type { CycleState } from '../../framework/cycle-state.ts';
import { normalizeScore } from '../../framework/normalize-score.ts';
import type { Framework } from '../../framework/runtime/framework.ts';

/** Whether a plugin that filters in each attempt scores nodes in this one, of which columns know nothing. */
export function scoresInAttempt({ scorePlugins }: Framework, readers: ReadonlySet<string>, state: CycleState): boolean {
  if (readers.size === 0) return false;
  return scorePlugins.some(({ plugin }) => readers.has(plugin.name) && plugin.scoresInAttempt?.(state) === true);
}

/**
 * What these plugins add to the total of each node that they accept in this attempt, after their filters were asked;
 * null if that differs from node to node, or is not known.
 */
export function commonAttemptScore(
  { scorePlugins }: Framework,
  readers: ReadonlySet<string>,
  state: CycleState,
): number | null {
  let total = 0;
  for (const { plugin, weight } of readers.size === 0 ? [] : scorePlugins) {
    if (!readers.has(plugin.name) || plugin.scoresInAttempt?.(state) !== true) continue;
    const raw = plugin.commonScore?.(state) ?? null;
    if (raw === null) return null;
    total += weight * (plugin.normalize === undefined ? raw : normalizeScore(raw, raw, plugin.normalize));
  }
  return total;
}
