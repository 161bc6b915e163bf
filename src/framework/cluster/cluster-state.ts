import type { Node } from '../../api/node.ts';
import { assert } from '../../lib/assert.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { HostPort } from '../host-ports.ts';
import { NodeInfo } from '../node-info.ts';
import type { PodNominator, Snapshot } from '../plugin.ts';
import { NO_MEMBERS, type PodGroupState } from '../pod-group-states.ts';
import type { PodInfo } from '../pod-info.ts';
import { SchedulerError } from '../scheduler-error.ts';
import { ClaimUsers } from './claim-users.ts';
import type { Arrival, ClusterObserver } from './cluster-observer.ts';
import { ClusterPods, nodeRecord, type RequirementsOf } from './cluster-pods.ts';
import type { ClusterRecord } from './cluster-record.ts';
import { ClusterSnapshot } from './cluster-snapshot.ts';
import type { Slots } from './image-holders.ts';
import { type ChangeReason, NodeChanges } from './node-changes.ts';
import type { NominatedNode } from './nominated-pods.ts';
import { PortUsers } from './port-users.ts';

/**
 * The nodes and the pods on them. Every change is made here, and is passed to three kinds of readers:
 *
 *   snapshot     the nodes as attempts read them         `ClusterSnapshot`, called with each change
 *   observers    columns and counts of an engine         `ClusterObserver`, called with each change
 *   changes      verdicts, kept rows, plugins' columns   `NodeChanges`, read when these are used
 */
export class ClusterState implements Snapshot, PodNominator {
  readonly objects = new ClusterObjects();
  readonly pods: ClusterPods;
  /** The changed nodes, for readers that catch up when they are used. */
  readonly changes = new NodeChanges();
  readonly #claimUsers = new ClaimUsers({
    changes: this.changes,
    nodeAt: (slot) => this.#slots[slot],
    slotCount: () => this.#slots.length,
  });
  /** A number that changes when a node is added, updated or removed. */
  nodesVersion = 0;
  readonly #slots: (NodeInfo | undefined)[] = [];
  /** The names by slot, which are faster to read than through three objects. */
  #names: string[] = [];
  /** Whether somebody holds the list of names, so that a name in it must not change. */
  #namesAreHeld = false;
  readonly #freeSlots: number[] = [];
  readonly #portUsers = new PortUsers();
  readonly #byName = new Map<string, NodeInfo>();
  readonly #observers: ClusterObserver[] = [];
  readonly #snapshot: ClusterSnapshot;
  #nextOrder = 0;

  constructor(requirementsOf: RequirementsOf) {
    this.pods = new ClusterPods(this, requirementsOf);
    this.#snapshot = new ClusterSnapshot({
      nodeAt: (slot) => this.#slots[slot],
      slotCount: () => this.#slots.length,
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

  /** All slots in use lie below this number. */
  get slotCount(): number {
    return this.#slots.length;
  }

  node(name: string): NodeInfo | undefined {
    return this.#byName.get(name);
  }

  nodeAt(slot: number): NodeInfo | undefined {
    return this.#slots[slot];
  }

  /** The name of the node in a slot that is in use. */
  nodeNameAt(slot: number): string {
    return this.#names[slot] ?? '';
  }

  /** The names of the nodes by slot. When another node takes a slot, this list stays; new slots may follow in it. */
  holdNodeNames(): readonly string[] {
    this.#namesAreHeld = true;
    return this.#names;
  }

  /** The present nodes, in no particular order. */
  *knownNodes(): Iterable<NodeInfo> {
    for (const node of this.#slots) if (node !== undefined) yield node;
  }

  /**
   * Updates the snapshot when an attempt begins. Until the next attempt, `nodeInfos` and the nodes' `images` are those
   * of this snapshot.
   */
  updateSnapshot(): void {
    this.#snapshot.update();
  }

  /** Updates the snapshot for an explanation, without an effect on the next attempt. */
  lendSnapshot(): void {
    this.#snapshot.lend();
  }

  nodeInfos(): readonly NodeInfo[] {
    return this.#snapshot.nodes();
  }

  /** The slots in snapshot order. The array is replaced, never changed. */
  snapshotOrder(): Int32Array {
    return this.#snapshot.order;
  }

  /** The slots of all nodes on which one of these host ports may be in use; null stands for any port. */
  slotsWithPorts(ports: readonly number[] | null): ReadonlySet<number> {
    return this.#portUsers.slotsWith(ports);
  }

  isClaimUsed(namespace: string, claimName: string): boolean {
    return this.#claimUsers.isUsed(namespace, claimName);
  }

  /** Whether no node has images. */
  get hasNoImages(): boolean {
    return this.#snapshot.images.isEmpty;
  }

  /** The slots of the nodes that hold an image, during an attempt. */
  imageHolders(image: string): Slots {
    return this.#snapshot.holdersOf(image);
  }

  get hasStaleImages(): boolean {
    return this.#snapshot.hasStaleImages;
  }

  areImagesUpToDate(names: readonly string[]): boolean {
    return this.#snapshot.areUpToDate(names);
  }

  /** The version of the nodes' images since which all of them show the image as it is now. */
  imageSince(image: string): number {
    return this.#snapshot.images.since(image);
  }

  nominatedPodsForNode(name: string): readonly PodInfo[] {
    return this.pods.nominated.forNode(name);
  }

  podGroupState(namespace: string, name: string): PodGroupState {
    return this.pods.groups?.get(namespace, name) ?? NO_MEMBERS;
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

  /** A record of the whole state. */
  record(): ClusterRecord {
    const nodes = [...this.knownNodes()].sort((a, b) => a.order - b.order);
    return {
      nodes: nodes.map(nodeRecord),
      ghosts: this.pods.recordGhosts(),
      pending: this.pods.recordPending(),
      objects: [...this.objects.all()],
      assumed: [...this.objects.allAssumed()],
      snapshot: this.#snapshot.record((slot) => this.nodeNameAt(slot)),
    };
  }

  /** Loads a record into an empty cluster. */
  load(record: ClusterRecord): void {
    const { nodes, ghosts, pending, objects, assumed, snapshot } = record;
    for (const observer of this.#observers) observer.reserve(nodes.length);
    for (const [kind, object] of objects) this.objects.set(kind, object);
    for (const [kind, object] of assumed) this.objects.assume(kind, object);
    for (const [slot, { node }] of nodes.entries()) {
      const info = new NodeInfo(slot, slot, node);
      this.#slots[slot] = info;
      this.#names[slot] = info.name;
      this.#byName.set(info.name, info);
    }
    this.#nextOrder = nodes.length;
    this.nodesVersion += nodes.length;
    this.#snapshot.load(snapshot, this.#byName);
    for (const [slot, node] of nodes.entries()) {
      const info = this.#slots[slot] as NodeInfo;
      const { isTouched } = info;
      for (const observer of this.#observers) observer.nodeChanged(info);
      this.#append(info, 'node');
      // The images stay those of the recorded snapshot, though pods are added here.
      info.isTouched = true;
      this.pods.loadNode(info, node);
      info.isTouched = isTouched;
    }
    for (const ghost of ghosts) this.pods.loadGhost(ghost);
    this.pods.loadPending(pending);
  }

  /**
   * Takes over the whole state of another cluster, of the same profiles, while this one is empty. Nodes are in the same
   * slots, so that columns can be copied.
   */
  copyFrom(other: ClusterState): void {
    const slots = other.#slots.length;
    for (const observer of this.#observers) observer.reserve(slots);
    for (const [kind, object] of other.objects.all()) this.objects.set(kind, object);
    for (const [kind, object] of other.objects.allAssumed()) this.objects.assume(kind, object);
    for (let slot = 0; slot < slots; slot++) {
      const info = other.#slots[slot]?.cloneWithoutImages();
      this.#slots.push(info);
      this.#names.push(other.#names[slot] ?? '');
      if (info !== undefined) this.#byName.set(this.nodeNameAt(slot), info);
    }
    for (const slot of other.#freeSlots) this.#freeSlots.push(slot);
    this.#portUsers.copyFrom(other.#portUsers);
    this.#nextOrder = other.#nextOrder;
    this.nodesVersion = other.nodesVersion;
    this.#snapshot.copyFrom(other.#snapshot);
    this.pods.copyFrom(other.pods);
    for (const [i, observer] of this.#observers.entries()) {
      const origin = other.#observers[i];
      assert(origin !== undefined, 'the other cluster has as many observers');
      observer.clusterCopied(origin);
    }
  }

  addNode(node: Node): void {
    const name = node.metadata?.name ?? '';
    if (this.#byName.has(name)) throw new SchedulerError('AlreadyExists', `node ${name} exists already`);
    for (const observer of this.#observers) observer.reserve(this.#byName.size + 1);
    const slot = this.#freeSlots.pop() ?? this.#slots.length;
    const info = new NodeInfo(slot, this.#nextOrder, node);
    this.#nextOrder++;
    this.#slots[slot] = info;
    if (this.#namesAreHeld && slot < this.#names.length) {
      this.#names = this.#names.slice();
      this.#namesAreHeld = false;
    }
    this.#names[slot] = name;
    this.#byName.set(name, info);
    this.nodesVersion++;
    this.#snapshot.nodeAdded(info);
    for (const observer of this.#observers) observer.nodeChanged(info);
    this.#append(info, 'node');
    this.pods.nodeAdded(info);
  }

  updateNode(node: Node): void {
    const info = this.#findNode(node.metadata?.name ?? '');
    info.setNode(node);
    this.nodesVersion++;
    this.#snapshot.nodeUpdated(info);
    for (const observer of this.#observers) observer.nodeChanged(info);
    this.#append(info, 'node');
  }

  removeNode(name: string): void {
    const info = this.#findNode(name);
    this.#snapshot.nodeRemoved(info);
    this.pods.nodeRemoved(info);
    this.#byName.delete(name);
    this.#slots[info.slot] = undefined;
    this.#portUsers.remove(info.slot);
    this.nodesVersion++;
    this.#freeSlots.push(info.slot);
    for (const observer of this.#observers) observer.nodeRemoved(info);
    this.#append(info, 'node');
  }

  /** Marks the node as changed for snapshots: a pod was reserved on it, and unreserved again. */
  touch(node: NodeInfo): void {
    this.#snapshot.touch(node);
  }

  /** Notifies the readers of pods that were added to the node. Only `ClusterPods` calls this. */
  podsAdded(node: NodeInfo, pods: readonly PodInfo[], arrival: Arrival): void {
    this.#snapshot.touch(node);
    for (const observer of this.#observers) observer.podsAdded(node, pods, arrival);
    this.#append(node, 'pods');
    // Pods that were assigned thousands of pods ago are not in the cache any more.
    if (!arrival.mayHavePortsOrStorage) return;
    for (let i = 0; i < pods.length; i++) {
      const { hostPorts, hasStorage } = (pods[i] as PodInfo).requirements;
      if (hostPorts.length > 0) this.portsChanged(node, hostPorts);
      if (hasStorage) this.#append(node, 'storage');
    }
  }

  /** Notifies the readers of a pod that was removed from the node. Only `ClusterPods` calls this. */
  podRemoved(node: NodeInfo, pod: PodInfo): void {
    this.#snapshot.touch(node);
    for (const observer of this.#observers) observer.podRemoved(node, pod);
    this.#append(node, 'pods');
    const { hostPorts } = pod.requirements;
    if (hostPorts.length > 0) this.portsChanged(node, hostPorts);
    if (pod.requirements.hasStorage) this.#append(node, 'storage');
  }

  /** Notifies the readers of host ports on the node. Only `ClusterPods` calls this from outside. */
  portsChanged(node: NodeInfo, ports: readonly HostPort[]): void {
    this.#portUsers.add(node.slot, ports);
    this.#append(node, 'ports');
  }

  /** Notifies the readers of pods that are nominated for the node, or no longer. Only `ClusterPods` calls this. */
  nominationsChanged(node: NodeInfo): void {
    node.touch();
    this.#append(node, 'nominations');
  }

  /** Notifies the readers of a pod on the node whose object was replaced. Only `ClusterPods` calls this. */
  podReplaced(node: NodeInfo): void {
    this.#snapshot.touch(node);
    this.#append(node, 'replaced');
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
