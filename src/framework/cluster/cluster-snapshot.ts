import type { Node } from '../../api/node.ts';
import { assert } from '../../lib/assert.ts';
import { areSame, type ImageState, ImageStates } from '../image-states.ts';
import type { NodeInfo } from '../node-info.ts';
import { ListedNodes } from './listed-nodes.ts';
import { NodeTree, zoneKey } from './node-tree.ts';

export interface SnapshotModules {
  nodeAt(slot: number): NodeInfo | undefined;
  /** What the snapshot says of a node's images is another. */
  imagesChanged(node: NodeInfo): void;
}

/**
 * What an attempt sees of the past (upstream's UpdateSnapshot). Each attempt begins with `update`. Most of a snapshot
 * is as the cluster is at that moment; two things are as they were at an earlier one:
 *
 *   the order of the nodes           when a name came or went the last time
 *   how many nodes hold an image     for each node that holds it, when that node changed the last time, or a pod on it
 */
export class ClusterSnapshot {
  readonly images = new ImageStates();
  readonly #tree = new NodeTree();
  readonly #modules: SnapshotModules;
  #listed = new ListedNodes();
  #nodes: NodeInfo[] | null = null;
  #isCurrent = true;
  /** Puts back the snapshot that there was before one was lent; null when none is. */
  #takeBack: (() => void) | null = null;
  /** With images, changed since the last update. */
  #changed: NodeInfo[] = [];
  /** Nodes with images. */
  readonly #holders = new Set<NodeInfo>();
  /** How many of them have been looked at in the newest version, and the oldest version that any was looked at in. */
  #upToDate = 0;
  #oldest = 0;
  /** The newest when that was counted; -1: it has to be counted. */
  #countedVersion = -1;

  constructor(modules: SnapshotModules) {
    this.#modules = modules;
  }

  /** Slots in the order in which nodes are searched; another array after every change of it. */
  get order(): Int32Array {
    return this.#listed.order;
  }

  nodes(): readonly NodeInfo[] {
    this.#nodes ??= Array.from(this.order, (slot) => {
      const node = this.#modules.nodeAt(slot);
      assert(node !== undefined, `slot ${slot} holds no node`);
      return node;
    });
    return this.#nodes;
  }

  nodeAdded(node: NodeInfo): void {
    this.#takeBack?.();
    this.#tree.add(zoneKey(node.node), node.slot);
    this.#listed.nodeAdded(node.name, node.slot);
    this.#isCurrent = false;
    this.#setImageNames(node, this.images.addNode(node.node));
  }

  /** After the node's object has been replaced. */
  nodeUpdated(node: NodeInfo, before: Node): void {
    this.#takeBack?.();
    const [zoneBefore, zone] = [zoneKey(before), zoneKey(node.node)];
    if (zoneBefore !== zone) {
      this.#tree.remove(zoneBefore, node.slot);
      this.#tree.add(zone, node.slot);
    }
    this.#setImageNames(node, this.images.replaceNode(node.imageNames, node.node));
  }

  /** While the slot still holds the node. */
  nodeRemoved(node: NodeInfo): void {
    this.#takeBack?.();
    // The list stays until the next attempt, and other nodes may come to its slots before somebody asks.
    this.nodes();
    this.images.removeNode(node.imageNames);
    this.#holders.delete(node);
    this.#tree.remove(zoneKey(node.node), node.slot);
    this.#listed.nodeRemoved(node.name, node.slot);
    this.#isCurrent = false;
  }

  /** The node, or a pod on it, has changed: the next attempt sees how things stand with its images. */
  touch(node: NodeInfo): void {
    this.#takeBack?.();
    if (node.imageNames.length === 0 || node.isTouched) return;
    node.isTouched = true;
    this.#changed.push(node);
    this.#isCurrent = false;
  }

  /** An attempt begins. */
  update(): void {
    this.#takeBack = null;
    if (this.#isCurrent) return;
    this.#isCurrent = true;
    const { order } = this;
    this.#listed.update(this.#tree);
    if (this.order !== order) this.#nodes = null;
    for (const node of this.#changed) {
      node.isTouched = false;
      if (node.imagesVersion !== this.images.version && this.#holders.has(node)) this.#look(node);
    }
    this.#changed.length = 0;
  }

  /** The same for somebody who only wants to know: if anything changes before the next attempt, nobody has looked. */
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

  /** A pod that comes to a node may change what the snapshot says there of an image. */
  get hasUnsettledImages(): boolean {
    if (this.#holders.size === 0) return false;
    if (this.#countedVersion !== this.images.version) this.#countUpToDate();
    return this.#upToDate < this.#holders.size;
  }

  /** While there are such images: whether none of these is one of them. */
  areSettled(names: readonly string[]): boolean {
    return names.every((name) => this.images.since(name) <= this.#oldest);
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

  #setImageNames(node: NodeInfo, names: readonly string[]): void {
    node.imageNames = names;
    if (names.length > 0) {
      this.#holders.add(node);
      this.touch(node);
      return;
    }
    this.#holders.delete(node);
    node.images = this.images.statesOf(names);
  }

  /** What is known of the node's images now is what the snapshot says from now on. */
  #look(node: NodeInfo): void {
    node.imagesVersion = this.images.version;
    if (this.#countedVersion === this.images.version) this.#upToDate++;
    this.#setImages(node, this.images.statesOf(node.imageNames));
  }

  #setImages(node: NodeInfo, images: ReadonlyMap<string, ImageState>): void {
    if (areSame(images, node.images)) return;
    node.images = images;
    if (this.#modules.nodeAt(node.slot) === node) this.#modules.imagesChanged(node);
  }
}
