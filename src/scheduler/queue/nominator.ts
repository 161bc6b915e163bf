import type { NominatedPods } from '../../framework/cluster/nominated-pods.ts';
import { PodInfo } from '../../framework/pod-info.ts';

/** Which node a failed attempt nominates: this one ('' takes an earlier nomination back), or what the pod says. */
export type Nomination = { readonly nodeName: string } | null;

/**
 * Pods for which room is kept on a node, by uid (upstream's nominator.go). What decisions see of them is kept in
 * `NominatedPods`.
 */
export class Nominator {
  /** The entries as they stand in `#seen`; with node '' for a nomination that was taken back. */
  readonly #entries = new Map<string, PodInfo>();
  readonly #seen: NominatedPods;
  readonly #isPending: (pod: PodInfo) => boolean;

  /** `isPending`: whether the API knows the pod still, and without a node. */
  constructor(seen: NominatedPods, isPending: (pod: PodInfo) => boolean) {
    this.#seen = seen;
    this.#isPending = isPending;
  }

  /** Replaces the pod's nomination; null: by what its status says. */
  add(uid: string, pod: PodInfo, nomination: Nomination): void {
    this.delete(uid);
    const nodeName = nomination === null ? (pod.pod.status?.nominatedNodeName ?? '') : nomination.nodeName;
    if (nomination === null && nodeName === '') return;
    if (!this.#isPending(pod)) return;
    const entry = new PodInfo(pod.pod, pod.requirements, '', nodeName);
    this.#entries.set(uid, entry);
    this.#seen.add(entry);
  }

  /** The pod has changed. A nomination that no version of the pod has shown yet is kept. */
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

  /** Node names by uid, '' where a nomination was taken back. */
  *entries(): Iterable<readonly [PodInfo, string]> {
    for (const entry of this.#entries.values()) yield [entry, entry.nominatedNodeName];
  }
}
