import type { CycleState } from '../../framework/cycle-state.ts';
import type { Framework } from '../../framework/runtime/framework.ts';

/** Whether a plugin that filters in each attempt scores nodes in this one, of which columns know nothing. */
export function scoresInAttempt({ scorePlugins }: Framework, readers: ReadonlySet<string>, state: CycleState): boolean {
  if (readers.size === 0) return false;
  return scorePlugins.some(({ plugin }) => readers.has(plugin.name) && plugin.scoresInAttempt?.(state) === true);
}
