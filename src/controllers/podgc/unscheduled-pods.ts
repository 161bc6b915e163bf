import type { Pod } from '../../api/pod.ts';

/** Terminating pods that never came to a node: there is no node agent that could finish the deletion. */
export function terminatingPodsUnscheduled(pods: readonly Pod[]): readonly Pod[] {
  return pods.filter(({ metadata, spec }) => metadata?.deletionTimestamp && !spec?.nodeName);
}
