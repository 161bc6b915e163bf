import type { Node } from '../../api/node.ts';
import { assert } from '../../lib/assert.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import { NodeInfo } from '../node-info.ts';
import type { PodNominator, Snapshot } from '../plugin.ts';
import type { PodInfo } from '../pod-info.ts';
import { SchedulerError } from '../scheduler-error.ts';
import type { Arrival, ClusterObserver } from './cluster-observer.ts';
import { ClusterPods, type RequirementsOf } from './cluster-pods.ts';
import { ClusterSnapshot } from './cluster-snapshot.ts';
import { type ChangeReason, NodeChanges } from './node-changes.ts';
import type { NominatedNode } from './nominated-pods.ts';

/**
 * Nodes, and the pods on them. Every change is made here, and whoever must know of it learns it here:
 *
 *   snapshot     what attempts see of the past           `ClusterSnapshot`, called with each change
 *   observers    columns and counts of an engine         `ClusterObserver`, called with each change
 *   changes      verdicts, kept rows, plugins' columns   `NodeChanges`, read when they are next used
 */
export class ClusterState implements Snapshot, PodNominator {
  readonly objects = new ClusterObjects();
  readonly pods: ClusterPods;
  /** Nodes that changed, for readers that catch up. */
  readonly changes = new NodeChanges();
  readonly #slots: (NodeInfo | undefined)[] = [];
  /** By slot: to know a name is not worth going to three objects. */
  readonly #names: string[] = [];
  readonly #freeSlots: number[] = [];
  readonly #byName = new Map<string, NodeInfo>();
  readonly #observers: ClusterObserver[] = [];
  readonly #snapshot: ClusterSnapshot;
  #nextOrder = 0;

  constructor(requirementsOf: RequirementsOf) {
    this.pods = new ClusterPods(this, requirementsOf);
    this.#snapshot = new ClusterSnapshot({
      nodeAt: (slot) => this.#slots[slot],
      imagesChanged: (node) => this.#append(node, 'node'),
    });
  }

  observe(observer: ClusterObserver): void {
    assert(this.#byName.size === 0, 'observers come before the first node');
    this.#observers.push(observer);
  }

  get nodeCount(): number {
    return this.#byName.size;
  }

  /** Slots in use lie below this number. */
  get slotCount(): number {
    return this.#slots.length;
  }

  node(name: string): NodeInfo | undefined {
    return this.#byName.get(name);
  }

  nodeAt(slot: number): NodeInfo | undefined {
    return this.#slots[slot];
  }

  /** Of a slot in use. */
  nodeNameAt(slot: number): string {
    return this.#names[slot] ?? '';
  }

  /** In no order that means anything. */
  *knownNodes(): Iterable<NodeInfo> {
    for (const node of this.#slots) if (node !== undefined) yield node;
  }

  /**
   * An attempt begins: from now on, and until the next one does, `nodeInfos` and the nodes' `images` are those of the
   * snapshot that it works with.
   */
  updateSnapshot(): void {
    this.#snapshot.update();
  }

  /** The same for somebody who only wants to know: it leaves no trace. */
  lendSnapshot(): void {
    this.#snapshot.lend();
  }

  nodeInfos(): readonly NodeInfo[] {
    return this.#snapshot.nodes();
  }

  /** Slots in snapshot order; another array whenever that is another. */
  snapshotOrder(): Int32Array {
    return this.#snapshot.order;
  }

  /** No node holds any image. */
  get hasNoImages(): boolean {
    return this.#snapshot.images.isEmpty;
  }

  get hasUnsettledImages(): boolean {
    return this.#snapshot.hasUnsettledImages;
  }

  areImagesSettled(names: readonly string[]): boolean {
    return this.#snapshot.areSettled(names);
  }

  nominatedPodsForNode(name: string): readonly PodInfo[] {
    return this.pods.nominated.forNode(name);
  }

  get hasNominations(): boolean {
    return !this.pods.nominated.isEmpty;
  }

  nominatedNodesOf(pod: PodInfo): readonly string[] {
    return this.pods.nominated.nodesOf(pod);
  }

  nominations(): Iterable<NominatedNode> {
    return this.pods.nominated.all();
  }

  addNode(node: Node): void {
    const name = node.metadata?.name ?? '';
    if (this.#byName.has(name)) throw new SchedulerError('AlreadyExists', `node ${name} exists already`);
    for (const observer of this.#observers) observer.reserve(this.#byName.size + 1);
    const slot = this.#freeSlots.pop() ?? this.#slots.length;
    const info = new NodeInfo(slot, this.#nextOrder, node);
    this.#nextOrder++;
    this.#slots[slot] = info;
    this.#names[slot] = name;
    this.#byName.set(name, info);
    this.#snapshot.nodeAdded(info);
    for (const observer of this.#observers) observer.nodeChanged(info);
    this.#append(info, 'node');
    this.pods.nodeAdded(info);
  }

  updateNode(node: Node): void {
    const info = this.#findNode(node.metadata?.name ?? '');
    const before = info.node;
    info.setNode(node);
    this.#snapshot.nodeUpdated(info, before);
    for (const observer of this.#observers) observer.nodeChanged(info);
    this.#append(info, 'node');
  }

  removeNode(name: string): void {
    const info = this.#findNode(name);
    this.#snapshot.nodeRemoved(info);
    this.pods.nodeRemoved(info);
    this.#byName.delete(name);
    this.#slots[info.slot] = undefined;
    this.#freeSlots.push(info.slot);
    for (const observer of this.#observers) observer.nodeRemoved(info);
    this.#append(info, 'node');
  }

  /** A pod came to the node, and was taken back before anybody saw it. */
  touch(node: NodeInfo): void {
    this.#snapshot.touch(node);
  }

  /** Pods came to the node. Only `ClusterPods` calls this. */
  podsAdded(node: NodeInfo, pods: readonly PodInfo[], arrival: Arrival): void {
    this.#snapshot.touch(node);
    for (const observer of this.#observers) observer.podsAdded(node, pods, arrival);
    this.#append(node, 'pods');
  }

  /** A pod left the node. Only `ClusterPods` calls this. */
  podRemoved(node: NodeInfo, pod: PodInfo): void {
    this.#snapshot.touch(node);
    for (const observer of this.#observers) observer.podRemoved(node, pod);
    this.#append(node, 'pods');
  }

  #append({ slot }: NodeInfo, reason: ChangeReason): void {
    this.changes.append(slot, reason, this.#slots.length);
  }

  #findNode(name: string): NodeInfo {
    const info = this.#byName.get(name);
    if (info === undefined) throw new SchedulerError('NotFound', `node ${name} is not known`);
    return info;
  }
}
