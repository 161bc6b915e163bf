import type { LabelSelector } from './label-selector.ts';
import type { Condition, ObjectMeta, Time } from './meta.ts';
import type { PodTemplate } from './pod-template.ts';

/** On a pod of a Job that is not counted yet: it must not vanish before. */
export const JOB_TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking';

/** Whoever has another name in `spec.managedBy` looks after the Job instead of this controller. */
export const JOB_CONTROLLER_NAME = 'kubernetes.io/job-controller';

/** Annotation and label of a pod of an indexed Job. */
export const COMPLETION_INDEX_KEY = 'batch.kubernetes.io/job-completion-index';
/** Annotation: how many pods of the index failed before this one. */
export const INDEX_FAILURE_COUNT_KEY = 'batch.kubernetes.io/job-index-failure-count';
/** Annotation: how many more failed before this one, which the pod failure policy ignored. */
export const INDEX_IGNORED_FAILURE_COUNT_KEY = 'batch.kubernetes.io/job-index-ignored-failure-count';

export interface PodFailurePolicyOnExitCodes {
  /** Absent: any container or init container. */
  readonly containerName?: string | undefined;
  /** `In` or `NotIn` */
  readonly operator: string;
  readonly values: readonly number[];
}

export interface PodFailurePolicyOnPodCondition {
  readonly type: string;
  readonly status?: string | undefined;
}

/** One of the two conditions is set. */
export interface PodFailurePolicyRule {
  /** `FailJob`, `FailIndex`, `Ignore` or `Count` */
  readonly action: string;
  readonly onExitCodes?: PodFailurePolicyOnExitCodes | undefined;
  readonly onPodConditions?: readonly PodFailurePolicyOnPodCondition[] | undefined;
}

/** What a failed pod means for its Job: the first rule that matches says. */
export interface PodFailurePolicy {
  readonly rules?: readonly PodFailurePolicyRule[] | undefined;
}

/** So many indexes (`succeededCount`), of these (`1,3-5`) or of all; without a count all of these. */
export interface SuccessPolicyRule {
  readonly succeededIndexes?: string | undefined;
  readonly succeededCount?: number | undefined;
}

export interface SuccessPolicy {
  readonly rules?: readonly SuccessPolicyRule[] | undefined;
}

export interface JobSpec {
  readonly parallelism?: number | undefined;
  /** Absent: a work queue, which is done when a pod has succeeded and none is left. */
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
  /** `TerminatingOrFailed` or `Failed`: when a pod is replaced. */
  readonly podReplacementPolicy?: string | undefined;
  readonly managedBy?: string | undefined;
}

/** `Suspended`, `SuccessCriteriaMet`, `Complete`, `FailureTarget`, `Failed` */
export interface JobCondition extends Condition {
  readonly lastProbeTime?: Time | null | undefined;
}

/** Uids of pods that are finished but still have the tracking finalizer, so that none is counted twice. */
export interface UncountedTerminatedPods {
  readonly succeeded?: readonly string[] | undefined;
  readonly failed?: readonly string[] | undefined;
}

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
  /** `1,3-5,7` */
  readonly completedIndexes?: string | undefined;
  readonly failedIndexes?: string | undefined;
  readonly uncountedTerminatedPods?: UncountedTerminatedPods | undefined;
}

/** A batch/v1 Job. */
export interface Job {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: JobSpec | undefined;
  readonly status?: JobStatus | undefined;
}

/** Whether it has ended, well or badly: then nothing happens to it any more. */
export function isJobFinished(job: Job): boolean {
  return hasTrueCondition(job, 'Complete') || hasTrueCondition(job, 'Failed');
}

export function hasTrueCondition(job: Job, type: string): boolean {
  return job.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}

export function isIndexedJob(job: Job): boolean {
  return job.spec?.completionMode === 'Indexed';
}
