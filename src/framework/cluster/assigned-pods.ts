import { assert } from '../../lib/assert.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { Arrival, ChoosingObserver } from './cluster-observer.ts';
import type { ClusterState } from './cluster-state.ts';

const SMALLEST_CAPACITY = 1024;
/** With more slots per pod than this, sorting the pods by slot costs more than it saves. */
const SLOTS_PER_POD = 8;

/**
 * The pods that are between the two halves of `ClusterPods.assume`: assigned to nodes that are not yet charged, and
 * counted for topology rules already. A run places thousands of pods all over the cluster. To visit each node once, in
 * order, takes a fraction of the time of visiting a node for each pod.
 */
export class AssignedPods {
  readonly #cluster: ClusterState;
  #engine: ChoosingObserver | null = null;
  #pods: PodInfo[] = [];
  /** The number of pods before the first that was counted. */
  #uncounted = 0;
  #slots = new Int32Array(SMALLEST_CAPACITY);

  constructor(cluster: ClusterState) {
    this.#cluster = cluster;
  }

  /** Names the engine that places the next pods. It has charged its columns with its own pods only. */
  startRun(engine: ChoosingObserver): void {
    if (engine === this.#engine) return;
    this.flush();
    this.#engine = engine;
  }

  /** Assigns the pod to the node in the slot. `isCounted`: whether the engine has counted it already. */
  add(pod: PodInfo, slot: number, isCounted = false): void {
    this.#cluster.pods.assignNode(pod, this.#cluster.nodeNameAt(slot));
    // To write behind the end costs less than a call of push.
    const at = this.#pods.length;
    this.#pods[at] = pod;
    const count = at + 1;
    if (count > this.#slots.length) {
      const slots = new Int32Array(count * 2);
      slots.set(this.#slots);
      this.#slots = slots;
    }
    this.#slots[at] = slot;
    // Counting begins with some pod and goes on.
    if (!isCounted && this.#engine?.podAssigned(slot, pod) === false) this.#uncounted = count;
  }

  /** Whether all nodes are charged with their pods. */
  get isEmpty(): boolean {
    return this.#pods.length === 0;
  }

  /** Whether some of the pods were assigned before anything was counted. */
  get hasUncounted(): boolean {
    return this.#uncounted > 0;
  }

  /**
   * Charges the nodes. The last attempt of the run saw all earlier pods on their nodes, so the snapshot is that of this
   * attempt, and the node of its pod has changed since.
   */
  flush(): void {
    const engine = this.#engine;
    const pods = this.#pods;
    if (engine === null || pods.length === 0) return;
    const uncounted = this.#uncounted;
    this.#pods = [];
    this.#uncounted = 0;
    // Pods with affinity terms wait only where they are counted.
    const [first, others] = uncounted === 0 ? [[], pods] : [pods.slice(0, uncounted), pods.slice(uncounted)];
    this.#chargeAll(first, 0, { chargedBy: engine, mayHaveTerms: false, isCounted: false });
    this.#chargeAll(others, uncounted, { chargedBy: engine, mayHaveTerms: true, isCounted: true });
    this.#cluster.updateSnapshot();
    this.#cluster.touch(this.#nodeAt(this.#slots[pods.length - 1] ?? 0));
  }

  /** `from`: the place of the first pod's slot. */
  #chargeAll(pods: readonly PodInfo[], from: number, arrival: Arrival): void {
    const slots = this.#slots.subarray(from, from + pods.length);
    if (pods.length < this.#cluster.slotCount / SLOTS_PER_POD) {
      for (let i = 0; i < pods.length; i++) this.#charge([pods[i] as PodInfo], slots[i] ?? 0, arrival);
      return;
    }
    const { ends, order } = sortedBySlot(slots, this.#cluster.slotCount);
    let first = 0;
    for (let slot = 0; slot < ends.length; slot++) {
      const end = ends[slot] ?? 0;
      if (end === first) continue;
      const podsOfNode: PodInfo[] = [];
      for (; first < end; first++) podsOfNode.push(pods[order[first] ?? 0] as PodInfo);
      this.#charge(podsOfNode, slot, arrival);
    }
  }

  #charge(pods: readonly PodInfo[], slot: number, arrival: Arrival): void {
    this.#cluster.pods.chargeNode(this.#nodeAt(slot), pods, arrival);
  }

  #nodeAt(slot: number): NodeInfo {
    const node = this.#cluster.nodeAt(slot);
    assert(node !== undefined, 'a pod was placed in a slot without a node');
    return node;
  }
}

/** Sorts the indexes of `slots` by slot, stably. `ends`: the position in `order` behind the indexes of each slot. */
function sortedBySlot(slots: Int32Array, slotCount: number): { ends: Int32Array; order: Int32Array } {
  const ends = new Int32Array(slotCount);
  for (const slot of slots) ends[slot] = (ends[slot] ?? 0) + 1;
  let start = 0;
  for (let slot = 0; slot < slotCount; slot++) {
    const count = ends[slot] ?? 0;
    ends[slot] = start;
    start += count;
  }
  const order = new Int32Array(slots.length);
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] ?? 0;
    const place = ends[slot] ?? 0;
    order[place] = i;
    ends[slot] = place + 1;
  }
  return { ends, order };
}
