import type { DaemonSet } from '../../api/daemon-set.ts';
import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished, isPodReady } from '../../api/pod-conditions.ts';
import { REVISION_HASH_KEY } from '../../api/stateful-set.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { isPodAvailable } from '../owned-pods/availability.ts';
import { byAge } from '../owned-pods/by-age.ts';
import { nodeFit, targetNodeOf } from './daemon-pod.ts';

/** The nodes and pods of a DaemonSet at one moment. */
export interface DaemonView {
  readonly set: DaemonSet;
  /** The nodes in the order of their names. */
  readonly nodes: readonly Node[];
  /** Pods by the node that they are on, or were made for; the oldest first. */
  readonly podsByNode: ReadonlyMap<string, readonly Pod[]>;
  /** The revision that pods are to have. */
  readonly hash: string;
  readonly nowMillis: number;
}

/** The pods to create, by node, and those to delete. */
export interface DaemonPlan {
  readonly nodesToFill: readonly string[];
  readonly podsToDelete: readonly Pod[];
}

/** Upstream: getNodesToDaemonPods, and the order of podByCreationTimestampAndPhase. */
export function podsByNodeOf(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const byNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    // Nothing is left to be done about a pod that has ended and is held only by finalizers.
    if (isBeingDeleted(pod) && isPodFinished(pod)) continue;
    const nodeName = targetNodeOf(pod);
    if (nodeName !== undefined) getOrMake(byNode, nodeName, () => []).push(pod);
  }
  for (const list of byNode.values()) if (list.length > 1) list.sort(byPlaceAndAge);
  return byNode;
}

/** Pods on a node come before those that wait for it, then older ones before younger. */
function byPlaceAndAge(a: Pod, b: Pod): number {
  const [isBound, isOtherBound] = [Boolean(a.spec?.nodeName), Boolean(b.spec?.nodeName)];
  if (isBound !== isOtherBound) return isBound ? -1 : 1;
  return byAge(a, b);
}

export function isOfRevision({ metadata }: Pod, hash: string): boolean {
  return metadata?.labels?.[REVISION_HASH_KEY] === hash;
}

export function isBeingDeleted({ metadata }: Pod): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

export function availableIn({ set, nowMillis }: DaemonView, pod: Pod): boolean {
  return isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMillis);
}

/**
 * What is missing and what is too much, apart from an update. `isHeldBack`: whether a pod that has ended stays for now,
 * since pods failed there before.
 *
 * Upstream: manage and podsShouldBeOnNode in pkg/controller/daemon/daemon_controller.go.
 */
export function planPods(
  view: DaemonView,
  maxSurge: number,
  isHeldBack: (pod: Pod, nodeName: string) => boolean,
): DaemonPlan {
  const nodesToFill: string[] = [];
  const podsToDelete: Pod[] = [];
  for (const node of view.nodes) {
    const name = node.metadata?.name ?? '';
    const pods = view.podsByNode.get(name);
    const { shouldRun, mayContinue } = nodeFit(view.set, node);
    if (pods === undefined) {
      if (shouldRun) nodesToFill.push(name);
    } else if (mayContinue) {
      const present = pods.filter((pod) => !isBeingDeleted(pod));
      const running = present.filter((pod) => !isPodFinished(pod));
      // In an update with surge, each node has at least one pod that stays.
      if (maxSurge > 0 && running.length === 0 && shouldRun) nodesToFill.push(name);
      podsToDelete.push(
        ...present.filter((pod) => isPodFinished(pod) && !isHeldBack(pod, name)),
        ...surplusOf(view, running, maxSurge),
      );
    } else podsToDelete.push(...pods.filter((pod) => !isBeingDeleted(pod)));
  }
  const names = new Set(view.nodes.map(({ metadata }) => metadata?.name));
  for (const [name, pods] of view.podsByNode) {
    // Pods on a node that is gone are collected by PodGC.
    if (!names.has(name)) podsToDelete.push(...pods.filter((pod) => !pod.spec?.nodeName && !isBeingDeleted(pod)));
  }
  return { nodesToFill, podsToDelete };
}

/** The pods of a node that are too many. */
function surplusOf(view: DaemonView, running: readonly Pod[], maxSurge: number): readonly Pod[] {
  if (running.length <= 1) return [];
  if (maxSurge === 0) return running.slice(1);
  const newest = running.find((pod) => isOfRevision(pod, view.hash));
  const oldest = running.find((pod) => !isOfRevision(pod, view.hash));
  const surplus = running.filter((pod) => pod !== newest && pod !== oldest);
  const isReplaced = newest !== undefined && oldest !== undefined && (!isPodReady(oldest) || availableIn(view, newest));
  return [...surplus, ...(isReplaced ? [oldest] : [])];
}
