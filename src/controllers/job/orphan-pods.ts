import { isJobFinished, type Job } from '../../api/job.ts';
import { CONTROLLER_UID_KEY } from '../../api/job-defaults.ts';
import { formatLabelSelector, parseLabelSelector } from '../../api/label-selector-text.ts';
import type { Pod } from '../../api/pod.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { objectKey, splitKey } from '../../client/object-key.ts';
import type { ReportError } from '../../client/report-error.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import { removedFinalizer } from './claim-pods.ts';
import { otherManagerOf } from './job-plan.ts';
import type { JobApi } from './job-writes.ts';
import { controllerOf, controlling, podsLabelled } from './pod-indexes.ts';
import { isTracked, nameOf } from './pod-state.ts';

/** `name:namespace/pod`, or `selector:namespace/text` for all pods that the selector matches. */
export type OrphanKey = `name:${string}` | `selector:${string}`;

export function orphanKeyOf(pod: Pod): OrphanKey {
  return `name:${objectKey(pod)}`;
}

/** The key of all pods of a Job that has ended or is gone. */
export function orphanKeyOfPods({ metadata, spec }: Job): OrphanKey {
  return `selector:${metadata?.namespace}/${formatLabelSelector(spec?.selector ?? {})}`;
}

export interface OrphanModules {
  readonly api: Pick<JobApi, 'patchPod'>;
  readonly pods: Lister<Pod>;
  readonly jobs: Lister<Job>;
  readonly reportError: ReportError;
}

/**
 * Removes the tracking finalizer from pods that no Job will ever count, since otherwise they could never be deleted. A
 * pod that cannot be patched does not block the others. It is reported, and queued by its name when it changes: one
 * that has ended and is being deleted changes no more, and keeps the finalizer until the controller comes anew.
 * Upstream: syncOrphanPod and syncOrphanPodsBySelector in pkg/controller/job/job_controller.go.
 *
 * @throws ApiError for a single pod, which is to be retried
 */
export function releaseOrphans(modules: OrphanModules, key: OrphanKey): void {
  const colon = key.indexOf(':');
  const { namespace, name: rest } = splitKey(key.slice(colon + 1));
  if (key.startsWith('name:')) {
    const pod = modules.pods.get(namespace, rest);
    if (pod !== undefined) releaseOrphan(modules, pod);
    return;
  }
  for (const pod of matchingPods(modules.pods, namespace, rest)) {
    try {
      releaseOrphan(modules, pod);
    } catch (error) {
      modules.reportError(error, `release orphan pod ${objectKey(pod)}`);
    }
  }
}

function matchingPods(pods: Lister<Pod>, namespace: string, selectorText: string): readonly Pod[] {
  const selector = parseLabelSelector(selectorText);
  if ('error' in selector) return [];
  const uid = UID_REQUIREMENT.exec(selectorText)?.[1];
  if (uid === undefined) return pods.inNamespace(namespace).list(selector);
  return podsLabelled(pods, uid).filter(
    ({ metadata }) => metadata?.namespace === namespace && selector.matches(metadata.labels),
  );
}

/** The uid in a generated selector. */
const UID_REQUIREMENT = new RegExp(`(?:^|,)${CONTROLLER_UID_KEY.replaceAll('.', '\\.')}=([^,]+)`);

function releaseOrphan({ api, jobs }: OrphanModules, pod: Pod): void {
  if (!isTracked(pod) || isSomebodys(pod, jobs)) return;
  ifFound(() => api.patchPod(pod.metadata?.namespace ?? '', nameOf(pod), removedFinalizer));
}

/** Whether a Job will still count the pod, or the finalizer belongs to another controller. */
function isSomebodys(pod: Pod, jobs: Lister<Job>): boolean {
  const controller = controllerOf(pod);
  if (controller === undefined) return false;
  if (controller.kind !== 'Job' || controller.apiVersion !== 'batch/v1') return true;
  const job = controlling(jobs, 'Job', pod, controller);
  return job !== undefined && (otherManagerOf(job) !== undefined || !isJobFinished(job));
}
