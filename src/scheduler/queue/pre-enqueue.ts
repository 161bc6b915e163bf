import type { PreEnqueuePlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { checkedAnswer } from '../../framework/runtime/plugin-answer.ts';

/**
 * Returns the name of the plugin that keeps the pod out of the queue; null if none does. `before`: the plugin that has
 * gated the pod, which is called first. While it still does, the others are not called.
 */
export function gateOf(plugins: readonly PreEnqueuePlugin[], pod: PodInfo, before: string): string | null {
  for (const plugin of plugins) if (plugin.name === before && !letsIn(plugin, pod)) return before;
  for (const plugin of plugins) if (plugin.name !== before && !letsIn(plugin, pod)) return plugin.name;
  return null;
}

/** Whether the plugin admits the pod. A plugin that throws does not. */
function letsIn(plugin: PreEnqueuePlugin, pod: PodInfo): boolean {
  try {
    return checkedAnswer(plugin, plugin.preEnqueue(pod)) === null;
  } catch {
    return false;
  }
}
