import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import { assert } from '../../lib/assert.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import { NodeInfo } from '../node-info.ts';
import type { PodNominator, Snapshot } from '../plugin.ts';
import { PodInfo, type PodRequirements } from '../pod-info.ts';
import { SchedulerError } from '../scheduler-error.ts';
import { isAlike } from './alike-pods.ts';
import type { ClusterObserver } from './cluster-observer.ts';
import { ClusterSnapshot } from './cluster-snapshot.ts';
import { type NominatedNode, NominatedPods } from './nominated-pods.ts';
import { PodMap } from './pod-map.ts';

/** Of a ghost, which stands in no column. */
const NO_SLOT = -1;

/** `nodeName`: where the pod is; '' for one that is to be scheduled. */
export type RequirementsOf = (pod: Pod, nodeName: string) => PodRequirements;

/**
 * Nodes, and the pods on them.
 *
 *            addPod, no nodeName            addPod with nodeName, or assume
 *   (none) ───────────────────▶ pending ─────────────────────────▶ on a node
 *                                  │                                  │
 *                                  └──────────── removePod ───────────┘──▶ (none)
 *
 * A pod may name a node that is not known (yet): it waits on a ghost of the node, and counts as soon as the node
 * appears; when a node is removed, its ghost stays until the last pod has left it. Pods in phase Succeeded or Failed
 * are invisible: adding one does nothing, and a pod that becomes one is removed. A pending pod may have a nominated
 * node, where room is kept for it.
 */
export class ClusterState implements Snapshot, PodNominator {
  readonly objects = new ClusterObjects();
  readonly #requirementsOf: RequirementsOf;
  readonly #slots: (NodeInfo | undefined)[] = [];
  /** By slot: to know a name is not worth going to three objects. */
  readonly #names: string[] = [];
  readonly #freeSlots: number[] = [];
  readonly #byName = new Map<string, NodeInfo>();
  readonly #pods = new PodMap();
  /** Nodes that are not known, with pods on them. */
  readonly #ghosts = new Map<string, NodeInfo>();
  readonly #nominated = new NominatedPods((nodeName) => this.#byName.get(nodeName)?.touch());
  readonly #observers: ClusterObserver[] = [];
  readonly #snapshot: ClusterSnapshot;
  #nextOrder = 0;

  constructor(requirementsOf: RequirementsOf) {
    this.#requirementsOf = requirementsOf;
    this.#snapshot = new ClusterSnapshot({
      nodeAt: (slot) => this.#slots[slot],
      imagesChanged: (node) => {
        for (const observer of this.#observers) observer.imagesChanged(node);
      },
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

  pod(namespace: string, name: string): PodInfo | undefined {
    return this.#pods.get(namespace, name);
  }

  podInfo(pod: Pod, nodeName = pod.spec?.nodeName ?? ''): PodInfo {
    return new PodInfo(pod, this.#requirementsOf(pod, nodeName), nodeName);
  }

  nominatedPodsForNode(name: string): readonly PodInfo[] {
    return this.#nominated.forNode(name);
  }

  /** For a queue, which nominates pods that nobody else knows. */
  get nominatedPods(): NominatedPods {
    return this.#nominated;
  }

  get hasNominations(): boolean {
    return !this.#nominated.isEmpty;
  }

  nominatedNodesOf(pod: PodInfo): readonly string[] {
    return this.#nominated.nodesOf(pod);
  }

  nominations(): Iterable<NominatedNode> {
    return this.#nominated.all();
  }

  /** A pod that is to be scheduled, with the node that an earlier attempt nominated for it. */
  podToSchedule(pod: Pod): PodInfo {
    const info = new PodInfo(pod, this.#requirementsOf(pod, ''), pod.spec?.nodeName ?? '');
    const known = this.#pods.get(info.namespace, info.name);
    if (info.nominatedNodeName !== '' || known === undefined || known.nominatedNodeName === '') return info;
    return new PodInfo(pod, info.requirements, info.nodeName, known.nominatedNodeName);
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
    const ghost = this.#ghosts.get(name);
    if (ghost === undefined) return;
    for (const pod of ghost.pods) this.#place(info, pod);
    info.inherit(ghost);
    this.#ghosts.delete(name);
  }

  updateNode(node: Node): void {
    const info = this.#findNode(node.metadata?.name ?? '');
    const before = info.node;
    info.setNode(node);
    this.#snapshot.nodeUpdated(info, before);
    for (const observer of this.#observers) observer.nodeChanged(info);
  }

  removeNode(name: string): void {
    const info = this.#findNode(name);
    this.#snapshot.nodeRemoved(info);
    if (info.pods.length > 0) this.#ghosts.set(name, info.clone());
    for (const pod of [...info.pods]) this.#unplace(info, pod);
    this.#byName.delete(name);
    this.#slots[info.slot] = undefined;
    this.#freeSlots.push(info.slot);
    for (const observer of this.#observers) observer.nodeRemoved(info);
  }

  addPod(pod: Pod): void {
    if (isPodFinished(pod)) return;
    this.#insert(this.podInfo(pod));
  }

  /**
   * Replaces the pod; one that the scheduler has not seen is added. An assumed node is kept until a bound pod says
   * otherwise.
   */
  updatePod(pod: Pod): void {
    const info = this.podInfo(pod);
    const old = this.#pods.get(info.namespace, info.name);
    if (old !== undefined) this.#remove(old);
    if (isPodFinished(pod)) return;
    if (info.nodeName !== '' || old === undefined) {
      this.#insert(info);
      return;
    }
    // The nomination may not have reached this object yet: only one that shows and then does not is gone.
    const isKept = info.nominatedNodeName === '' && !old.pod.status?.nominatedNodeName;
    const nominated = isKept ? old.nominatedNodeName : info.nominatedNodeName;
    this.#insert(new PodInfo(pod, info.requirements, old.nodeName, nominated));
  }

  removePod(namespace: string, name: string): void {
    const info = this.#pods.get(namespace, name);
    if (info === undefined) throw new SchedulerError('NotFound', `pod ${namespace}/${name} is not known`);
    this.#remove(info);
  }

  /** Charges a pod to the node that was chosen for it, before anybody has bound it. */
  assume(pod: PodInfo, node: NodeInfo): void {
    const pending = this.#pods.get(pod.namespace, pod.name);
    if (pending !== undefined) this.#remove(pending);
    this.#insert(new PodInfo(pod.pod, pod.requirements, node.name));
  }

  /**
   * A pod that is to be scheduled, with the node that an earlier attempt nominated for it. Until it is settled, assumed
   * or forgotten no other of its name can be expected. Errors: AlreadyExists.
   */
  expect(pod: Pod, requirements: PodRequirements): PodInfo {
    let info = new PodInfo(pod, requirements, '');
    if (this.#pods.add(info)) {
      info.isExpected = true;
      return info;
    }
    const known = this.#pods.get(info.namespace, info.name) as PodInfo;
    if (known.nodeName !== '') {
      throw new SchedulerError('AlreadyExists', `pod ${info.key} is on node ${known.nodeName} already`);
    }
    if (known.isExpected) throw new SchedulerError('AlreadyExists', `pod ${info.key} is twice in the batch`);
    known.isExpected = true;
    if (info.nominatedNodeName === '' && known.nominatedNodeName !== '') {
      info = new PodInfo(pod, requirements, '', known.nominatedNodeName);
    }
    return info;
  }

  /** The nomination of an expected pod may be another by now. */
  renominated(pod: PodInfo): PodInfo {
    const known = this.#pods.get(pod.namespace, pod.name);
    const nominated = pod.pod.status?.nominatedNodeName || (known?.nominatedNodeName ?? '');
    return nominated === pod.nominatedNodeName ? pod : new PodInfo(pod.pod, pod.requirements, '', nominated);
  }

  /** The same of a pod that is known to nobody here yet; false, and nothing changed, when there is one of that name. */
  expectNew(pod: PodInfo): boolean {
    if (!this.#pods.add(pod)) return false;
    pod.isExpected = true;
    return true;
  }

  /** Takes back an `expect` of a pod that has no node yet. */
  forget(pod: PodInfo): void {
    const known = this.#pods.get(pod.namespace, pod.name);
    if (known === undefined || !known.isExpected) return;
    known.isExpected = false;
    if (known === pod) this.#pods.delete(pod);
  }

  /** An expected pod goes to the node in a slot, which must be told of it: `arrive`. */
  settle(pod: PodInfo, slot: number): void {
    pod.nodeName = this.nodeNameAt(slot);
    if (pod.isExpected) pod.isExpected = false;
    else this.#pods.replace(pod);
  }

  /** Settled pods come to their node; all observers are told but `knowing`, who placed them there. */
  arrive(pods: readonly PodInfo[], node: NodeInfo, knowing: ClusterObserver): void {
    node.addPods(pods);
    this.#snapshot.touch(node);
    if (this.#observers.length === 1) return;
    for (const observer of this.#observers) {
      if (observer !== knowing) for (const pod of pods) observer.podAdded(node, pod);
    }
  }

  /** A pod of a queue, which keeps pending pods itself, goes to a node. Errors: AlreadyExists. */
  place(pod: PodInfo, node: NodeInfo): void {
    pod.nodeName = node.name;
    this.#insert(pod);
  }

  /** Takes such a pod off its node, wherever that is by now. */
  takeBack(pod: PodInfo): void {
    this.#remove(pod);
    pod.nodeName = '';
  }

  /**
   * A newer object of a pod that stays on its node. Where nothing changed that decisions look at, only the object is
   * replaced; otherwise, as by `updatePod`, the pod comes anew. Either way it is the last of its node's pods then.
   */
  refresh(pod: PodInfo, newer: Pod): PodInfo {
    const node = this.#byName.get(pod.nodeName) ?? this.#ghosts.get(pod.nodeName);
    if (pod.pod === newer || (pod.nodeName === newer.spec?.nodeName && isAlike(pod.pod, newer))) {
      pod.pod = newer;
      if (node !== undefined) this.touch(node);
      node?.moveToEnd(pod);
      return pod;
    }
    this.#remove(pod);
    const info = this.podInfo(newer);
    this.#insert(info);
    return info;
  }

  /** A pod came to the node, and was taken back before anybody saw it. */
  touch(node: NodeInfo): void {
    this.#snapshot.touch(node);
  }

  /** Makes the pod pending, with room kept for it on the node; '' takes its nomination back. */
  nominate(pod: PodInfo, nodeName: string): void {
    const pending = this.#pods.get(pod.namespace, pod.name);
    if (pending !== undefined) this.#remove(pending);
    this.#insert(new PodInfo(pod.pod, pod.requirements, '', nodeName));
  }

  #insert(pod: PodInfo): void {
    if (!this.#pods.add(pod)) throw new SchedulerError('AlreadyExists', `pod ${pod.key} exists already`);
    if (pod.nodeName === '') {
      this.#nominated.add(pod);
      return;
    }
    const node = this.#byName.get(pod.nodeName);
    if (node !== undefined) {
      this.#place(node, pod);
      return;
    }
    let ghost = this.#ghosts.get(pod.nodeName);
    if (ghost === undefined) {
      ghost = new NodeInfo(NO_SLOT, NO_SLOT, { metadata: { name: pod.nodeName } });
      this.#ghosts.set(pod.nodeName, ghost);
    }
    ghost.addPod(pod);
  }

  #remove(pod: PodInfo): void {
    this.#pods.delete(pod);
    if (pod.nodeName === '') {
      this.#nominated.remove(pod);
      return;
    }
    const node = this.#byName.get(pod.nodeName);
    if (node !== undefined) {
      this.#unplace(node, pod);
      return;
    }
    const ghost = this.#ghosts.get(pod.nodeName);
    ghost?.removePod(pod);
    if (ghost?.pods.length === 0) this.#ghosts.delete(pod.nodeName);
  }

  #place(node: NodeInfo, pod: PodInfo): void {
    node.addPod(pod);
    this.#snapshot.touch(node);
    for (const observer of this.#observers) observer.podAdded(node, pod);
  }

  #unplace(node: NodeInfo, pod: PodInfo): void {
    node.removePod(pod);
    this.#snapshot.touch(node);
    for (const observer of this.#observers) observer.podRemoved(node, pod);
  }

  #findNode(name: string): NodeInfo {
    const info = this.#byName.get(name);
    if (info === undefined) throw new SchedulerError('NotFound', `node ${name} is not known`);
    return info;
  }
}
