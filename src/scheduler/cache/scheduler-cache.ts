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
  /** How long a pod whose binding is finished stays assumed when the API does not show it; 0: for ever. */
  readonly assumedPodTtlMillis: number;
}

/** A pod that is on its way, as it would look on its node: for events that say that it does not get there. */
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
 * What decisions are made from: nodes and the pods on them, those on their way there included (upstream's
 * backend/cache/interface.go).
 *
 *              assume              finishBinding, addPod
 *   (none) ────────────▶ assumed ────────────────────────▶ bound ──▶ removePod ──▶ (none)
 *     ▲                   │    │                             ▲
 *     └───── forget ──────┘    └── expired ──▶ (none) ───────┘ addPod
 *
 * A pod is known by its uid; of a name there is one at a time, because watches show a delete before they show the next
 * pod of that name. No pod is assumed twice.
 */
export class SchedulerCache {
  readonly cluster: ClusterState;
  readonly #loop: EventLoop;
  readonly #assumedPodTtlMillis: number;
  /** Pods whose binding is finished, in order. */
  readonly #deadlines = new Fifo<Deadline>();
  #hasTimer = false;
  #assumedCount = 0;
  #podCount = 0;

  constructor({ cluster, loop, assumedPodTtlMillis }: SchedulerCacheModules) {
    this.cluster = cluster;
    this.#loop = loop;
    this.#assumedPodTtlMillis = assumedPodTtlMillis;
  }

  get nodeCount(): number {
    return this.cluster.nodeCount;
  }

  /** Assumed ones included. */
  get podCount(): number {
    return this.#podCount;
  }

  get assumedCount(): number {
    return this.#assumedCount;
  }

  addNode(node: Node): void {
    if (this.cluster.node(node.metadata?.name ?? '') === undefined) this.cluster.addNode(node);
    else this.cluster.updateNode(node);
  }

  updateNode(node: Node): void {
    this.addNode(node);
  }

  /** The node's pods are kept: the watch shows their end. */
  removeNode(node: Node): void {
    const name = node.metadata?.name ?? '';
    if (this.cluster.node(name) !== undefined) this.cluster.removeNode(name);
  }

  /** The pod as it is known here: on a node, or on its way. */
  podOf(pod: Pod): PodInfo | undefined {
    const { namespace, name, uid } = pod.metadata ?? {};
    const known = this.cluster.pods.get(namespace || 'default', name ?? '');
    return known !== undefined && known.pod.metadata?.uid === uid ? known : undefined;
  }

  isAssumedPod(pod: Pod): boolean {
    return this.podOf(pod)?.isAssumed ?? false;
  }

  /**
   * The chosen node is charged, before anybody has bound the pod. Returns false when a pod of its name is there.
   * `chargedBy`: the engine that has charged the node in its columns already.
   */
  assumePod(pod: PodInfo, node: NodeInfo, chargedBy: ClusterObserver | null = null): boolean {
    const { pods } = this.cluster;
    if (!pod.hasAttempt && pods.get(pod.namespace, pod.name) !== undefined) return false;
    pods.assume(pod, node.name, chargedBy);
    pod.isAssumed = true;
    this.#assumedCount++;
    this.#podCount++;
    return true;
  }

  /** The API has bound the pod: from now on its time runs. */
  finishBinding(pod: PodInfo, bound: Pod | undefined): void {
    if (!pod.isAssumed) return;
    // As the watch will show it: then there is nothing left to compare. Until then the pod is as it was assumed.
    if (bound !== undefined) pod.bound = bound;
    if (this.#assumedPodTtlMillis <= 0) return;
    this.#deadlines.push({ pod, millis: this.#loop.nowMillis() + this.#assumedPodTtlMillis });
    this.#watchDeadlines();
  }

  /** The decision is taken back; nothing happens when the pod is not assumed any more. Returns whether it was. */
  forgetPod(pod: PodInfo): boolean {
    if (!pod.isAssumed) return false;
    this.#noLongerAssumed(pod);
    this.#podCount--;
    this.cluster.pods.forget(pod);
    return true;
  }

  /** The API shows the pod on a node: that is where it is, whatever was assumed. */
  addPod(pod: Pod): void {
    const known = this.podOf(pod);
    if (known === undefined) {
      this.#podCount++;
      this.cluster.pods.add(pod);
      return;
    }
    if (known.bound === pod) known.pod = pod;
    if (known.isAssumed) this.#noLongerAssumed(known);
    this.cluster.pods.update(pod);
  }

  /** A pod on a node changed. */
  updatePod(_oldPod: Pod, newPod: Pod): void {
    this.addPod(newPod);
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

  /** Forgets pods that were lost between binding and watch: the API has the last word, and may show them later. */
  #expire(nowMillis: number): void {
    for (let next = this.#deadlines.peek(); next !== undefined; next = this.#deadlines.peek()) {
      if (next.pod.isAssumed && next.millis > nowMillis) return;
      this.#deadlines.shift();
      this.forgetPod(next.pod);
    }
  }
}
