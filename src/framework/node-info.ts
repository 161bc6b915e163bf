import type { Node } from '../api/node.ts';
import { type Allocatable, allocatable, type Resources } from '../api/resources.ts';
import { assert } from '../lib/assert.ts';
import { add, type Int64, subtract } from '../lib/int64.ts';
import { UsedPorts } from './host-ports.ts';
import { type HeldImages, type ImageState, NO_HELD_IMAGES } from './image-states.ts';
import type { PodInfo } from './pod-info.ts';

interface MutableResources {
  milliCPU: Int64;
  memoryBytes: Int64;
  ephemeralStorageBytes: Int64;
  readonly scalar: Map<string, Int64>;
}

/** Up to here lists are as long as they have to be: one that grows by `push` takes room for sixteen more. */
const SHORT_LIST = 4;

const NO_PODS: readonly PodInfo[] = [];
const NO_IMAGES: ReadonlyMap<string, ImageState> = new Map();
const NO_FEATURES: ReadonlySet<string> = new Set();

/** The sums over the pods of a node. */
class PodSums {
  /** The number of pods, from the first on, that are in the sums. */
  summed: number;
  readonly requested: MutableResources;
  readonly nonZeroRequested: { milliCPU: Int64; memoryBytes: Int64 };
  usedPorts: UsedPorts;
  /** Whether several NodeInfos read these sums, so that they must not be changed any more. */
  isShared = false;

  /** `from` holds the sums with which these begin. */
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
 * A node, its pods and their sums, which are computed when they are read (upstream's NodeInfo). Only `ClusterState`
 * changes it.
 */
export class NodeInfo {
  /** The row number in every column; it is reused after the node is removed. */
  readonly slot: number;
  /** The name under which the node is known, also if a caller changes its object afterwards. */
  readonly name: string;
  /** The position of the node among all nodes that were ever added. */
  readonly order: number;
  /** A number that every change of the node, of its pods, and of its nominated pods changes. */
  generation = 1;
  node: Node;
  // `ClusterSnapshot` keeps the zone in whose list the node is, the images that the node reports, the version of
  // `images`, and whether they must be updated.
  zone = '';
  heldImages: HeldImages = NO_HELD_IMAGES;
  imagesVersion = -1;
  isTouched = false;
  #images: ReadonlyMap<string, ImageState> = NO_IMAGES;
  #makeImages: (() => ReadonlyMap<string, ImageState>) | null = null;
  #pods: PodInfo[] | null = null;
  #offer: Allocatable;
  #sums: PodSums | null = null;

  /** `known`: an earlier NodeInfo of the node. */
  constructor(slot: number, order: number, node: Node, known?: NodeInfo) {
    this.slot = slot;
    this.order = order;
    this.name = known === undefined ? (node.metadata?.name ?? '') : known.name;
    this.node = node;
    this.#offer = known === undefined ? allocatable(node.status?.allocatable) : known.#offer;
  }

  /** The states of the node's images when the snapshot was last updated. */
  get images(): ReadonlyMap<string, ImageState> {
    if (this.#makeImages !== null) {
      this.#images = this.#makeImages();
      this.#makeImages = null;
    }
    return this.#images;
  }

  set images(images: ReadonlyMap<string, ImageState>) {
    this.#makeImages = null;
    this.#images = images;
  }

  /** Leaves the states of the images to a function, which is called when they are first read. */
  setLazyImages(make: () => ReadonlyMap<string, ImageState>): void {
    this.#makeImages = make;
  }

  get pods(): readonly PodInfo[] {
    return this.#pods ?? NO_PODS;
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

  get requested(): Resources {
    return this.#upToDate().requested;
  }

  get nonZeroRequested(): { readonly milliCPU: Int64; readonly memoryBytes: Int64 } {
    return this.#upToDate().nonZeroRequested;
  }

  get usedPorts(): UsedPorts {
    return this.#upToDate().usedPorts;
  }

  /** Whether the images have not been read since they were left to a function. */
  get hasLazyImages(): boolean {
    return this.#makeImages !== null;
  }

  /** A copy with the same pods in the same order. */
  clone(): NodeInfo {
    const copy = this.cloneWithoutImages();
    copy.images = this.images;
    return copy;
  }

  /** As `clone`; the caller sets the images. */
  cloneWithoutImages(): NodeInfo {
    const copy = new NodeInfo(this.slot, this.order, this.node, this);
    copy.generation = this.generation;
    copy.zone = this.zone;
    copy.#pods = this.#pods === null ? null : this.#pods.slice();
    // The used ports do not follow from the pods alone: see UsedPorts.
    if (this.#sums !== null) this.#sums.isShared = true;
    copy.#sums = this.#sums;
    return copy;
  }

  setNode(node: Node): void {
    this.generation++;
    this.node = node;
    this.#offer = allocatable(node.status?.allocatable);
  }

  /** Takes over the used ports of an earlier NodeInfo with the same pods, which may have lost ports of removed pods. */
  inherit({ usedPorts }: NodeInfo): void {
    this.#ownSums().usedPorts = usedPorts.clone();
  }

  /** Sets the used ports of a node whose pods were all added. */
  restoreUsedPorts(usedPorts: UsedPorts): void {
    this.#ownSums().usedPorts = usedPorts;
  }

  /** Marks that something about the node changed that is kept elsewhere. */
  touch(): void {
    this.generation++;
  }

  addPod(pod: PodInfo): void {
    this.generation++;
    const pods = this.#pods;
    pod.listIndex = pods === null ? 0 : pods.length;
    if (pods === null) this.#pods = [pod];
    else if (pods.length < SHORT_LIST) this.#pods = pods.concat(pod);
    else pods.push(pod);
  }

  /** Adds several pods in their order. */
  addPods(pods: readonly PodInfo[]): void {
    this.takePods(pods.slice());
  }

  /** As `addPods`, but the list is the node's from then on. @internal */
  takePods(pods: PodInfo[]): void {
    if (this.#pods !== null && pods.length === 1) {
      this.addPod(pods[0] as PodInfo);
      return;
    }
    this.generation += pods.length;
    this.#pods = this.#pods === null ? pods : this.#pods.concat(pods);
  }

  /** Removes the pod. As upstream, the last pod takes its place, because preemption depends on the order of pods. */
  removePod(pod: PodInfo): void {
    const sums = this.#ownSums();
    const pods = this.#pods ?? [];
    const index = this.#indexOf(pod);
    const last = pods.pop();
    if (last !== undefined && last !== pod) {
      pods[index] = last;
      last.listIndex = index;
    }
    this.generation++;
    sums.charge(pod, subtract);
    sums.usedPorts.remove(pod.requirements.hostPorts);
    sums.summed--;
  }

  /** Returns the pod's index in the list. A copy of the node may have moved the pod in its own list meanwhile. */
  #indexOf(pod: PodInfo): number {
    const pods = this.#pods ?? [];
    const index = pods[pod.listIndex] === pod ? pod.listIndex : pods.indexOf(pod);
    assert(index >= 0, `pod ${pod.key} is not on node ${this.name}`);
    return index;
  }

  /** Moves the pod to the end, as if it were removed and added again: the last pod takes its place. */
  moveToEnd(pod: PodInfo): void {
    const pods = this.#pods ?? [];
    this.generation++;
    if (this.#sums !== null && pod.requirements.hostPorts.length > 0) {
      this.#ownSums().usedPorts.add(pod.requirements.hostPorts);
    }
    const end = pods.length - 1;
    if (pods[end] === pod) return;
    if (this.#sums !== null) this.#upToDate();
    const index = this.#indexOf(pod);
    const last = pods[end] as PodInfo;
    pods[index] = last;
    last.listIndex = index;
    pods[end] = pod;
    pod.listIndex = end;
  }

  /** Puts another object of the same pod in its place. */
  replacePod(pod: PodInfo, newer: PodInfo): void {
    const index = this.#indexOf(pod);
    if (this.#pods !== null) this.#pods[index] = newer;
    newer.listIndex = index;
  }

  /** The sums of all pods, which may be changed. */
  #ownSums(): PodSums {
    const sums = this.#upToDate();
    if (!sums.isShared) return sums;
    this.#sums = new PodSums(sums);
    return this.#sums;
  }

  #upToDate(): PodSums {
    this.#sums ??= new PodSums();
    const { pods } = this;
    if (this.#sums.summed === pods.length) return this.#sums;
    if (this.#sums.isShared) this.#sums = new PodSums(this.#sums);
    const sums = this.#sums;
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
  // Most pods request no scalar resource, and need not even an iterator.
  if (requests.scalar.size === 0) return;
  for (const [name, amount] of requests.scalar) sum.scalar.set(name, apply(sum.scalar.get(name) ?? 0, amount));
}
