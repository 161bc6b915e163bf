import type { Pod } from '../../api/pod.ts';
import { isPodReady } from '../../api/pod-conditions.ts';
import { millisOfTime } from '../../api/time.ts';
import { readyConditionOf } from '../job/pod-state.ts';

/** When the pod is, or becomes, available: so long after it became ready; undefined while it is not ready. */
function availableAtMillis(pod: Pod, minReadySeconds: number): number | undefined {
  if (!isPodReady(pod)) return undefined;
  if (minReadySeconds === 0) return Number.NEGATIVE_INFINITY;
  const time = readyConditionOf(pod)?.lastTransitionTime;
  return time === undefined || time === null ? Number.POSITIVE_INFINITY : millisOfTime(time) + minReadySeconds * 1000;
}

/** Whether the pod has been ready for that long. Upstream: IsPodAvailable in pkg/api/v1/pod/util.go. */
export function isPodAvailable(pod: Pod, minReadySeconds: number, nowMillis: number): boolean {
  const atMillis = availableAtMillis(pod, minReadySeconds);
  return atMillis !== undefined && atMillis <= nowMillis;
}

/** When the next ready pod becomes available; undefined if all are, or none is ready. */
export function nextAvailableMillis(
  pods: readonly Pod[],
  minReadySeconds: number,
  nowMillis: number,
): number | undefined {
  let next: number | undefined;
  if (minReadySeconds === 0) return undefined;
  for (const pod of pods) {
    const atMillis = availableAtMillis(pod, minReadySeconds);
    if (atMillis === undefined || atMillis <= nowMillis || atMillis === Number.POSITIVE_INFINITY) continue;
    next = Math.min(next ?? atMillis, atMillis);
  }
  return next;
}
