import type { Pod } from '../../api/pod.ts';
import { finishMillisOf } from './finish-time.ts';

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
