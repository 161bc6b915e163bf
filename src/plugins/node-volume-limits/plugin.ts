import type { Pod } from '../../api/pod.ts';
import type { CSINode } from '../../api/storage.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { ClusterEventWithHint } from '../../framework/events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeTally } from '../../framework/node-tally.ts';
import {
  type FilterPlugin,
  LOOKS_AT_NOTHING,
  type NodeFeed,
  type NodeParts,
  type PreFilterPlugin,
  type Snapshot,
} from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { errorStatus, type Status, skip, unresolvable, unschedulable } from '../../framework/status.ts';
import { memoized } from '../../lib/memoized.ts';
import { mayAttachVolumes, type VolumeProblem } from './attachable-volumes.ts';
import { type Attached, AttachedVolumes } from './attached-volumes.ts';
import { CrowdedNodes } from './crowded-nodes.ts';
import { NODE_VOLUME_LIMITS_EVENTS } from './hints.ts';
import { WantedVolumes } from './wanted-volumes.ts';

export const NODE_VOLUME_LIMITS = 'NodeVolumeLimits';

const MAX_VOLUME_COUNT_EXCEEDED = 'node(s) exceed max volume count';

/** Rejects nodes to which a CSI driver can attach no more volumes (upstream's nodevolumelimits/csi.go). */
export class NodeVolumeLimits implements PreFilterPlugin, FilterPlugin {
  readonly name = NODE_VOLUME_LIMITS;
  readonly filterReads = 'cluster';
  readonly #objects: ClusterObjects;
  readonly #wanted: WantedVolumes;
  readonly #attached: AttachedVolumes;
  readonly #crowded: CrowdedNodes;

  constructor({ objects }: Pick<Snapshot, 'objects'>) {
    this.#objects = objects;
    this.#wanted = new WantedVolumes(objects);
    this.#attached = new AttachedVolumes(objects);
    this.#crowded = new CrowdedNodes({ objects, attached: this.#attached, limitsOf: volumeLimits, lowestLimitOf });
  }

  concerns(pod: Pod): boolean {
    return mayAttachVolumes(pod);
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return NODE_VOLUME_LIMITS_EVENTS;
  }

  preFilter(_state: CycleState, pod: PodInfo): Status | null {
    return mayAttachVolumes(pod.pod) ? null : skip(this.name);
  }

  /** Only the limits of a CSINode tell nodes apart, and only for a pod with volumes that drivers attach. */
  attemptLooksAt(_state: CycleState, pod: PodInfo): NodeParts | null {
    if (this.#objects.isEmpty('CSINode')) return LOOKS_AT_NOTHING;
    const { problem, volumes } = this.#wanted.of(pod, true);
    return problem === null && volumes.size === 0 ? LOOKS_AT_NOTHING : null;
  }

  attemptSuspects(_state: CycleState, pod: PodInfo, nodes: NodeFeed): ReadonlySet<number> | null {
    const { problem, volumes } = this.#wanted.of(pod, true);
    return problem === null ? this.#crowded.slots(countByDriver(volumes, NO_VOLUMES), nodes) : null;
  }

  /** Pods without such volumes need no room, and PreFilter rejects none. */
  attemptRoom(pod: PodInfo, nodes: NodeFeed): number {
    const { problem, volumes } = this.#wanted.of(pod, true);
    return problem === null ? this.#crowded.room(countByDriver(volumes, NO_VOLUMES), nodes) : 0;
  }

  filter(_state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    const csiNode = this.#objects.get('CSINode', node.name);
    const hasCSINode = csiNode !== undefined;
    const wanted = this.#wanted.of(pod, hasCSINode);
    if (wanted.problem !== null) return this.#rejected(wanted.problem);
    if (csiNode === undefined || wanted.volumes.size === 0) return null;
    const limits = volumeLimits(csiNode);
    if (limits.size === 0 || this.#isFarBelow(csiNode, node, wanted.volumes.size)) return null;
    return this.#answer(wanted.volumes, limits, this.#attached.on(node, hasCSINode));
  }

  tally(_state: CycleState, pod: PodInfo, node: NodeInfo, expected: readonly PodInfo[]): NodeTally | null {
    const csiNode = this.#objects.get('CSINode', node.name);
    if (csiNode === undefined) return null;
    const wanted = this.#wanted.of(pod, true);
    const limits = volumeLimits(csiNode);
    if (wanted.problem !== null || wanted.volumes.size === 0 || limits.size === 0) return null;
    // Where even all volumes together have room, it does not matter which of the pods are there.
    if (expected.length === 0) {
      if (this.#isFarBelow(csiNode, node, wanted.volumes.size)) return null;
      if (hasRoomForAll(wanted.volumes, limits, this.#attached.on(node, true))) return null;
    }
    return new VolumeTally(node, expected, (copy) =>
      this.#answer(wanted.volumes, limits, this.#attached.onCopy(copy, true)),
    );
  }

  /** Whether no driver can be short of room for so many more volumes, whichever the volumes of the node are. */
  #isFarBelow(csiNode: CSINode, node: NodeInfo, more: number): boolean {
    const most = this.#attached.mostOn(node);
    return most !== null && most + more <= lowestLimitOf(csiNode);
  }

  #answer(
    wanted: ReadonlyMap<string, string>,
    limits: ReadonlyMap<string, number>,
    { problem, volumes, used }: Attached,
  ): Status | null {
    if (problem !== null) return this.#rejected(problem);
    // A volume that a pod on the node uses needs no place. A volume that is only attached is counted again.
    for (const [driver, count] of countByDriver(wanted, volumes)) {
      const limit = limits.get(driver);
      if (limit === undefined || (used.get(driver) ?? 0) + count <= limit) continue;
      return unschedulable(this.name, MAX_VOLUME_COUNT_EXCEEDED);
    }
    return null;
  }

  #rejected({ kind, message }: VolumeProblem): Status {
    return kind === 'NotFound' ? unresolvable(this.name, message) : errorStatus(this.name, message);
  }
}

/** The volumes of a copy of the node. The volume of a pod that is gone may still be attached, and then counts twice. */
class VolumeTally implements NodeTally {
  readonly #alone: NodeInfo;
  readonly #beside: NodeInfo;
  readonly #answer: (node: NodeInfo) => Status | null;

  constructor(node: NodeInfo, expected: readonly PodInfo[], answer: (node: NodeInfo) => Status | null) {
    this.#alone = node.clone();
    this.#beside = node.clone();
    for (const other of expected) this.#beside.addPod(other);
    this.#answer = answer;
  }

  add(pod: PodInfo): void {
    this.#alone.addPod(pod);
    this.#beside.addPod(pod);
  }

  remove(pod: PodInfo): void {
    this.#alone.removePod(pod);
    this.#beside.removePod(pod);
  }

  fits(): boolean {
    return this.rejection() === null && this.rejectionAlone() === null;
  }

  rejection(): Status | null {
    return this.#answer(this.#beside);
  }

  rejectionAlone(): Status | null {
    return this.#alone.pods.length === this.#beside.pods.length ? null : this.#answer(this.#alone);
  }
}

/** Whether there is room for all of these volumes beside all of the node's, even if they are the same ones. */
function hasRoomForAll(
  wanted: ReadonlyMap<string, string>,
  limits: ReadonlyMap<string, number>,
  { problem, used }: Attached,
): boolean {
  if (problem !== null) return false;
  for (const [driver, count] of countByDriver(wanted, NO_VOLUMES)) {
    if ((used.get(driver) ?? 0) + count > (limits.get(driver) ?? Number.POSITIVE_INFINITY)) return false;
  }
  return true;
}

const NO_VOLUMES: ReadonlyMap<string, string> = new Map();

/** How many of these volumes each driver attaches beside those that are there already. */
function countByDriver(
  wanted: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, string>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [name, driver] of wanted) {
    if (!present.has(name)) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  }
  return counts;
}

/** The number of volumes that each driver can attach to the node; drivers without a limit are left out. */
const volumeLimits = memoized((csiNode: CSINode): ReadonlyMap<string, number> => {
  const limits = new Map<string, number>();
  for (const { name, allocatable } of csiNode.spec?.drivers ?? []) {
    const count = allocatable?.count;
    if (typeof count === 'number') limits.set(name, count);
  }
  return limits;
});

/** The lowest of these numbers; Infinity if there is none. */
function lowestLimitOf({ spec }: CSINode): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const { allocatable } of spec?.drivers ?? []) {
    const count = allocatable?.count;
    if (typeof count === 'number' && count < lowest) lowest = count;
  }
  return lowest;
}
