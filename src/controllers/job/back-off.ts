import { type ContainerStatus, isSidecar, type Pod } from '../../api/pod.ts';
import { millisOfTime, millisOrZero } from '../../api/time.ts';
import { readyConditionOf } from './pod-state.ts';

/** The delay after the first failure; each further failure in a row doubles it. */
const BASE_MILLIS = 10_000;
const MAX_MILLIS = 600_000;

/** The failures of a Job's pods since one of them last succeeded. */
export interface BackOffRecord {
  readonly failures: number;
  readonly lastFailureMillis: number | undefined;
}

const NO_FAILURES: BackOffRecord = { failures: 0, lastFailureMillis: undefined };

/**
 * The record, updated with pods that have finished since: a success resets it, and only failures after the last success
 * count. Upstream: backoff_utils.go.
 */
export function nextBackOffRecord(
  record: BackOffRecord | undefined,
  newSucceeded: readonly Pod[],
  newFailed: readonly Pod[],
): BackOffRecord {
  const before = record ?? NO_FAILURES;
  const lastSuccessMillis = latest(newSucceeded);
  if (lastSuccessMillis === undefined && newFailed.length === 0) return before;
  const failureMillis = newFailed.map(finishMillisOf);
  if (lastSuccessMillis === undefined) {
    return { failures: before.failures + newFailed.length, lastFailureMillis: Math.max(...failureMillis) };
  }
  const after = failureMillis.filter((millis) => millis > lastSuccessMillis);
  return after.length === 0 ? NO_FAILURES : { failures: after.length, lastFailureMillis: Math.max(...after) };
}

function latest(pods: readonly Pod[]): number | undefined {
  return pods.length === 0 ? undefined : Math.max(...pods.map(finishMillisOf));
}

/** How long no pod may be created. */
export function remainingBackOffMillis({ failures, lastFailureMillis }: BackOffRecord, nowMillis: number): number {
  if (failures <= 0 || lastFailureMillis === undefined) return 0;
  const backOffMillis = Math.min(BASE_MILLIS * 2 ** (failures - 1), MAX_MILLIS);
  return Math.max(0, backOffMillis - (nowMillis - lastFailureMillis));
}

/**
 * When a finished pod ended, from the best source that is available: the end of its last container, the end of its
 * readiness, its deletion, its creation. Milliseconds since the epoch.
 *
 * Upstream: getFinishedTime in pkg/controller/job/backoff_utils.go.
 */
export function finishMillisOf(pod: Pod): number {
  return (
    endOfContainers(pod) ?? endOfReadiness(pod) ?? endByDeletion(pod) ?? millisOrZero(pod.metadata?.creationTimestamp)
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
  const sidecars = new Set(pod.spec?.initContainers?.filter(isSidecar).map(({ name }) => name));
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
