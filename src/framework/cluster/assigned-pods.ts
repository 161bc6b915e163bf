import { assert } from '../../lib/assert.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { Arrival, ChoosingObserver, ClusterObserver } from './cluster-observer.ts';
import type { ClusterState } from './cluster-state.ts';

/** The slot of a pod that was assigned elsewhere, or not at all. */
const NO_SLOT = -1;
/** With more slots per pod than this, sorting the pods by slot costs more than it saves. */
const SLOTS_PER_POD = 8;

/** The pods of a batch, in order. */
export interface OrderedPods {
  readonly length: number;
  info(index: number): PodInfo;
}

/**
 * The pods that are between the two halves of `ClusterPods.assume`: assigned to nodes that are not yet charged, and
 * counted for topology rules already. A run places thousands of pods all over the cluster. To visit each node once, in
 * order, takes a fraction of the time of visiting a node for each pod.
 */
export class AssignedPods {
  readonly #cluster: ClusterState;
  #engine: ChoosingObserver | null = null;
  /** The pods of the batch. A list of those that were assigned would grow by copies, which are garbage. */
  #pods: OrderedPods | null = null;
  /** The slots of the pods from `#from` to before `#to`: those that were assigned, and some that were not. */
  #slots = new Int32Array(0);
  #from = 0;
  #to = 0;
  /** The end of the pods that were assigned before anything was counted. */
  #uncountedTo = 0;
  #havePortsOrStorage = false;

  constructor(cluster: ClusterState) {
    this.#cluster = cluster;
  }

  /** Names the engine that places the next pods. It has charged its columns with its own pods only. */
  startRun(engine: ChoosingObserver): void {
    if (engine === this.#engine) return;
    this.flush();
    this.#engine = engine;
  }

  /** Assigns a pod, behind those of earlier calls, to the node in the slot. `isCounted`: the engine has counted it. */
  add(pods: OrderedPods, index: number, slot: number, isCounted = false): void {
    if (pods !== this.#pods) this.#begin(pods);
    const pod = pods.info(index);
    const { hostPorts, hasStorage } = pod.requirements;
    if (hostPorts.length > 0 || hasStorage) this.#havePortsOrStorage = true;
    this.#cluster.pods.assignNode(pod, this.#cluster.nodeNameAt(slot));
    if (this.isEmpty) this.#from = index;
    else if (this.#to < index) this.#slots.fill(NO_SLOT, this.#to, index);
    this.#slots[index] = slot;
    this.#to = index + 1;
    // Counting begins with some pod and goes on.
    if (!isCounted && this.#engine?.podAssigned(slot, pod) === false) this.#uncountedTo = index + 1;
  }

  /** Takes pods of another batch, with room for all of them at once: memory that is new costs more than its use. */
  #begin(pods: OrderedPods): void {
    this.flush();
    this.#pods = pods;
    if (pods.length > this.#slots.length) this.#slots = new Int32Array(pods.length);
  }

  /** Whether all nodes are charged with their pods. */
  get isEmpty(): boolean {
    return this.#from === this.#to;
  }

  /** Whether some of the pods were assigned before anything was counted. */
  get hasUncounted(): boolean {
    return this.#uncountedTo > this.#from;
  }

  /**
   * Charges the nodes. The last attempt of the run saw all earlier pods on their nodes, so the snapshot is that of this
   * attempt, and the node of its pod has changed since.
   */
  flush(): void {
    const engine = this.#engine;
    const [pods, from, to] = [this.#pods, this.#from, this.#to];
    const countedFrom = Math.max(from, this.#uncountedTo);
    this.#pods = null;
    if (engine === null || pods === null) return;
    const mayHavePortsOrStorage = this.#havePortsOrStorage;
    this.#from = 0;
    this.#to = 0;
    this.#uncountedTo = 0;
    this.#havePortsOrStorage = false;
    const last = this.#slots[to - 1] ?? 0;
    // Pods with affinity terms wait only where they are counted.
    this.#chargeAll(pods, from, countedFrom, newArrival(engine, mayHavePortsOrStorage, false));
    this.#chargeAll(pods, countedFrom, to, newArrival(engine, mayHavePortsOrStorage, true));
    this.#cluster.updateSnapshot();
    this.#cluster.touch(this.#nodeAt(last));
  }

  /** Charges the nodes of the pods whose indexes lie in [from, to). */
  #chargeAll(pods: OrderedPods, from: number, to: number, arrival: Arrival): void {
    const slots = this.#slots;
    if (to - from < this.#cluster.slotCount / SLOTS_PER_POD) {
      for (let i = from; i < to; i++) {
        const slot = slots[i] ?? NO_SLOT;
        if (slot !== NO_SLOT) this.#charge([pods.info(i)], slot, arrival);
      }
      return;
    }
    const { ends, order } = sortedBySlot(slots, from, to, this.#cluster.slotCount);
    let first = 0;
    for (let slot = 0; slot < ends.length; slot++) {
      const end = ends[slot] ?? 0;
      if (end === first) continue;
      const podsOfNode: PodInfo[] = new Array(end - first);
      for (let i = first; i < end; i++) podsOfNode[i - first] = pods.info(order[i] ?? 0);
      this.#charge(podsOfNode, slot, arrival);
      first = end;
    }
  }

  #charge(pods: PodInfo[], slot: number, arrival: Arrival): void {
    this.#cluster.pods.chargeNode(this.#nodeAt(slot), pods, arrival);
  }

  #nodeAt(slot: number): NodeInfo {
    const node = this.#cluster.nodeAt(slot);
    assert(node !== undefined, 'a pod was placed in a slot without a node');
    return node;
  }
}

/** A literal that spreads another one would have a hidden class of its own in every flush, which each charge reads. */
function newArrival(chargedBy: ClusterObserver, mayHavePortsOrStorage: boolean, isCounted: boolean): Arrival {
  return { chargedBy, mayHavePortsOrStorage, mayHaveTerms: isCounted, isCounted };
}

/**
 * Sorts the indexes in [from, to) by their slots, stably. `ends`: the position in `order` behind the indexes of each
 * slot. Loops with iterators would make an object a pod, since the function runs once in a batch.
 */
function sortedBySlot(
  slots: Int32Array,
  from: number,
  to: number,
  slotCount: number,
): { ends: Int32Array; order: Int32Array } {
  const ends = new Int32Array(slotCount);
  for (let i = from; i < to; i++) {
    const slot = slots[i] ?? NO_SLOT;
    if (slot !== NO_SLOT) ends[slot] = (ends[slot] ?? 0) + 1;
  }
  let start = 0;
  for (let slot = 0; slot < slotCount; slot++) {
    const count = ends[slot] ?? 0;
    ends[slot] = start;
    start += count;
  }
  const order = new Int32Array(start);
  for (let i = from; i < to; i++) {
    const slot = slots[i] ?? NO_SLOT;
    if (slot === NO_SLOT) continue;
    const place = ends[slot] ?? 0;
    order[place] = i;
    ends[slot] = place + 1;
  }
  return { ends, order };
}
