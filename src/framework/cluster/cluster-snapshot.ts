import { assert } from '../../lib/assert.ts';
import { areSame, type HeldImages, type ImageState, ImageStates } from '../image-states.ts';
import type { NodeInfo } from '../node-info.ts';
import type { SnapshotRecord } from './cluster-record.ts';
import { ImageHolders, type Slots } from './image-holders.ts';
import { ListedNodes } from './listed-nodes.ts';
import { NodeTree, ZoneKeys } from './node-tree.ts';

/** The version of a node's images before the first snapshot with the node. */
const NEVER = -1;
const NO_SLOTS = new Uint16Array(0);

export interface SnapshotModules {
  nodeAt(slot: number): NodeInfo | undefined;
  slotCount(): number;
  /** Called when the node's images in the snapshot have changed. */
  imagesChanged(node: NodeInfo): void;
}

/**
 * The snapshot that an attempt reads (upstream's UpdateSnapshot). Each attempt begins with `update`. Most of a snapshot
 * is equal to the present cluster, but two parts are from an earlier time:
 *
 *   the order of the nodes           the last time that a node name was added or removed
 *   how many nodes hold an image     for each such node, the last time that it changed, or a pod on it
 */
export class ClusterSnapshot {
  readonly images = new ImageStates();
  readonly #tree = new NodeTree();
  readonly #modules: SnapshotModules;
  #listed = new ListedNodes();
  readonly #zones = new ZoneKeys();
  /**
   * The listed nodes; null if they must be looked up by slot. A snapshot that was copied or loaded has none of a list
   * with nodes that are gone, because it is read only after the next attempt has made a new list.
   */
  #nodes: NodeInfo[] | null = null;
  #isCurrent = true;
  /** Restores the snapshot from before `lend`; null if none is lent. */
  #takeBack: (() => void) | null = null;
  /** The nodes with images that have changed since the last update. */
  #changed: NodeInfo[] = [];
  /** The nodes whose states of images may not be made yet. */
  readonly #unread: NodeInfo[] = [];
  /** The nodes with images. */
  readonly #holders = new Set<NodeInfo>();
  /** The nodes by image; null if they must be listed again. */
  #byImage: ImageHolders | null = null;
  /** The number of holders whose images are of the newest version, and the oldest version of a holder's images. */
  #upToDate = 0;
  #oldest = 0;
  /** The newest version when these two were counted; -1 if they must be counted again. */
  #countedVersion = -1;

  constructor(modules: SnapshotModules) {
    this.#modules = modules;
  }

  /** The slots in the order in which nodes are searched. The array is replaced, never changed. */
  get order(): Int32Array {
    return this.#listed.order;
  }

  record(nameAt: (slot: number) => string): SnapshotRecord {
    this.#takeBack?.();
    return {
      zones: Array.from(this.#tree.zones(), ([key, slots]) => [key, slots.map(nameAt)]),
      listed: this.#listed.names(nameAt),
      isCurrent: this.#isCurrent,
      imagesVersion: this.images.version,
      images: this.images.record(),
      holders: Array.from(this.#holders, ({ name, imagesVersion, isTouched, images }) => ({
        node: name,
        version: imagesVersion,
        isTouched,
        images: Array.from(images, ([image, { sizeBytes, nodeCount }]) => [image, sizeBytes, nodeCount]),
      })),
    };
  }

  /** Restores an empty snapshot. `nodes`: the present nodes, by name. */
  load(record: SnapshotRecord, nodes: ReadonlyMap<string, NodeInfo>): void {
    for (const [key, names] of record.zones) {
      for (const name of names) {
        const node = nodes.get(name);
        if (node === undefined) continue;
        node.zone = key;
        this.#tree.add(key, node.slot);
      }
    }
    this.#listed.load(record.listed, new Map(Array.from(nodes, ([name, { slot }]) => [name, slot])));
    this.#nodes = this.#listed.isOutdated ? [] : null;
    this.#isCurrent = record.isCurrent;
    this.images.load(record.imagesVersion, record.images);
    for (const { node: name, version, isTouched, images } of record.holders) {
      const node = nodes.get(name);
      if (node === undefined) continue;
      node.heldImages = this.images.heldBy(node.node);
      node.imagesVersion = version;
      node.isTouched = isTouched;
      node.images = new Map(images.map(([image, sizeBytes, nodeCount]) => [image, { sizeBytes, nodeCount }]));
      this.#holders.add(node);
      if (isTouched) this.#changed.push(node);
    }
  }

  /** Takes over another snapshot, whose nodes have copies in the same slots. */
  copyFrom(other: ClusterSnapshot): void {
    other.#takeBack?.();
    this.images.copyFrom(other.images);
    this.#tree.copyFrom(other.#tree);
    this.#listed = other.#listed.clone();
    this.#nodes = this.#listed.isOutdated ? [] : null;
    this.#isCurrent = other.#isCurrent;
    for (const node of other.#holders) {
      const copy = this.#modules.nodeAt(node.slot);
      assert(copy !== undefined, `the node in slot ${node.slot} is copied`);
      copy.heldImages = node.heldImages;
      copy.imagesVersion = node.imagesVersion;
      copy.isTouched = node.isTouched;
      this.#holders.add(copy);
      if (node.isTouched) this.#changed.push(copy);
      if (node.hasLazyImages) this.#setLazyImages(copy);
      else copy.images = node.images;
    }
  }

  nodes(): readonly NodeInfo[] {
    this.#nodes ??= this.#listNodes();
    return this.#nodes;
  }

  #listNodes(): NodeInfo[] {
    const { order } = this;
    const nodes: NodeInfo[] = [];
    for (let i = 0; i < order.length; i++) {
      const slot = order[i] as number;
      const node = this.#modules.nodeAt(slot);
      assert(node !== undefined, `slot ${slot} holds no node`);
      nodes.push(node);
    }
    return nodes;
  }

  nodeAdded(node: NodeInfo): void {
    this.#takeBack?.();
    node.zone = this.#zones.of(node.node);
    this.#tree.add(node.zone, node.slot);
    this.#listed.nodeAdded(node.name, node.slot);
    this.#isCurrent = false;
    this.#readImages();
    this.#setHeldImages(node, this.images.addNode(node.node));
  }

  /** Called after the node's object was replaced. */
  nodeUpdated(node: NodeInfo): void {
    this.#takeBack?.();
    const zone = this.#zones.of(node.node);
    if (node.zone !== zone) {
      this.#tree.remove(node.zone, node.slot);
      this.#tree.add(zone, node.slot);
      node.zone = zone;
    }
    this.#readImages();
    this.#setHeldImages(node, this.images.replaceNode(node.heldImages, node.node));
  }

  /** Called while the slot still holds the node. */
  nodeRemoved(node: NodeInfo): void {
    this.#takeBack?.();
    // The list stays as it is until the next attempt, but the slots in it may get other nodes.
    this.nodes();
    this.#readImages();
    this.images.removeNode(node.heldImages);
    if (node.heldImages.ids.length > 0) this.#byImage = null;
    this.#holders.delete(node);
    this.#tree.remove(node.zone, node.slot);
    this.#listed.nodeRemoved(node.name, node.slot);
    this.#isCurrent = false;
  }

  /** Called when the node, or a pod on it, has changed: the next attempt updates its images. */
  touch(node: NodeInfo): void {
    this.#takeBack?.();
    if (node.heldImages.names.length === 0 || node.isTouched) return;
    node.isTouched = true;
    this.#changed.push(node);
    this.#isCurrent = false;
  }

  /** Updates the snapshot when an attempt begins. */
  update(): void {
    this.#takeBack = null;
    if (this.#isCurrent) return;
    this.#isCurrent = true;
    const { order } = this;
    this.#listed.update(this.#tree);
    if (this.order !== order) this.#nodes = null;
    for (const node of this.#changed) {
      node.isTouched = false;
      if (node.imagesVersion !== this.images.version && this.#holders.has(node)) this.#updateImages(node);
    }
    this.#changed.length = 0;
  }

  /** Updates the snapshot for an explanation. A change before the next attempt reverts this update. */
  lend(): void {
    if (this.#isCurrent) return;
    const [listed, nodes, changed] = [this.#listed.clone(), this.#nodes, [...this.#changed]];
    const images = changed.map((node) => [node, node.images, node.imagesVersion] as const);
    this.update();
    this.#takeBack = () => {
      this.#takeBack = null;
      this.#isCurrent = false;
      this.#listed = listed;
      this.#nodes = nodes;
      this.#changed = changed;
      this.#countedVersion = -1;
      for (const [node, before, version] of images) {
        node.isTouched = true;
        node.imagesVersion = version;
        this.#setImages(node, before);
      }
    };
  }

  /** Whether some node's images are of an older version, so that a pod that is added to it may change them. */
  get hasStaleImages(): boolean {
    if (this.#holders.size === 0) return false;
    if (this.#countedVersion !== this.images.version) this.#countUpToDate();
    return this.#upToDate < this.#holders.size;
  }

  /** Whether none of these images has changed since the oldest version of a node's images. */
  areUpToDate(names: readonly string[]): boolean {
    return names.every((name) => this.images.since(name) <= this.#oldest);
  }

  /** The slots of the nodes that hold an image, during an attempt. */
  holdersOf(image: string): Slots {
    const id = this.images.idOf(image);
    if (id === undefined) return NO_SLOTS;
    this.#byImage ??= new ImageHolders(this.#holders, this.images.nodeCounts(), this.#modules.slotCount());
    return this.#byImage.slotsOf(id);
  }

  #countUpToDate(): void {
    const { version } = this.images;
    this.#countedVersion = version;
    this.#upToDate = 0;
    this.#oldest = version;
    for (const { imagesVersion } of this.#holders) {
      if (imagesVersion === version) this.#upToDate++;
      else this.#oldest = Math.min(this.#oldest, imagesVersion);
    }
  }

  #setHeldImages(node: NodeInfo, held: HeldImages): void {
    if (!isSameList(node.heldImages, held)) this.#byImage = null;
    node.heldImages = held;
    if (held.names.length > 0) {
      this.#holders.add(node);
      this.touch(node);
      return;
    }
    this.#holders.delete(node);
    node.images = this.images.statesOf(held);
  }

  /** Updates the node's images in the snapshot. */
  #updateImages(node: NodeInfo): void {
    const isNew = node.imagesVersion === NEVER;
    node.imagesVersion = this.images.version;
    if (this.#countedVersion === this.images.version) this.#upToDate++;
    if (!isNew) {
      this.#setImages(node, this.images.statesOf(node.heldImages));
      return;
    }
    this.#setLazyImages(node);
    this.#modules.imagesChanged(node);
  }

  /** Most states are never read one by one, and all can be made as long as no image has changed. */
  #setLazyImages(node: NodeInfo): void {
    node.setLazyImages(() => this.images.statesOf(node.heldImages));
    this.#unread.push(node);
  }

  /** Makes the states that were left to be made later, before images change. */
  #readImages(): void {
    if (this.#unread.length === 0) return;
    for (const node of this.#unread) node.images;
    this.#unread.length = 0;
  }

  #setImages(node: NodeInfo, images: ReadonlyMap<string, ImageState>): void {
    if (areSame(images, node.images)) return;
    node.images = images;
    if (this.#modules.nodeAt(node.slot) === node) this.#modules.imagesChanged(node);
  }
}

function isSameList({ ids: a }: HeldImages, { ids: b }: HeldImages): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i]);
}
