import { type Deployment, maxSurgeOf } from '../../../src/api/deployment.ts';
import type { KubernetesObject } from '../../../src/api/meta.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { targetNodeOf } from '../../../src/controllers/daemonset/daemon-pod.ts';
import type { Store } from '../../../src/store/store.ts';
import { controllerOf, isActive, isDeleting, nameOf, uidOf } from '../mirror.ts';

/**
 * At rest: a Deployment, StatefulSet or DaemonSet has the pods that it is to have, all of the present template. Pods
 * that wait for a node may hold up an update, but no limit is exceeded even then.
 */
export function checkWorkloads(store: Store, pods: readonly Pod[], reported: (detail: string) => void): void {
  for (const deployment of store.list('deployments').items) checkDeployment(store, deployment, pods, reported);
  for (const set of store.list('statefulsets').items) {
    const own = podsOf(set, pods);
    if (isDeleting(set)) reported(`StatefulSet ${nameOf(set)} is still being deleted`);
    if (own.some(isWaiting)) continue;
    const wanted = Array.from({ length: set.spec?.replicas ?? 1 }, (_, i) => `${nameOf(set)}-${i}`).sort();
    compare(`StatefulSet ${nameOf(set)}`, own.map(nameOf).sort(), wanted, reported);
    checkImages(set, set.spec?.template?.spec?.containers?.[0]?.image, own, reported);
  }
  for (const set of store.list('daemonsets').items) {
    const own = podsOf(set, pods);
    if (isDeleting(set)) reported(`DaemonSet ${nameOf(set)} is still being deleted`);
    const targets = own.map((pod) => targetNodeOf(pod) ?? '').sort();
    const isHeldUp = own.some(isWaiting);
    if (!isHeldUp && new Set(targets).size < targets.length)
      reported(`DaemonSet ${nameOf(set)} has two pods on a node`);
    const { desiredNumberScheduled = 0 } = set.status ?? {};
    const count = new Set(targets).size;
    if (count !== desiredNumberScheduled + (set.status?.numberMisscheduled ?? 0)) {
      reported(`DaemonSet ${nameOf(set)} has pods for ${targets.join(' ')}, and says ${JSON.stringify(set.status)}`);
    }
    if (!isHeldUp) checkImages(set, set.spec?.template?.spec?.containers?.[0]?.image, own, reported);
  }
}

function checkDeployment(
  store: Store,
  deployment: Deployment,
  pods: readonly Pod[],
  reported: (d: string) => void,
): void {
  const name = `Deployment ${nameOf(deployment)}`;
  if (isDeleting(deployment)) reported(`${name} is still being deleted`);
  const sets = store.list('replicasets').items.filter((set) => controllerOf(set)?.uid === uidOf(deployment));
  const own = sets.flatMap((set) => podsOf(set, pods));
  const { replicas = 1, template } = deployment.spec ?? {};
  if (own.length > replicas + maxSurgeOf(deployment)) reported(`${name} has ${own.length} pods`);
  if (own.some(isWaiting)) return;
  if (own.length !== replicas) reported(`${name} has ${own.length} pods: ${JSON.stringify(deployment.status)}`);
  checkImages(deployment, template?.spec?.containers?.[0]?.image, own, reported);
}

function podsOf(owner: KubernetesObject, pods: readonly Pod[]): readonly Pod[] {
  return pods.filter((pod) => isActive(pod) && controllerOf(pod)?.uid === uidOf(owner));
}

function isWaiting({ spec }: Pod): boolean {
  return !spec?.nodeName;
}

function checkImages(
  owner: KubernetesObject,
  image: string | undefined,
  pods: readonly Pod[],
  reported: (detail: string) => void,
): void {
  const others = pods.filter(({ spec }) => spec?.containers?.[0]?.image !== image);
  if (others.length > 0) reported(`${nameOf(owner)} has pods of a former template: ${others.map(nameOf).join(' ')}`);
}

function compare(
  what: string,
  present: readonly string[],
  wanted: readonly string[],
  reported: (detail: string) => void,
): void {
  if (present.join() !== wanted.join())
    reported(`${what} has ${present.join(' ')}, and is to have ${wanted.join(' ')}`);
}
