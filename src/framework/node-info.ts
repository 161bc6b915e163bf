import type { Node } from '../api/node.ts';
import { type Allocatable, allocatable, type Resources } from '../api/resources.ts';
import { assert } from '../lib/assert.ts';
import { add, type Int64, subtract } from '../lib/int64.ts';
import { UsedPorts } from './host-ports.ts';
import type { ImageState } from './image-states.ts';
import type { PodInfo } from './pod-info.ts';

interface MutableResources {
  milliCPU: Int64;
  memoryBytes: Int64;
  ephemeralStorageBytes: Int64;
  readonly scalar: Map<string, Int64>;
}

const NO_PODS: readonly PodInfo[] = [];
const NO_IMAGES: ReadonlyMap<string, ImageState> = new Map();
const NO_FEATURES: ReadonlySet<string> = new Set();

/** What the pods of a node take together. */
class PodSums {
  /** So many of the pods, from the first on, are in the sums. */
  summed: number;
  readonly requested: MutableResources;
  readonly nonZeroRequested: { milliCPU: Int64; memoryBytes: Int64 };
  usedPorts: UsedPorts;

  /** `from`: sums to go on from. */
  constructor(from?: PodSums) {
    this.summed = from?.summed ?? 0;
    this.requested = from
      ? { ...from.requested, scalar: new Map(from.requested.scalar) }
      : { milliCPU: 0, memoryBytes: 0, ephemeralStorageBytes: 0, scalar: new Map() };
    this.nonZeroRequested = from ? { ...from.nonZeroRequested } : { milliCPU: 0, memoryBytes: 0 };
    this.usedPorts = from?.usedPorts.clone() ?? new UsedPorts();
  }

  charge({ requirements: { requests, nonZeroRequests } }: PodInfo, apply: (a: Int64, b: Int64) => Int64): void {
    chargeResources(this.requested, requests, apply);
    this.nonZeroRequested.milliCPU = apply(this.nonZeroRequested.milliCPU, nonZeroRequests.milliCPU);
    this.nonZeroRequested.memoryBytes = apply(this.nonZeroRequested.memoryBytes, nonZeroRequests.memoryBytes);
  }
}

/**
 * A node, the pods on it and their sums (upstream's NodeInfo). Only `ClusterState` changes it. Sums are made when they
 * are asked for: the columns have them, too, and mostly nobody else wants to know.
 */
export class NodeInfo {
  /** Row number in every column; reused after the node is removed. */
  readonly slot: number;
  /** Counts up with every node that was ever added: the order in which nodes were learned of. */
  readonly order: number;
  /** Changes with every change of the node, of its pods, and of the pods that are nominated for it. */
  generation = 0;
  node!: Node;
  /** As the snapshot has them: what was known of the node's images when somebody looked at them the last time. */
  images: ReadonlyMap<string, ImageState>;
  // Kept by `ClusterSnapshot`: the images that the node reports, the version of `images`, and whether it is to change.
  imageNames: readonly string[] = [];
  imagesVersion = -1;
  isTouched = false;
  #pods: PodInfo[] | null = null;
  #offer!: Allocatable;
  #sums: PodSums | null = null;

  constructor(slot: number, order: number, node: Node, images: ReadonlyMap<string, ImageState> = NO_IMAGES) {
    this.slot = slot;
    this.order = order;
    this.images = images;
    this.setNode(node);
  }

  get pods(): readonly PodInfo[] {
    return this.#pods ?? NO_PODS;
  }

  get name(): string {
    return this.node.metadata?.name ?? '';
  }

  get allocatable(): Resources {
    return this.#offer.resources;
  }

  get allowedPodCount(): number {
    return this.#offer.podCount;
  }

  get declaredFeatures(): ReadonlySet<string> {
    const { declaredFeatures } = this.node.status ?? {};
    return declaredFeatures?.length ? new Set(declaredFeatures) : NO_FEATURES;
  }

  get requested(): Readonly<MutableResources> {
    return this.#upToDate().requested;
  }

  get nonZeroRequested(): { readonly milliCPU: Int64; readonly memoryBytes: Int64 } {
    return this.#upToDate().nonZeroRequested;
  }

  get usedPorts(): UsedPorts {
    return this.#upToDate().usedPorts;
  }

  /** A copy to try something out on: the same pods in the same order. */
  clone(): NodeInfo {
    const copy = new NodeInfo(this.slot, this.order, this.node, this.images);
    for (const pod of this.pods) copy.addPod(pod);
    // What ports are in use does not follow from the pods alone: see UsedPorts.
    if (this.#sums !== null) copy.#sums = new PodSums(this.#sums);
    return copy;
  }

  setNode(node: Node): void {
    this.generation++;
    this.node = node;
    this.#offer = allocatable(node.status?.allocatable);
  }

  /** The pods are the ones that stood here before: what their going left behind stays. */
  inherit({ usedPorts }: NodeInfo): void {
    this.#upToDate().usedPorts = usedPorts.clone();
  }

  /** What is kept of the node outside has changed. */
  touch(): void {
    this.generation++;
  }

  addPod(pod: PodInfo): void {
    this.generation++;
    if (this.#pods === null) this.#pods = [pod];
    else this.#pods.push(pod);
  }

  /** Several at once, in their order. */
  addPods(pods: readonly PodInfo[]): void {
    const [pod] = pods;
    if (pods.length === 1 && pod !== undefined) {
      this.addPod(pod);
      return;
    }
    this.generation += pods.length;
    this.#pods = this.#pods === null ? pods.slice() : this.#pods.concat(pods);
  }

  /** The last pod takes the place of the removed one, as upstream: the order of pods is visible in preemption. */
  removePod(pod: PodInfo): void {
    const sums = this.#upToDate();
    const pods = this.#pods ?? [];
    const index = pods.indexOf(pod);
    assert(index >= 0, `pod ${pod.key} is not on node ${this.name}`);
    const last = pods.pop();
    if (last !== undefined && last !== pod) pods[index] = last;
    this.generation++;
    sums.charge(pod, subtract);
    sums.usedPorts.remove(pod.requirements.hostPorts);
    sums.summed--;
  }

  /** As if the pod were taken off and put back: the last pod takes its place. */
  moveToEnd(pod: PodInfo): void {
    const pods = this.#pods ?? [];
    this.generation++;
    this.#sums?.usedPorts.add(pod.requirements.hostPorts);
    const end = pods.length - 1;
    if (pods[end] === pod) return;
    if (this.#sums !== null) this.#upToDate();
    const index = pods.indexOf(pod);
    assert(index >= 0, `pod ${pod.key} is not on node ${this.name}`);
    pods[index] = pods[end] as PodInfo;
    pods[end] = pod;
  }

  #upToDate(): PodSums {
    this.#sums ??= new PodSums();
    const sums = this.#sums;
    const { pods } = this;
    for (; sums.summed < pods.length; sums.summed++) {
      const pod = pods[sums.summed] as PodInfo;
      sums.charge(pod, add);
      sums.usedPorts.add(pod.requirements.hostPorts);
    }
    return sums;
  }
}

function chargeResources(sum: MutableResources, requests: Resources, apply: (a: Int64, b: Int64) => Int64): void {
  sum.milliCPU = apply(sum.milliCPU, requests.milliCPU);
  sum.memoryBytes = apply(sum.memoryBytes, requests.memoryBytes);
  sum.ephemeralStorageBytes = apply(sum.ephemeralStorageBytes, requests.ephemeralStorageBytes);
  // Most pods ask for none: not even an iterator is made then.
  if (requests.scalar.size === 0) return;
  for (const [name, amount] of requests.scalar) sum.scalar.set(name, apply(sum.scalar.get(name) ?? 0, amount));
}
