import type { Job } from '../../api/job.ts';
import { CONTROLLER_UID_KEY } from '../../api/job-defaults.ts';
import type { KubernetesObject, OwnerReference } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import { type IndexFunction, readingParts } from '../../client/informer/index-buckets.ts';
import type { Lister } from '../../client/informer/lister.ts';

/**
 * Objects by the uid of their controller; those without one by namespace and label, so that a Job can find its pods.
 */
export const BY_CONTROLLER = 'controller';
/** Pods by the label that generated selectors use. */
const PODS_BY_UID_LABEL = 'job-controller/uid-label';
/** Jobs by their namespace and the value that their selector requires of that label. */
const JOBS_BY_UID_LABEL = 'job-controller/selector';

const NONE: readonly string[] = [];

/** The values of `BY_CONTROLLER`, which other kinds may have as well. */
export const controllerKeys: IndexFunction<KubernetesObject> = readingParts((object) => {
  const controller = controllerOf(object);
  if (controller !== undefined) return listOf(controller.uid);
  const { namespace = '', labels } = object.metadata ?? {};
  const uid = labels?.[CONTROLLER_UID_KEY];
  return uid === undefined ? [unownedIn(namespace)] : [unownedIn(namespace), unownedIn(namespace, uid)];
}, haveSameOwnersAndLabels);

/** The indexes that the controller needs in the caches of pods and Jobs. */
export const POD_INDEXES: Readonly<Record<string, IndexFunction<Pod>>> = {
  [BY_CONTROLLER]: controllerKeys,
  [PODS_BY_UID_LABEL]: readingParts(({ metadata }) => {
    const uid = metadata?.labels?.[CONTROLLER_UID_KEY];
    return uid === undefined ? NONE : listOf(uid);
  }, haveSameOwnersAndLabels),
};

/** Whether both states of an object share what the indexes read. */
function haveSameOwnersAndLabels({ metadata: a }: KubernetesObject, { metadata: b }: KubernetesObject): boolean {
  return a?.ownerReferences === b?.ownerReferences && a?.labels === b?.labels;
}

let lastList: readonly [string] = [''];

/** A list of this one text; consecutive pods are often of one Job, and share their list. */
function listOf(uid: string): readonly string[] {
  if (lastList[0] !== uid) lastList = [uid];
  return lastList;
}

export const JOB_INDEXES: Readonly<Record<string, IndexFunction<Job>>> = {
  [JOBS_BY_UID_LABEL]: (job) => [`${job.metadata?.namespace}/${selectedUidOf(job) ?? ''}`],
};

export function controllerOf({ metadata }: KubernetesObject): OwnerReference | undefined {
  const owners = metadata?.ownerReferences;
  if (owners === undefined) return undefined;
  for (let i = 0; i < owners.length; i++) {
    const owner = owners[i] as OwnerReference;
    if (owner.controller === true) return owner;
  }
  return undefined;
}

/** The object of this kind that a controller reference names, if it still is the same one. */
export function controlling<T extends KubernetesObject>(
  objects: Lister<T>,
  ownerKind: string,
  owned: KubernetesObject,
  { kind, name, uid }: OwnerReference,
): T | undefined {
  if (kind !== ownerKind) return undefined;
  const owner = objects.get(owned.metadata?.namespace ?? '', name);
  return owner?.metadata?.uid === uid ? owner : undefined;
}

/** Pods whose controller has the Job's uid: all that it controls, and pods whose reference is wrong otherwise. */
export function podsOfUid(pods: Lister<Pod>, job: Job): readonly Pod[] {
  return pods.byIndex(BY_CONTROLLER, job.metadata?.uid ?? '');
}

/**
 * For an object whose controller has the owner's uid: whether the reference also has the owner's kind, name and
 * namespace.
 */
export function isControlledBy(owned: KubernetesObject, ownerKind: string, { metadata }: KubernetesObject): boolean {
  const { kind, name } = controllerOf(owned) ?? {};
  return kind === ownerKind && name === metadata?.name && owned.metadata?.namespace === metadata?.namespace;
}

/** Pods without a controller, including all that the Job's selector matches. */
export function unownedCandidates(pods: Lister<Pod>, job: Job): readonly Pod[] {
  return pods.byIndex(BY_CONTROLLER, unownedIn(job.metadata?.namespace ?? '', selectedUidOf(job)));
}

/** Pods in any namespace, with any controller, that have the label of a generated selector. */
export function podsLabelled(pods: Lister<Pod>, uid: string): readonly Pod[] {
  return pods.byIndex(PODS_BY_UID_LABEL, uid);
}

/** Jobs that include all whose selector matches the pod. */
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

/** The name of an index bucket, in a form that differs from every uid. */
export function unownedIn(namespace: string, uid?: string): string {
  return uid === undefined ? `unowned ${namespace}` : `unowned ${namespace} ${uid}`;
}
