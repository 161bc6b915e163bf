import {
  JOB_CONTROLLER_NAME,
  type Job,
  type JobSpec,
  type PodFailurePolicy,
  type SuccessPolicy,
} from '../../api/job.ts';
import { compileLabelSelector, type Selector } from '../../api/label-selector.ts';
import { SyncError } from './sync-error.ts';

/** What a Job's spec asks for, read once for each spec that the cache hands out. */
export interface JobPlan {
  /** A Job with any other mode is left alone. */
  readonly completionMode: string;
  /** Completions of an indexed Job; undefined for one without indexes. */
  readonly indexes: number | undefined;
  readonly parallelism: number;
  /** undefined: a work queue. */
  readonly completions: number | undefined;
  readonly isSuspended: boolean;
  readonly backoffLimit: number;
  readonly backoffLimitPerIndex: number | undefined;
  readonly maxFailedIndexes: number | undefined;
  readonly activeDeadlineMillis: number | undefined;
  /** Containers are restarted within their pod, which so does not fail. */
  readonly restartsContainers: boolean;
  /** A pod that is being deleted is neither counted nor replaced before it has failed. */
  readonly onlyFailed: boolean;
  readonly podFailurePolicy: PodFailurePolicy | undefined;
  readonly successPolicy: SuccessPolicy | undefined;
  readonly selector: Selector | { readonly error: string };
}

const plans = new WeakMap<JobSpec, JobPlan>();
const NO_SPEC: JobSpec = {};
const DEFAULT_BACKOFF_LIMIT = 6;

/** Specs are never changed, so what was read of one stays right. */
export function planOf(job: Job): JobPlan {
  const spec = job.spec ?? NO_SPEC;
  let plan = plans.get(spec);
  if (plan === undefined) {
    plan = readPlan(spec);
    plans.set(spec, plan);
  }
  return plan;
}

function readPlan(spec: JobSpec): JobPlan {
  const { completionMode = 'NonIndexed', completions, activeDeadlineSeconds, podFailurePolicy } = spec;
  return {
    completionMode,
    indexes: completionMode === 'Indexed' ? (completions ?? 0) : undefined,
    parallelism: spec.parallelism ?? 1,
    completions,
    isSuspended: spec.suspend === true,
    backoffLimit: spec.backoffLimit ?? DEFAULT_BACKOFF_LIMIT,
    backoffLimitPerIndex: spec.backoffLimitPerIndex,
    maxFailedIndexes: spec.maxFailedIndexes,
    activeDeadlineMillis: activeDeadlineSeconds === undefined ? undefined : activeDeadlineSeconds * 1000,
    restartsContainers: spec.template?.spec?.restartPolicy === 'OnFailure',
    onlyFailed: spec.podReplacementPolicy === 'Failed' || podFailurePolicy !== undefined,
    podFailurePolicy,
    successPolicy: spec.successPolicy,
    selector: compileLabelSelector(spec.selector),
  };
}

/** @throws SyncError */
export function selectorOf(plan: JobPlan): Selector {
  const { selector } = plan;
  if ('error' in selector) throw new SyncError(`couldn't convert Job selector: ${selector.error}`);
  return selector;
}

/** The name of the controller that looks after the Job; undefined when it is this one. */
export function otherManagerOf(job: Job): string | undefined {
  const managedBy = job.spec?.managedBy;
  return managedBy === undefined || managedBy === JOB_CONTROLLER_NAME ? undefined : managedBy;
}
