import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import type { HostPort } from '../host-ports.ts';
import { UsedPorts } from '../host-ports.ts';
import { NodeInfo } from '../node-info.ts';
import type { PodGroupStates } from '../pod-group-states.ts';
import { PodInfo, type PodRequirements } from '../pod-info.ts';
import { SchedulerError } from '../scheduler-error.ts';
import { haveSameRequirements, isAlike } from './alike-pods.ts';
import type { Arrival, ClusterObserver } from './cluster-observer.ts';
import type { NodeRecord, PodRecord, UsedPortsRecord } from './cluster-record.ts';
import { NominatedPods } from './nominated-pods.ts';
import { PodMap } from './pod-map.ts';

/** The slot of a ghost, which has no row in any column. */
const NO_SLOT = -1;

/** `nodeName`: the node of the pod; '' for a pod that is to be scheduled. */
export type RequirementsOf = (pod: Pod, nodeName: string) => PodRequirements;

/** The arrival of pods that no observer has charged yet. */
const UNCHARGED: Arrival = { chargedBy: null, mayHaveTerms: true, mayHavePortsOrStorage: true, isCounted: false };

/** The nodes on which pods are placed, which are notified of each change. */
export interface PodNodes {
  node(name: string): NodeInfo | undefined;
  nodeAt(slot: number): NodeInfo | undefined;
  podsAdded(node: NodeInfo, pods: readonly PodInfo[], arrival: Arrival): void;
  podRemoved(node: NodeInfo, pod: PodInfo): void;
  /** Reports that the object of a pod on the node was replaced; the sums of its pods are the same. */
  podReplaced(node: NodeInfo): void;
  /** Reports that a pod is nominated for the node, or no longer. */
  nominationsChanged(node: NodeInfo): void;
  /** Reports that the use of these host ports on the node may have changed. */
  portsChanged(node: NodeInfo, ports: readonly HostPort[]): void;
}

/**
 * THE LIFE OF A POD in the cluster state. Both schedulers, and both ways to a decision (index and cycle), use only
 * these steps:
 *
 *            add, without a node          add, with a node
 *   (none) ──────────────────────▶ pending ──────────────▶ on a node ──▶ remove ──▶ (none)
 *     │                           ▲   │                     ▲     │
 *     │                  nominate │   │ startAttempt        │     │ forget
 *     │                           │   ▼                     │     ▼
 *     └── startAttempt ───────▶ in an attempt ── assume ────┘   (none)
 *                                 │
 *                                 └── forget ──▶ as before the attempt
 *
 * `update` replaces a pod's object at any time. A pod may name an unknown node: it waits on a ghost of the node, and
 * counts as soon as the node is added. When a node is removed, its ghost stays until the last pod has left it. Finished
 * pods (Succeeded or Failed) are ignored: adding one does nothing, and a pod that finishes is removed. A pending pod
 * may have a nominated node, where room is kept for it.
 */
export class ClusterPods {
  /** All pods. A pod keeps its entry until it is removed. */
  readonly byName = new PodMap();
  readonly nominated: NominatedPods;
  /** The groups of pods; null if groups are not known. */
  groups: PodGroupStates | null = null;
  readonly #nodes: PodNodes;
  readonly #requirementsOf: RequirementsOf;
  /** The ghosts of unknown nodes that have pods, by name. */
  readonly #ghosts = new Map<string, NodeInfo>();
  /** Whether a copy of the cluster may have the same PodInfos of pods on nodes, so that they must not be changed. */
  #mayShare = false;

  constructor(nodes: PodNodes, requirementsOf: RequirementsOf) {
    this.#nodes = nodes;
    this.#requirementsOf = requirementsOf;
    this.nominated = new NominatedPods((nodeName) => {
      const node = nodes.node(nodeName);
      if (node !== undefined) nodes.nominationsChanged(node);
    });
  }

  get(namespace: string, name: string): PodInfo | undefined {
    return this.byName.get(namespace, name);
  }

  /** All pods, in no particular order. */
  all(): Iterable<PodInfo> {
    return this.byName.all();
  }

  info(pod: Pod, nodeName = pod.spec?.nodeName ?? ''): PodInfo {
    return new PodInfo(pod, this.#requirementsOf(pod, nodeName), nodeName);
  }

  /** The pod to be scheduled, with the node that an earlier attempt nominated for it. */
  toSchedule(pod: Pod): PodInfo {
    return this.withNomination(new PodInfo(pod, this.#requirementsOf(pod, ''), pod.spec?.nodeName ?? ''));
  }

  /** The pod with the node that is nominated for it at present. */
  withNomination(pod: PodInfo): PodInfo {
    const known = this.byName.get(pod.namespace, pod.name);
    const nominated = pod.pod.status?.nominatedNodeName || (known?.nominatedNodeName ?? '');
    if (nominated === pod.nominatedNodeName) return pod;
    return pod.withNodes(pod.nodeName, nominated);
  }

  /** Adds the pod, unless it has finished. Errors: AlreadyExists. */
  add(pod: Pod): void {
    if (!isPodFinished(pod)) this.#insert(this.info(pod));
  }

  /**
   * Replaces the pod, or adds it. An assumed node is kept until a bound pod names another. If nothing has changed that
   * decisions read, only the object is replaced. In both cases the pod becomes the last of its node's pods, as
   * upstream.
   */
  update(pod: Pod): void {
    this.replace(pod, this.byName.get(pod.metadata?.namespace || 'default', pod.metadata?.name ?? ''));
  }

  /** Does the same, where it is known what `get` returns for the pod. */
  replace(pod: Pod, old: PodInfo | undefined): void {
    const nodeName = pod.spec?.nodeName ?? '';
    const isFinished = isPodFinished(pod);
    if (old === undefined || isFinished) {
      if (old !== undefined) this.#remove(old);
      else if (!isFinished) this.#insert(this.info(pod));
      return;
    }
    if (nodeName !== '' && nodeName === old.nodeName && (old.pod === pod || isAlike(old.pod, pod))) {
      this.#replaceObject(old, pod);
      return;
    }
    // What matters of a pod on a node follows from its requests, ports and volumes.
    const isKnown = nodeName !== '' && nodeName === old.nodeName && haveSameRequirements(old.pod, pod);
    const info = isKnown ? new PodInfo(pod, old.requirements, nodeName) : this.info(pod);
    this.#remove(old);
    if (nodeName !== '') {
      this.#insert(info);
      return;
    }
    // A nomination is cleared only if the older object had it; otherwise the API may not have stored it yet.
    const isKept = info.nominatedNodeName === '' && !old.pod.status?.nominatedNodeName;
    const nominated = isKept ? old.nominatedNodeName : info.nominatedNodeName;
    this.#insert(new PodInfo(pod, info.requirements, old.nodeName, nominated));
  }

  /** Removes the pod. Errors: NotFound. */
  remove(namespace: string, name: string): void {
    const info = this.byName.get(namespace, name);
    if (info === undefined) throw new SchedulerError('NotFound', `pod ${namespace}/${name} is not known`);
    this.#remove(info);
  }

  /**
   * Begins a scheduling attempt for the pod, which ends with `assume` or `forget`. Returns the pod with the node that
   * an earlier attempt nominated for it; null if the pod is on a node, or has an attempt already.
   */
  startAttempt(pod: PodInfo): PodInfo | null {
    if (this.byName.add(pod)) {
      pod.hasAttempt = true;
      return pod;
    }
    const known = this.byName.get(pod.namespace, pod.name) as PodInfo;
    if (known.nodeName !== '' || known.hasAttempt) return null;
    known.hasAttempt = true;
    if (pod.nominatedNodeName !== '' || known.nominatedNodeName === '') return pod;
    return pod.withNodes('', known.nominatedNodeName);
  }

  /**
   * Charges a pod to the node that was chosen for it, before it is bound. The node may be a copy: extenders describe
   * nodes anew.
   */
  assume(pod: PodInfo, node: NodeInfo, chargedBy: ClusterObserver | null = null): void {
    this.assignNode(pod, node.name);
    const arrival = chargedBy === null ? UNCHARGED : { ...UNCHARGED, chargedBy };
    // In a large cluster, a look at the slot is much faster than one by name.
    if (this.#nodes.nodeAt(node.slot) !== node) {
      this.#put(pod, arrival);
      return;
    }
    pod.nodeSlot = node.slot;
    this.chargeNode(node, [pod], arrival);
  }

  /** The first half of `assume`: assigns the node to the pod, and does not charge the node yet. */
  assignNode(pod: PodInfo, nodeName: string): void {
    // Most pods were added when their attempt began, and have no nomination.
    if (!pod.hasAttempt || pod.nominatedNodeName !== '') this.#takePlaceOfPending(pod);
    pod.hasAttempt = false;
    pod.nodeName = nodeName;
    if (this.groups !== null) this.groups.scheduled(pod);
  }

  /** The second half of `assume`: charges the node with all pods that were assigned to it. It keeps the list. */
  chargeNode(node: NodeInfo, pods: PodInfo[], arrival = UNCHARGED): void {
    node.takePods(pods);
    this.#nodes.podsAdded(node, pods, arrival);
  }

  /** Reverts the pod's attempt: `startAttempt`, or `assume`. */
  forget(pod: PodInfo): void {
    const known = this.byName.get(pod.namespace, pod.name);
    if (known === undefined) return;
    if (known === pod && pod.nodeName !== '') {
      this.#remove(pod);
      pod.nodeName = '';
    } else if (known.hasAttempt) {
      known.hasAttempt = false;
      if (known === pod) this.byName.delete(pod);
    }
  }

  /**
   * Reverts `startAttempt`, of which `pending` is the pod that was then known by this name, unless the pod was replaced
   * or removed since.
   */
  forgetAttempt(pod: PodInfo, pending: PodInfo): void {
    if (this.byName.get(pod.namespace, pod.name) === pending) this.forget(pod);
  }

  /** Makes the pod pending, with room kept for it on the node; '' clears its nomination. */
  nominate(pod: PodInfo, nodeName: string): void {
    const pending = this.byName.get(pod.namespace, pod.name);
    if (pending !== undefined) this.#remove(pending);
    this.#insert(pod.withNodes('', nodeName));
  }

  /** The pending pods, those with a nomination first. An attempt that has begun is not part of a record. */
  recordPending(): PodRecord[] {
    const nominated = [...this.nominated.all()].flatMap(({ pods }) => pods);
    const others = [...this.byName.all()].filter((pod) => pod.nodeName === '' && pod.nominatedNodeName === '');
    return [...nominated, ...others].map(podRecord);
  }

  recordGhosts(): NodeRecord[] {
    return Array.from(this.#ghosts.values(), nodeRecord);
  }

  /** Takes over the pods of another cluster, of which the nodes are copied already. */
  copyFrom(other: ClusterPods): void {
    this.#mayShare = true;
    other.#mayShare = true;
    const pending = new Map<PodInfo, PodInfo>();
    this.byName.copyFrom(other.byName, (pod) => {
      const copy = new PodInfo(pod.pod, pod.requirements, '', pod.nominatedNodeName, pod);
      pending.set(pod, copy);
      return copy;
    });
    for (const [name, ghost] of other.#ghosts) this.#ghosts.set(name, ghost.clone());
    for (const { pods } of other.nominated.all()) for (const pod of pods) this.nominated.add(pending.get(pod) ?? pod);
  }

  /** Loads the pods of a node, of which there are none yet. */
  loadNode(node: NodeInfo, { pods, usedPorts }: NodeRecord): void {
    const infos = pods.map((pod) => this.#load(pod));
    if (this.groups !== null) for (const info of infos) this.groups.scheduled(info);
    if (infos.length > 0) this.chargeNode(node, infos);
    if (usedPorts.length > 0) node.restoreUsedPorts(usedPortsOf(usedPorts));
  }

  loadGhost({ node, pods, usedPorts }: NodeRecord): void {
    const ghost = this.#ghostOf(node.metadata?.name ?? '');
    ghost.addPods(pods.map((pod) => this.#load(pod)));
    if (usedPorts.length > 0) ghost.restoreUsedPorts(usedPortsOf(usedPorts));
  }

  loadPending(pods: readonly PodRecord[]): void {
    for (const pod of pods) this.nominated.add(this.#load(pod));
  }

  #load({ pod, requirements, nodeName, nominatedNodeName }: PodRecord): PodInfo {
    const info = new PodInfo(pod, requirements ?? this.#requirementsOf(pod, nodeName), nodeName, nominatedNodeName);
    this.byName.add(info);
    return info;
  }

  /** Moves the pods of the node's ghost to the node. */
  nodeAdded(node: NodeInfo): void {
    const ghost = this.#ghosts.get(node.name);
    if (ghost === undefined) return;
    for (const pod of ghost.pods) this.chargeNode(node, [pod]);
    node.inherit(ghost);
    this.#ghosts.delete(node.name);
  }

  /** Moves the node's pods to its ghost. */
  nodeRemoved(node: NodeInfo): void {
    if (node.pods.length === 0) return;
    this.#ghosts.set(node.name, node.clone());
    for (const pod of [...node.pods]) this.#takeOff(node, pod);
  }

  #takePlaceOfPending(pod: PodInfo): void {
    const pending = this.byName.get(pod.namespace, pod.name);
    if (pending === undefined) {
      this.byName.add(pod);
      return;
    }
    this.nominated.remove(pending);
    if (pending !== pod) this.byName.replace(pod);
  }

  #replaceObject(known: PodInfo, newer: Pod): void {
    const node = this.#nodeOf(known);
    const place = node ?? this.#ghosts.get(known.nodeName);
    const pod = this.#mayShare ? new PodInfo(newer, known.requirements, known.nodeName) : known;
    if (pod === known) {
      pod.pod = newer;
      pod.metadataForm = null;
    } else {
      this.byName.replace(pod);
      place?.replacePod(known, pod);
    }
    if (node !== undefined) {
      this.#nodes.podReplaced(node);
      // A port that another pod has freed is in use again.
      const { hostPorts } = pod.requirements;
      if (hostPorts.length > 0) this.#nodes.portsChanged(node, hostPorts);
    }
    place?.moveToEnd(pod);
  }

  #insert(pod: PodInfo): void {
    if (!this.byName.add(pod)) throw new SchedulerError('AlreadyExists', `pod ${pod.key} exists already`);
    if (pod.nodeName === '') {
      this.nominated.add(pod);
      return;
    }
    if (this.groups !== null) this.groups.scheduled(pod);
    this.#put(pod, UNCHARGED);
  }

  /** Puts the pod on the node that it names, or on its ghost. */
  #put(pod: PodInfo, arrival: Arrival): void {
    const node = this.#nodes.node(pod.nodeName);
    if (node === undefined) this.#ghostOf(pod.nodeName).addPods([pod]);
    else this.chargeNode(node, [pod], arrival);
  }

  /** The node of the pod. In a large cluster, a look at the slot is much faster than one by name. */
  #nodeOf(pod: PodInfo): NodeInfo | undefined {
    const { nodeName, nodeSlot } = pod;
    const probable = nodeSlot < 0 ? undefined : this.#nodes.nodeAt(nodeSlot);
    if (probable?.name === nodeName) return probable;
    const node = this.#nodes.node(nodeName);
    if (node !== undefined) pod.nodeSlot = node.slot;
    return node;
  }

  #ghostOf(nodeName: string): NodeInfo {
    let ghost = this.#ghosts.get(nodeName);
    if (ghost === undefined) {
      ghost = new NodeInfo(NO_SLOT, NO_SLOT, { metadata: { name: nodeName } });
      this.#ghosts.set(nodeName, ghost);
    }
    return ghost;
  }

  #remove(pod: PodInfo): void {
    this.byName.delete(pod);
    if (pod.nodeName === '') {
      this.nominated.remove(pod);
      return;
    }
    if (this.groups !== null) this.groups.unscheduled(pod);
    const node = this.#nodeOf(pod);
    if (node !== undefined) {
      this.#takeOff(node, pod);
      return;
    }
    const ghost = this.#ghosts.get(pod.nodeName);
    ghost?.removePod(pod);
    if (ghost?.pods.length === 0) this.#ghosts.delete(pod.nodeName);
  }

  #takeOff(node: NodeInfo, pod: PodInfo): void {
    node.removePod(pod);
    this.#nodes.podRemoved(node, pod);
  }
}

export function nodeRecord({ name, node, pods, usedPorts }: NodeInfo): NodeRecord {
  // A caller may have changed the object meanwhile, but the record must know it by its name.
  const named = node.metadata?.name === name ? node : { ...node, metadata: { ...node.metadata, name } };
  return { node: named, pods: pods.map(podRecord), usedPorts: usedPorts.entries() };
}

function podRecord({ name, namespace, pod, requirements, nodeName, nominatedNodeName }: PodInfo): PodRecord {
  const { metadata } = pod;
  const isNamed = metadata?.name === name && (metadata.namespace || 'default') === namespace;
  const named = isNamed ? pod : { ...pod, metadata: { ...metadata, name, namespace } };
  return { pod: named, requirements, nodeName, nominatedNodeName };
}

function usedPortsOf(record: UsedPortsRecord): UsedPorts {
  return new UsedPorts(new Map(record.map(([key, addresses]) => [key, new Set(addresses)])));
}
