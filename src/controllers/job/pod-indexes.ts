import type { Job } from '../../api/job.ts';
import { CONTROLLER_UID_KEY } from '../../api/job-defaults.ts';
import type { KubernetesObject, OwnerReference } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import type { IndexFunction } from '../../client/informer/index-buckets.ts';
import type { Lister } from '../../client/informer/lister.ts';

/** Pods by the uid of their controller; those without one by where a Job may find them. */
export const PODS_BY_CONTROLLER = 'job-controller/controller';
/** Pods by the label that generated selectors ask for. */
const PODS_BY_UID_LABEL = 'job-controller/uid-label';
/** Jobs by their namespace and what their selector asks of that label. */
const JOBS_BY_UID_LABEL = 'job-controller/selector';

const NONE: readonly string[] = [];

/** The indexes that the controller needs of the caches of pods and Jobs. */
export const POD_INDEXES: Readonly<Record<string, IndexFunction<Pod>>> = {
  [PODS_BY_CONTROLLER]: (pod) => {
    const controller = controllerOf(pod);
    if (controller !== undefined) return [controller.uid];
    const { namespace = '' } = pod.metadata ?? {};
    const uid = pod.metadata?.labels?.[CONTROLLER_UID_KEY];
    return uid === undefined ? [unownedIn(namespace)] : [unownedIn(namespace), unownedIn(namespace, uid)];
  },
  [PODS_BY_UID_LABEL]: ({ metadata }) => {
    const uid = metadata?.labels?.[CONTROLLER_UID_KEY];
    return uid === undefined ? NONE : [uid];
  },
};

export const JOB_INDEXES: Readonly<Record<string, IndexFunction<Job>>> = {
  [JOBS_BY_UID_LABEL]: (job) => [`${job.metadata?.namespace}/${selectedUidOf(job) ?? ''}`],
};

export function controllerOf(pod: Pod): OwnerReference | undefined {
  return pod.metadata?.ownerReferences?.find(({ controller }) => controller === true);
}

/** The Job that the reference on the pod names, if it is still the same one. */
export function jobControlling(jobs: Lister<Job>, pod: Pod, { kind, name, uid }: OwnerReference): Job | undefined {
  if (kind !== 'Job') return undefined;
  const job = jobs.get(pod.metadata?.namespace ?? '', name);
  return job?.metadata?.uid === uid ? job : undefined;
}

/** Pods whose controller has the uid of the Job: all that it controls, and those that only say so. */
export function podsOfUid(pods: Lister<Pod>, job: Job): readonly Pod[] {
  return pods.byIndex(PODS_BY_CONTROLLER, job.metadata?.uid ?? '');
}

/** Of a pod whose controller has the uid of the owner: whether it names the owner, from where that can be named. */
export function isControlledBy(pod: Pod, ownerKind: 'Job' | 'ReplicaSet', { metadata }: KubernetesObject): boolean {
  const { kind, name } = controllerOf(pod) ?? {};
  return kind === ownerKind && name === metadata?.name && pod.metadata?.namespace === metadata?.namespace;
}

/** Pods without a controller among which are all that the Job's selector matches. */
export function unownedCandidates(pods: Lister<Pod>, job: Job): readonly Pod[] {
  return pods.byIndex(PODS_BY_CONTROLLER, unownedIn(job.metadata?.namespace ?? '', selectedUidOf(job)));
}

/** Pods, in any namespace and whoever controls them, that have the label of a generated selector. */
export function podsLabelled(pods: Lister<Pod>, uid: string): readonly Pod[] {
  return pods.byIndex(PODS_BY_UID_LABEL, uid);
}

/** Jobs among which are all whose selector matches the pod. */
export function candidateJobs(jobs: Lister<Job>, pod: Pod): readonly Job[] {
  const { namespace, labels } = pod.metadata ?? {};
  const others = jobs.byIndex(JOBS_BY_UID_LABEL, `${namespace}/`);
  const uid = labels?.[CONTROLLER_UID_KEY];
  return uid === undefined || uid === ''
    ? others
    : [...jobs.byIndex(JOBS_BY_UID_LABEL, `${namespace}/${uid}`), ...others];
}

/** The only value of the label that the selector accepts; undefined when it accepts others. */
function selectedUidOf(job: Job): string | undefined {
  return job.spec?.selector?.matchLabels?.[CONTROLLER_UID_KEY];
}

/** Names a bucket in a way that no uid is written. */
export function unownedIn(namespace: string, uid?: string): string {
  return uid === undefined ? `unowned ${namespace}` : `unowned ${namespace} ${uid}`;
}
