import { combined } from '../lib/combined.ts';
import { someOf } from '../lib/frozen-lists.ts';
import type { Pod, PodCondition, PodStatus } from './pod.ts';
import { timeAtMillis } from './time.ts';

/**
 * The status with this condition, which replaces the one of its type or is appended. If the condition's status is
 * unchanged, so is its transition time. Upstream: UpdatePodCondition in pkg/api/v1/pod/util.go.
 */
export function withPodCondition(
  status: PodStatus,
  condition: Omit<PodCondition, 'lastProbeTime' | 'lastTransitionTime'>,
  nowMillis: number,
): PodStatus {
  const conditions = status.conditions ?? [];
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const old = conditions[index];
  const isTransition = old?.status !== condition.status;
  const lastTransitionTime = isTransition ? timeAtMillis(nowMillis) : old?.lastTransitionTime;
  const updated = combined(condition, { lastProbeTime: null, lastTransitionTime });
  return combined(status, { conditions: index < 0 ? [...conditions, updated] : conditions.with(index, updated) });
}

/** Whether the pod has ended, so that none of its containers will run again. */
export function isPodFinished(pod: Pod): boolean {
  return isFinalPhase(pod.status?.phase);
}

/** Whether a pod in this phase has ended. */
export function isFinalPhase(phase: string | undefined): phase is 'Succeeded' | 'Failed' {
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Whether the pod's condition `Ready` is true. Upstream: IsPodReady in pkg/api/v1/pod/util.go. */
export function isPodReady({ status }: Pick<Pod, 'status'>): boolean {
  return someOf(status?.conditions, isReady);
}

function isReady({ type, status }: PodCondition): boolean {
  return type === 'Ready' && status === 'True';
}
