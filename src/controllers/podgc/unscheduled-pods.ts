import type { Pod } from '../../api/pod.ts';

/** Terminating pods without a node: there is no node agent that could finish their deletion. */
export function terminatingPodsUnscheduled(pods: readonly Pod[]): readonly Pod[] {
  return pods.filter(({ metadata, spec }) => metadata?.deletionTimestamp && !spec?.nodeName);
}
