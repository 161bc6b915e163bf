import type { Pod } from '../api/pod.ts';
import { keyOfPodGroup, podGroupKeyOf } from '../api/pod-group.ts';
import type { PodInfo } from './pod-info.ts';

/** The pods of one group that the scheduler knows (upstream's PodGroupState). */
export interface PodGroupState {
  /** All pods, in the order of their arrival. */
  readonly podCount: number;
  /** The number of pods that are on nodes, or assumed there. */
  readonly scheduledCount: number;
  /** The pods that have no node, in the order of their arrival. */
  unscheduledPods(): readonly Pod[];
  /** The other pods. */
  scheduledPods(): readonly Pod[];
}

/** The state of a group of which no pod is known. */
export const NO_MEMBERS: PodGroupState = {
  podCount: 0,
  scheduledCount: 0,
  unscheduledPods: () => [],
  scheduledPods: () => [],
};

class Members implements PodGroupState {
  readonly pods = new Map<string, Pod>();
  readonly scheduled = new Set<string>();

  get podCount(): number {
    return this.pods.size;
  }

  get scheduledCount(): number {
    return this.scheduled.size;
  }

  unscheduledPods(): readonly Pod[] {
    return [...this.pods.values()].filter(({ metadata }) => !this.scheduled.has(metadata?.uid ?? ''));
  }

  scheduledPods(): readonly Pod[] {
    return [...this.pods.values()].filter(({ metadata }) => this.scheduled.has(metadata?.uid ?? ''));
  }
}

/**
 * Which pods each group has, and which of them have a node (upstream's PodGroupStates). Pods are identified by their
 * uids. A scheduler that does not know groups has none of these.
 *
 *   known ──▶ on a node, or assumed there ──▶ known, if the pod is forgotten
 *     └──────────────────┴──▶ gone
 */
export class PodGroupStates {
  readonly #groups = new Map<string, Members>();

  get(namespace: string, name: string): PodGroupState {
    return this.#groups.get(keyOfPodGroup(namespace, name)) ?? NO_MEMBERS;
  }

  /** Adds a pod, or its newer object. */
  add(pod: Pod): void {
    const key = podGroupKeyOf(pod);
    if (key !== '') this.#membersOf(key).pods.set(pod.metadata?.uid ?? '', pod);
  }

  /** Removes a pod that is gone, or is not this scheduler's business. */
  remove(pod: Pod): void {
    const key = podGroupKeyOf(pod);
    const group = this.#groups.get(key);
    if (group === undefined) return;
    const uid = pod.metadata?.uid ?? '';
    group.pods.delete(uid);
    group.scheduled.delete(uid);
    if (group.pods.size === 0) this.#groups.delete(key);
  }

  /** Notes that the pod has a node. */
  scheduled({ pod, uid }: PodInfo): void {
    const key = podGroupKeyOf(pod);
    if (key === '') return;
    const group = this.#membersOf(key);
    group.pods.set(uid, pod);
    group.scheduled.add(uid);
  }

  /** Notes that the pod has no node any more. */
  unscheduled({ pod, uid }: PodInfo): void {
    this.#groups.get(podGroupKeyOf(pod))?.scheduled.delete(uid);
  }

  #membersOf(key: string): Members {
    let members = this.#groups.get(key);
    if (members === undefined) {
      members = new Members();
      this.#groups.set(key, members);
    }
    return members;
  }

  copyFrom(other: PodGroupStates): void {
    for (const [key, { pods, scheduled }] of other.#groups) {
      const group = this.#membersOf(key);
      for (const [uid, pod] of pods) group.pods.set(uid, pod);
      for (const uid of scheduled) group.scheduled.add(uid);
    }
  }
}
