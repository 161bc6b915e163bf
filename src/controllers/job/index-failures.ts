import { INDEX_FAILURE_COUNT_KEY, INDEX_IGNORED_FAILURE_COUNT_KEY } from '../../api/job.ts';
import type { Pod } from '../../api/pod.ts';
import { finishMillisOf, remainingBackOffMillis } from './back-off.ts';
import type { JobPlan } from './job-plan.ts';
import { hasFailed } from './pod-state.ts';
import { judgeFailedPod } from './policies.ts';

/** How often pods of an index failed before a pod, from the pod's annotations. */
export interface IndexFailures {
  readonly counted: number;
  /** Failures that the pod failure policy ignored. */
  readonly ignored: number;
}

const NO_FAILURES: IndexFailures = { counted: 0, ignored: 0 };

function failuresBefore(pod: Pod): IndexFailures {
  const annotations = pod.metadata?.annotations;
  return {
    counted: parseCount(annotations?.[INDEX_FAILURE_COUNT_KEY]),
    ignored: parseCount(annotations?.[INDEX_IGNORED_FAILURE_COUNT_KEY]),
  };
}

export function totalFailuresBefore(pod: Pod): number {
  const { counted, ignored } = failuresBefore(pod);
  return counted + ignored;
}

/** The failure counts for the annotations of a pod that replaces this one, which has failed. */
export function failuresWith(pod: Pod | undefined, plan: JobPlan): IndexFailures {
  if (pod === undefined) return NO_FAILURES;
  const { counted, ignored } = failuresBefore(pod);
  const { counts } = judgeFailedPod(plan.podFailurePolicy, pod);
  return counts ? { counted: counted + 1, ignored } : { counted, ignored: ignored + 1 };
}

/** Whether the failure of the pod fails its index. */
export function failsIndex(pod: Pod, plan: JobPlan): boolean {
  if (!hasFailed(pod, plan.onlyFailed)) return false;
  const { action, counts } = judgeFailedPod(plan.podFailurePolicy, pod);
  if (action === 'FailIndex') return true;
  return counts && failuresBefore(pod).counted >= (plan.backoffLimitPerIndex ?? 0);
}

/** The indexes whose pods may be created now, or, if there are none, the delay until the first may. */
export function indexesDue(
  indexes: readonly number[],
  failedPods: ReadonlyMap<number, Pod>,
  nowMillis: number,
): { readonly due: readonly number[]; readonly remainingMillis: number } {
  const due: number[] = [];
  let remainingMillis = Number.POSITIVE_INFINITY;
  for (const index of indexes) {
    const remaining = remainingOf(failedPods.get(index), nowMillis);
    if (remaining === 0) due.push(index);
    else remainingMillis = Math.min(remainingMillis, remaining);
  }
  const isWaiting = due.length === 0 && indexes.length > 0;
  return { due, remainingMillis: isWaiting ? remainingMillis : 0 };
}

function remainingOf(failedPod: Pod | undefined, nowMillis: number): number {
  if (failedPod === undefined) return 0;
  const failures = totalFailuresBefore(failedPod) + 1;
  return remainingBackOffMillis({ failures, lastFailureMillis: finishMillisOf(failedPod) }, nowMillis);
}

const COUNT_MAX = 2 ** 31 - 1;

/** Parses a count; an invalid text counts as 0. */
function parseCount(text: string | undefined): number {
  if (text === undefined || !/^\+?\d{1,15}$/.test(text)) return 0;
  const count = Number(text);
  return count <= COUNT_MAX ? count : 0;
}
