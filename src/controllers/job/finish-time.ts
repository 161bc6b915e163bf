import type { Time } from '../../api/meta.ts';
import type { ContainerStatus, Pod } from '../../api/pod.ts';
import { millisOfTime } from '../../api/time.ts';
import { readyConditionOf } from './pod-state.ts';

/**
 * When a finished pod ended, from the best source that is available: the end of its last container, the end of its
 * readiness, its deletion, its creation. Milliseconds since the epoch.
 *
 * Upstream: getFinishedTime in pkg/controller/job/backoff_utils.go.
 */
export function finishMillisOf(pod: Pod): number {
  return (
    endOfContainers(pod) ?? endOfReadiness(pod) ?? endByDeletion(pod) ?? millisOr0(pod.metadata?.creationTimestamp)
  );
}

/**
 * The end of the last container. Sidecars end after the containers that they serve; other init containers ended before
 * these began.
 */
function endOfContainers(pod: Pod): number | undefined {
  const containersMillis = latestEnd(undefined, pod.status?.containerStatuses ?? []);
  const statuses = pod.status?.initContainerStatuses;
  if (statuses === undefined || statuses.length === 0) return containersMillis;
  const sidecars = new Set<string | undefined>();
  for (const { name, restartPolicy } of pod.spec?.initContainers ?? [])
    if (restartPolicy === 'Always') sidecars.add(name);
  return latestEnd(
    containersMillis,
    statuses.filter(({ name }) => sidecars.has(name)),
  );
}

/** The latest end; undefined when a container has not ended, or has no end time. */
function latestEnd(sinceMillis: number | undefined, statuses: readonly ContainerStatus[]): number | undefined {
  let latest = sinceMillis;
  for (const { state } of statuses) {
    const finishedAt = state?.terminated?.finishedAt;
    if (!finishedAt) return undefined;
    const millis = millisOfTime(finishedAt);
    if (latest === undefined || millis > latest) latest = millis;
  }
  return latest;
}

function endOfReadiness(pod: Pod): number | undefined {
  const ready = readyConditionOf(pod);
  if (ready?.status !== 'False' || !ready.lastTransitionTime) return undefined;
  return millisOfTime(ready.lastTransitionTime);
}

function endByDeletion(pod: Pod): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata ?? {};
  if (deletionTimestamp === undefined) return undefined;
  return millisOfTime(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
}

function millisOr0(time: Time | undefined): number {
  return time === undefined ? 0 : millisOfTime(time);
}
