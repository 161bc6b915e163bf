import type { Pod } from '../../api/pod.ts';

/**
 * How long a pod's containers have to end: what its deletion says, else its spec; at least a second, and never longer
 * than before. Upstream: calculateEffectiveGracePeriod in pkg/kubelet/pod_workers.go.
 */
export function effectiveGraceSeconds({ metadata, spec }: Pod, before: number | undefined): number {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  const ofDeletion = deletionTimestamp === undefined ? undefined : deletionGracePeriodSeconds;
  const wanted = ofDeletion || before || spec?.terminationGracePeriodSeconds || 0;
  const isForced = deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0;
  const seconds = Math.max(1, isForced ? 1 : wanted);
  return before === undefined ? seconds : Math.min(before, seconds);
}
