import { JOB_CONTROLLER_NAME, type Job, type JobSpec } from '../../api/job.ts';
import { compileLabelSelector, type Selector } from '../../api/label-selector.ts';
import { millisOfSeconds } from '../../api/time.ts';
import { memoized } from '../../lib/memoized.ts';
import { SyncError } from './sync-error.ts';

/** The contents of a Job's spec, read once for each spec object in the cache. */
export type JobPlan = Readonly<ReturnType<typeof readPlan>>;

const NO_SPEC: JobSpec = {};
const DEFAULT_BACKOFF_LIMIT = 6;

/** Plans by spec, since specs never change. */
const planOfSpec = memoized(readPlan);

export function planOf(job: Job): JobPlan {
  return planOfSpec(job.spec ?? NO_SPEC);
}

function readPlan(spec: JobSpec) {
  const { completionMode = 'NonIndexed', completions, activeDeadlineSeconds, podFailurePolicy } = spec;
  return {
    /** A Job with an unknown mode is ignored. */
    completionMode,
    /** The completions of an indexed Job; undefined for a Job without indexes. */
    indexes: completionMode === 'Indexed' ? (completions ?? 0) : undefined,
    parallelism: spec.parallelism ?? 1,
    /** The number of completions; undefined for a work queue. */
    completions,
    isSuspended: spec.suspend === true,
    backoffLimit: spec.backoffLimit ?? DEFAULT_BACKOFF_LIMIT,
    backoffLimitPerIndex: spec.backoffLimitPerIndex,
    maxFailedIndexes: spec.maxFailedIndexes,
    activeDeadlineMillis: activeDeadlineSeconds === undefined ? undefined : millisOfSeconds(activeDeadlineSeconds),
    /** Whether containers are restarted within their pod, so that the pod does not fail. */
    restartsContainers: spec.template?.spec?.restartPolicy === 'OnFailure',
    /** Whether a pod that is being deleted is neither counted nor replaced before it has failed. */
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

/** The name of the controller that manages the Job, if it is another one; otherwise undefined. */
export function otherManagerOf(job: Job): string | undefined {
  const managedBy = job.spec?.managedBy;
  return managedBy === undefined || managedBy === JOB_CONTROLLER_NAME ? undefined : managedBy;
}
