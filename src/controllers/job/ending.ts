import { type JobCondition, trueConditionOf } from '../../api/job.ts';
import type { Pod } from '../../api/pod.ts';
import { millisOfTime } from '../../api/time.ts';
import type { JobPlan } from './job-plan.ts';
import { newCondition } from './job-status.ts';
import type { JobSync } from './job-sync.ts';
import { hasFailed } from './pod-state.ts';
import { judgeFailedPod, matchSuccessPolicy } from './policies.ts';

/**
 * The conditions with which a Job ends: `SuccessCriteriaMet` or `FailureTarget`. The condition that finishes the Job
 * follows when its pods are gone and counted. The functions are called in the order of this file; the first result
 * counts.
 *
 * Upstream: syncJob in pkg/controller/job/job_controller.go.
 */

/** The ending that was written before. */
export function endingBefore({ job }: JobSync): JobCondition | undefined {
  return trueConditionOf(job, 'SuccessCriteriaMet') ?? trueConditionOf(job, 'FailureTarget');
}

export function endingByPods(sync: JobSync): JobCondition | undefined {
  return (
    failure(sync, 'PodFailurePolicy', failJobMessage(sync.plan, sync.pods)) ??
    failure(sync, 'BackoffLimitExceeded', backoffLimitMessage(sync))
  );
}

export function endingByDeadline(sync: JobSync): JobCondition | undefined {
  return failure(sync, 'DeadlineExceeded', deadlineMessage(sync));
}

export function endingByIndexes(sync: JobSync): JobCondition | undefined {
  return (
    failure(sync, 'MaxFailedIndexesExceeded', maxFailedIndexesMessage(sync)) ??
    failure(sync, 'FailedIndexes', failedIndexesMessage(sync)) ??
    successPolicyMet(sync)
  );
}

/** The ending of a Job of which enough pods have succeeded, and none is still active. */
export function endingByCompletion({ plan, succeeded, active, nowMillis }: JobSync): JobCondition | undefined {
  const isComplete = plan.completions === undefined ? succeeded > 0 : succeeded >= plan.completions;
  if (!isComplete || active > 0) return undefined;
  const message = 'Reached expected number of succeeded pods';
  return newCondition('SuccessCriteriaMet', 'CompletionsReached', message, nowMillis);
}

/** Milliseconds until the deadline, negative when it has passed; undefined when no deadline is running. */
export function remainingDeadlineMillis({ plan, status, isStarting, nowMillis }: JobSync): number | undefined {
  const { activeDeadlineMillis, isSuspended } = plan;
  if (activeDeadlineMillis === undefined || isSuspended || status.startTime === undefined) return undefined;
  const startMillis = isStarting ? nowMillis : millisOfTime(status.startTime);
  return activeDeadlineMillis - (nowMillis - startMillis);
}

function failure({ nowMillis }: JobSync, reason: string, message: string | undefined): JobCondition | undefined {
  return message === undefined ? undefined : newCondition('FailureTarget', reason, message, nowMillis);
}

function failJobMessage(plan: JobPlan, pods: readonly Pod[]): string | undefined {
  if (plan.podFailurePolicy === undefined) return undefined;
  for (const pod of pods) {
    if (!hasFailed(pod, plan.onlyFailed)) continue;
    const { failJobMessage: message } = judgeFailedPod(plan.podFailurePolicy, pod);
    if (message !== undefined) return message;
  }
  return undefined;
}

function backoffLimitMessage({ plan, failed, pods }: JobSync): string | undefined {
  const isExceeded = failed > plan.backoffLimit || (plan.restartsContainers && hasTooManyRestarts(plan, pods));
  return isExceeded ? 'Job has reached the specified backoff limit' : undefined;
}

/**
 * Whether the containers of pods that have not ended were restarted too often in total. Upstream:
 * pastBackoffLimitOnFailure.
 */
function hasTooManyRestarts({ backoffLimit }: JobPlan, pods: readonly Pod[]): boolean {
  let restarts = 0;
  for (const { status } of pods) {
    if (status?.phase !== 'Running' && status?.phase !== 'Pending') continue;
    for (const { restartCount = 0 } of status.initContainerStatuses ?? []) restarts += restartCount;
    for (const { restartCount = 0 } of status.containerStatuses ?? []) restarts += restartCount;
  }
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}

function deadlineMessage(sync: JobSync): string | undefined {
  const remainingMillis = remainingDeadlineMillis(sync);
  const isOver = remainingMillis !== undefined && remainingMillis <= 0;
  return isOver ? 'Job was active longer than specified deadline' : undefined;
}

function maxFailedIndexesMessage({ plan, indexes }: JobSync): string | undefined {
  if (plan.maxFailedIndexes === undefined || indexes?.failed === undefined) return undefined;
  const isExceeded = indexes.failed.total > plan.maxFailedIndexes;
  return isExceeded ? 'Job has exceeded the specified maximal number of failed indexes' : undefined;
}

/** The message for a Job whose indexes have all ended, not all of them successfully. */
function failedIndexesMessage({ plan, indexes }: JobSync): string | undefined {
  if (indexes?.failed === undefined || indexes.failed.isEmpty) return undefined;
  const ended = indexes.failed.total + indexes.succeeded.total;
  return ended >= (plan.indexes ?? 0) ? 'Job has failed indexes' : undefined;
}

function successPolicyMet({ plan, indexes, nowMillis }: JobSync): JobCondition | undefined {
  if (indexes === undefined) return undefined;
  const message = matchSuccessPolicy(plan.successPolicy, plan.indexes ?? 0, indexes.succeeded);
  return message === undefined ? undefined : newCondition('SuccessCriteriaMet', 'SuccessPolicy', message, nowMillis);
}
