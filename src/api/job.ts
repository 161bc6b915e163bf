import type { LabelSelector } from './label-selector.ts';
import type { Condition, KubernetesObject, Time } from './meta.ts';
import type { PodTemplate } from './pod-template.ts';

/** The finalizer of a Job's pod that is not counted yet, and must not disappear before. */
export const JOB_TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking';

/** The Job controller; a Job with another name in `spec.managedBy` is managed by that controller instead. */
export const JOB_CONTROLLER_NAME = 'kubernetes.io/job-controller';

/** An annotation and a label of the pods of an indexed Job. */
export const COMPLETION_INDEX_KEY = 'batch.kubernetes.io/job-completion-index';
/** An annotation: how many pods of the index failed before this one. */
export const INDEX_FAILURE_COUNT_KEY = 'batch.kubernetes.io/job-index-failure-count';
/**
 * An annotation: how many further pods of the index failed before this one, but were ignored by the pod failure policy.
 */
export const INDEX_IGNORED_FAILURE_COUNT_KEY = 'batch.kubernetes.io/job-index-ignored-failure-count';

/** The exit codes that a rule of a Job is about (batch/v1 PodFailurePolicyOnExitCodesRequirement). */
export interface PodFailurePolicyOnExitCodes {
  /** The container; absent for any container or init container. */
  readonly containerName?: string | undefined;
  /** `In` or `NotIn` */
  readonly operator: string;
  readonly values: readonly number[];
}

/** A pod condition that a rule of a Job is about (batch/v1 PodFailurePolicyOnPodConditionsPattern). */
export interface PodFailurePolicyOnPodCondition {
  readonly type: string;
  readonly status?: string | undefined;
}

/** A rule, which has one of the two conditions. */
export interface PodFailurePolicyRule {
  /** `FailJob`, `FailIndex`, `Ignore` or `Count` */
  readonly action: string;
  readonly onExitCodes?: PodFailurePolicyOnExitCodes | undefined;
  readonly onPodConditions?: readonly PodFailurePolicyOnPodCondition[] | undefined;
}

/** The effect of a failed pod on its Job: the first matching rule decides. */
export interface PodFailurePolicy {
  readonly rules?: readonly PodFailurePolicyRule[] | undefined;
}

/**
 * When a Job has succeeded: when `succeededCount` indexes of these (`1,3-5`), or of all, have; without a count, all of
 * these.
 */
export interface SuccessPolicyRule {
  readonly succeededIndexes?: string | undefined;
  readonly succeededCount?: number | undefined;
}

/** When a Job has succeeded before all its pods have (batch/v1 SuccessPolicy). */
export interface SuccessPolicy {
  readonly rules?: readonly SuccessPolicyRule[] | undefined;
}

/** Which pods a Job runs, and when it is done (batch/v1 JobSpec). */
export interface JobSpec {
  readonly parallelism?: number | undefined;
  /** The number of completions; absent for a work queue, which is done when a pod has succeeded and none is left. */
  readonly completions?: number | undefined;
  readonly activeDeadlineSeconds?: number | undefined;
  readonly podFailurePolicy?: PodFailurePolicy | undefined;
  readonly successPolicy?: SuccessPolicy | undefined;
  readonly backoffLimit?: number | undefined;
  readonly backoffLimitPerIndex?: number | undefined;
  readonly maxFailedIndexes?: number | undefined;
  readonly selector?: LabelSelector | undefined;
  readonly manualSelector?: boolean | undefined;
  readonly template?: PodTemplate | undefined;
  readonly ttlSecondsAfterFinished?: number | undefined;
  /** `NonIndexed` or `Indexed` */
  readonly completionMode?: string | undefined;
  readonly suspend?: boolean | undefined;
  /** When a pod is replaced: `TerminatingOrFailed` or `Failed`. */
  readonly podReplacementPolicy?: string | undefined;
  readonly managedBy?: string | undefined;
}

/** A condition of type `Suspended`, `SuccessCriteriaMet`, `Complete`, `FailureTarget` or `Failed`. */
export interface JobCondition extends Condition {
  readonly lastProbeTime?: Time | null | undefined;
}

/** Uids of finished pods that still have the tracking finalizer, so that none is counted twice. */
export interface UncountedTerminatedPods {
  readonly succeeded?: readonly string[] | undefined;
  readonly failed?: readonly string[] | undefined;
}

/** How far a Job is (batch/v1 JobStatus). */
export interface JobStatus {
  readonly conditions?: readonly JobCondition[] | undefined;
  readonly startTime?: Time | undefined;
  readonly completionTime?: Time | undefined;
  /** Pods that are pending or running and not being deleted. */
  readonly active?: number | undefined;
  readonly ready?: number | undefined;
  readonly terminating?: number | undefined;
  readonly succeeded?: number | undefined;
  readonly failed?: number | undefined;
  /** Indexes, such as `1,3-5,7`. */
  readonly completedIndexes?: string | undefined;
  readonly failedIndexes?: string | undefined;
  readonly uncountedTerminatedPods?: UncountedTerminatedPods | undefined;
}

/** A batch/v1 Job. */
export interface Job extends KubernetesObject {
  readonly spec?: JobSpec | undefined;
  readonly status?: JobStatus | undefined;
}

/** Whether the Job has ended, successfully or not, so that it never changes again. */
export function isJobFinished(job: Job): boolean {
  return hasTrueCondition(job, 'Complete') || hasTrueCondition(job, 'Failed');
}

export function trueConditionOf(job: Job, type: string): JobCondition | undefined {
  return job.status?.conditions?.find((condition) => condition.type === type && condition.status === 'True');
}

export function hasTrueCondition(job: Job, type: string): boolean {
  return trueConditionOf(job, type) !== undefined;
}

export function isIndexedJob(job: Job): boolean {
  return job.spec?.completionMode === 'Indexed';
}
