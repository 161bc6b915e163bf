import { JOB_TRACKING_FINALIZER, type Job } from '../../api/job.ts';
import type { Selector } from '../../api/label-selector.ts';
import type { Pod } from '../../api/pod.ts';
import { millisOfTime, timeAtMillis } from '../../api/time.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import { controllerReference } from '../pod-creation.ts';
import type { JobApi, JobWrites, PodMetadataPatch } from './job-writes.ts';
import { isControlledBy, podsOfUid, unownedCandidates } from './pod-indexes.ts';
import { isTracked, nameOf, uidOf } from './pod-state.ts';
import { joined, SyncError, whileDoing } from './sync-error.ts';

export interface ClaimModules {
  readonly api: Pick<JobApi, 'getJob'>;
  readonly writes: JobWrites;
  readonly pods: Lister<Pod>;
}

/**
 * The pods that belong to the Job: those that it controls and selects. Pods that it selects and that have no controller
 * are adopted, pods that it controls but does not select are released; a Job that is being deleted does neither.
 *
 * Upstream: getPodsForJob in job_controller.go, PodControllerRefManager in pkg/controller/controller_ref_manager.go.
 *
 * @throws SyncError, ApiError
 */
export function claimPods(modules: ClaimModules, job: Job, selector: Selector): readonly Pod[] {
  const listed = podsOfUid(modules.pods, job);
  const unowned = unownedCandidates(modules.pods, job);
  const isSelected = (pod: Pod) => selector.matches(pod.metadata?.labels);
  const areAllOurs = areAllClaimed(listed, job, selector);
  if (areAllOurs && unowned.length === 0) return listed;
  const owned = areAllOurs ? listed : listed.filter((pod) => isControlledBy(pod, 'Job', job));
  const claimed = areAllOurs ? [...owned] : owned.filter(isSelected);
  if (job.metadata?.deletionTimestamp !== undefined) return claimed;
  const errors: unknown[] = [];
  const attempt = (change: () => void): boolean => {
    try {
      change();
      return true;
    } catch (error) {
      // A pod that is gone need not be claimed or released.
      if (!isApiError(error, 'NotFound')) errors.push(error);
      return false;
    }
  };
  if (!areAllOurs) {
    for (const pod of owned) if (!isSelected(pod)) attempt(() => release(modules.writes, job, pod));
  }
  const adoptable = unowned.filter((pod) => isSelected(pod) && pod.metadata?.deletionTimestamp === undefined);
  const refusal = adoptable.length > 0 ? findRefusal(modules.api, job) : undefined;
  for (const pod of adoptable) if (attempt(() => adopt(modules.writes, job, pod, refusal))) claimed.push(tracked(pod));
  if (errors.length > 0) throw joined(errors);
  return claimed;
}

/**
 * By selector, the last list whose pods were all claimed, so that only the changed pods of the next list are checked.
 */
const claimedLists = new WeakMap<Selector, readonly Pod[]>();

function areAllClaimed(pods: readonly Pod[], job: Job, selector: Selector): boolean {
  const known = claimedLists.get(selector);
  if (known === pods) return true;
  const labels = known?.[0]?.metadata?.labels;
  for (let i = 0; i < pods.length; i++) {
    const pod = pods[i] as Pod;
    if (known?.[i] === pod) continue;
    if (!isControlledBy(pod, 'Job', job)) return false;
    // Pods of one template share their labels.
    const podLabels = pod.metadata?.labels;
    if ((labels === undefined || podLabels !== labels) && !selector.matches(podLabels)) return false;
  }
  claimedLists.set(selector, pods);
  return true;
}

/** `refusal`: the error that keeps the Job from adopting. */
function adopt(writes: JobWrites, job: Job, pod: Pod, refusal: SyncError | undefined): void {
  if (refusal !== undefined) {
    throw whileDoing(`can't adopt Pod ${pod.metadata?.namespace}/${nameOf(pod)} (${uidOf(pod)})`, refusal);
  }
  const metadata: PodMetadataPatch['metadata'] = {
    ownerReferences: [controllerReference('batch/v1', 'Job', job)],
    uid: uidOf(pod),
    finalizers: [JOB_TRACKING_FINALIZER],
  };
  writes.patchPod(job, pod, { metadata });
}

/** Asks the API whether the Job may still adopt. Returns the error if it may not. */
function findRefusal(api: ClaimModules['api'], { metadata = {} }: Job): SyncError | undefined {
  const { namespace = '', name = '', uid } = metadata;
  try {
    const { uid: freshUid, deletionTimestamp } = api.getJob(namespace, name).metadata ?? {};
    if (freshUid !== uid) {
      throw new SyncError(`original Job ${namespace}/${name} is gone: got uid ${freshUid}, wanted ${uid}`);
    }
    if (deletionTimestamp === undefined) return undefined;
    const time = timeAtMillis(millisOfTime(deletionTimestamp)).replace('T', ' ').slice(0, -1);
    return new SyncError(`${namespace}/${name} has just been deleted at ${time} +0000 UTC`);
  } catch (error) {
    return whileDoing("can't recheck DeletionTimestamp", error);
  }
}

/** The pod with the tracking finalizer, which the cache does not show yet. */
function tracked(pod: Pod): Pod {
  if (isTracked(pod)) return pod;
  const finalizers = [...(pod.metadata?.finalizers ?? []), JOB_TRACKING_FINALIZER];
  return { ...pod, metadata: { ...pod.metadata, finalizers } };
}

function release(writes: JobWrites, job: Job, pod: Pod): void {
  const metadata: PodMetadataPatch['metadata'] = {
    uid: uidOf(pod),
    ownerReferences: [{ $patch: 'delete', uid: job.metadata?.uid }],
    ...removedFinalizer.metadata,
  };
  try {
    writes.patchPod(job, pod, { metadata });
  } catch (error) {
    // The pod has another uid or no such owner by now, so it is released already.
    if (!isApiError(error, 'NotFound') && !isApiError(error, 'Invalid')) throw error;
  }
}

/** The patch that removes the tracking finalizer from a pod. */
export const removedFinalizer: PodMetadataPatch = {
  metadata: { '$deleteFromPrimitiveList/finalizers': [JOB_TRACKING_FINALIZER] },
};
