import type { NominatedPods } from '../../framework/cluster/nominated-pods.ts';
import { PodInfo } from '../../framework/pod-info.ts';

/** The nomination of a failed attempt: '' clears an earlier one, and null stands for the one in the pod's status. */
export type Nomination = { readonly nodeName: string } | null;

/**
 * The nominations of pending pods, by uid (upstream's nominator.go). Decisions read them from `NominatedPods`.
 */
export class Nominator {
  /** The entries in `#seen`; a cleared nomination has the node name ''. */
  readonly #entries = new Map<string, PodInfo>();
  readonly #seen: NominatedPods;
  readonly #isPending: (pod: PodInfo) => boolean;

  /** `isPending`: whether the API still has the pod, and without a node. */
  constructor(seen: NominatedPods, isPending: (pod: PodInfo) => boolean) {
    this.#seen = seen;
    this.#isPending = isPending;
  }

  /** Replaces the pod's nomination; null stands for the one in its status. */
  add(uid: string, pod: PodInfo, nomination: Nomination): void {
    this.delete(uid);
    const nodeName = nomination === null ? (pod.pod.status?.nominatedNodeName ?? '') : nomination.nodeName;
    if (nomination === null && nodeName === '') return;
    if (!this.#isPending(pod)) return;
    const entry = new PodInfo(pod.pod, pod.requirements, '', nodeName);
    this.#entries.set(uid, entry);
    this.#seen.add(entry);
  }

  /** Follows an update of the pod. A nomination that is in neither version's status is kept. */
  update(uid: string, oldPod: PodInfo['pod'] | null, newPod: PodInfo): void {
    const kept = this.#entries.get(uid);
    const isUnseen = !oldPod?.status?.nominatedNodeName && !newPod.pod.status?.nominatedNodeName;
    this.add(uid, newPod, isUnseen && kept !== undefined ? { nodeName: kept.nominatedNodeName } : null);
  }

  delete(uid: string): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    this.#entries.delete(uid);
    this.#seen.remove(entry);
  }

  /** The nominated pods with their node names; '' for a cleared nomination. */
  *entries(): Iterable<readonly [PodInfo, string]> {
    for (const entry of this.#entries.values()) yield [entry, entry.nominatedNodeName];
  }
}
