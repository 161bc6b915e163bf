import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import type { ClusterObserver } from '../../framework/cluster/cluster-observer.ts';
import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { assert } from '../../lib/assert.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { Fifo } from '../../lib/fifo.ts';

export interface SchedulerCacheModules {
  readonly cluster: ClusterState;
  readonly loop: EventLoop;
  /** How long a pod stays assumed after its binding if the API does not show it; 0: for ever. */
  readonly assumedPodTtlMillis: number;
}

/** The assumed pod as it would be on its node, for the event that it was removed from there. */
export function assumedObject(pod: Pod, nodeName: string): Pod {
  return pod.spec?.nodeName === nodeName ? pod : { ...pod, spec: { ...pod.spec, nodeName } };
}

interface Deadline {
  readonly pod: PodInfo;
  readonly millis: number;
}

/** Upstream: cleanAssumedPeriod. */
const CLEANUP_MILLIS = 1000;

/**
 * The nodes and the bound and assumed pods on them, from which decisions are made (upstream's
 * backend/cache/interface.go).
 *
 *              assume              finishBinding, addPod
 *   (none) ────────────▶ assumed ────────────────────────▶ bound ──▶ removePod ──▶ (none)
 *     ▲                   │    │                             ▲
 *     └───── forget ──────┘    └── expired ──▶ (none) ───────┘ addPod
 *
 * A pod is identified by its uid. There is one pod of a name at a time, because a watch shows a delete before the next
 * pod of that name. No pod is assumed twice.
 */
export class SchedulerCache {
  readonly cluster: ClusterState;
  readonly #loop: EventLoop;
  readonly #assumedPodTtlMillis: number;
  /** The deadlines of pods whose binding is finished, earliest first. */
  readonly #deadlines = new Fifo<Deadline>();
  #hasTimer = false;
  #assumedCount = 0;
  #podCount = 0;

  constructor({ cluster, loop, assumedPodTtlMillis }: SchedulerCacheModules) {
    this.cluster = cluster;
    this.#loop = loop;
    this.#assumedPodTtlMillis = assumedPodTtlMillis;
  }

  /** The number of pods on nodes, assumed pods included. */
  get podCount(): number {
    return this.#podCount;
  }

  get assumedCount(): number {
    return this.#assumedCount;
  }

  /** Adds the node, or replaces its object. */
  addNode(node: Node): void {
    if (this.cluster.node(node.metadata?.name ?? '') === undefined) this.cluster.addNode(node);
    else this.cluster.updateNode(node);
  }

  /** Removes the node, but not its pods: the watch shows their deletion. */
  removeNode(node: Node): void {
    const name = node.metadata?.name ?? '';
    if (this.cluster.node(name) !== undefined) this.cluster.removeNode(name);
  }

  /** Returns the bound or assumed pod with this pod's uid; undefined if there is none. */
  podOf(pod: Pod): PodInfo | undefined {
    const { namespace, name, uid } = pod.metadata ?? {};
    const known = this.cluster.pods.get(namespace || 'default', name ?? '');
    return known !== undefined && known.pod.metadata?.uid === uid ? known : undefined;
  }

  isAssumedPod(pod: Pod): boolean {
    return this.podOf(pod)?.isAssumed ?? false;
  }

  /**
   * Charges the chosen node before the pod is bound. Returns false if there is another pod of this name. `chargedBy`:
   * the engine that has already charged its columns.
   */
  assumePod(pod: PodInfo, node: NodeInfo, chargedBy: ClusterObserver | null = null): boolean {
    const { pods } = this.cluster;
    if (!pod.hasAttempt && pods.get(pod.namespace, pod.name) !== undefined) return false;
    pods.assume(pod, node, chargedBy);
    pod.isAssumed = true;
    this.#assumedCount++;
    this.#podCount++;
    return true;
  }

  /** Starts the deadline of an assumed pod that the API has bound. */
  finishBinding(pod: PodInfo, bound: Pod | undefined): void {
    if (!pod.isAssumed) return;
    // If the watch shows this very object, `addPod` need not compare it with the assumed pod.
    if (bound !== undefined) pod.bound = bound;
    if (this.#assumedPodTtlMillis <= 0) return;
    this.#deadlines.push({ pod, millis: this.#loop.nowMillis() + this.#assumedPodTtlMillis });
    this.#watchDeadlines();
  }

  /** Removes an assumed pod from its node. Returns whether the pod was assumed. */
  forgetPod(pod: PodInfo): boolean {
    if (!pod.isAssumed) return false;
    this.#noLongerAssumed(pod);
    this.#podCount--;
    this.cluster.pods.forget(pod);
    return true;
  }

  /** Adds or updates a pod that the API shows on a node; an assumed node is overruled. */
  addPod(pod: Pod): void {
    const known = this.podOf(pod);
    if (known === undefined) {
      this.#podCount++;
      this.cluster.pods.add(pod);
      return;
    }
    if (known.bound === pod) known.pod = pod;
    if (known.isAssumed) this.#noLongerAssumed(known);
    this.cluster.pods.replace(pod, known);
  }

  removePod(pod: Pod): void {
    const known = this.podOf(pod);
    if (known === undefined) return;
    if (known.isAssumed) this.#noLongerAssumed(known);
    this.#podCount--;
    this.cluster.pods.remove(known.namespace, known.name);
  }

  #noLongerAssumed(pod: PodInfo): void {
    assert(pod.isAssumed, 'a pod is assumed once');
    pod.isAssumed = false;
    pod.bound = null;
    this.#assumedCount--;
  }

  #watchDeadlines(): void {
    if (this.#hasTimer) return;
    this.#hasTimer = true;
    this.#loop.after(CLEANUP_MILLIS, () => {
      this.#hasTimer = false;
      this.#expire(this.#loop.nowMillis());
      if (this.#deadlines.length > 0) this.#watchDeadlines();
    });
  }

  /** Forgets bound pods that the watch has not shown in time. The API may still show them later. */
  #expire(nowMillis: number): void {
    for (let next = this.#deadlines.peek(); next !== undefined; next = this.#deadlines.peek()) {
      if (next.pod.isAssumed && next.millis > nowMillis) return;
      this.#deadlines.shift();
      this.forgetPod(next.pod);
    }
  }
}
