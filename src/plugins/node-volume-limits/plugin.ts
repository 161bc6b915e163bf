import type { Pod } from '../../api/pod.ts';
import type { CSINode } from '../../api/storage.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { ClusterEventWithHint } from '../../framework/events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
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
import { AttachedVolumes } from './attached-volumes.ts';
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
    this.#crowded = new CrowdedNodes({ objects, attached: this.#attached, limitsOf: volumeLimits });
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
    return problem === null ? this.#crowded.slots(countByDriver(volumes.values()), nodes) : null;
  }

  filter(_state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    const csiNode = this.#objects.get('CSINode', node.name);
    const hasCSINode = csiNode !== undefined;
    const wanted = this.#wanted.of(pod, hasCSINode);
    if (wanted.problem !== null) return this.#rejected(wanted.problem);
    if (csiNode === undefined || wanted.volumes.size === 0) return null;
    const limits = volumeLimits(csiNode);
    if (limits.size === 0) return null;
    const { problem, volumes, used } = this.#attached.on(node, hasCSINode);
    if (problem !== null) return this.#rejected(problem);
    // A volume that a pod on the node uses needs no place. A volume that is only attached is counted again.
    const added = [...wanted.volumes].filter(([name]) => !volumes.has(name));
    for (const [driver, count] of countByDriver(added.map(([, driver]) => driver))) {
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

function countByDriver(drivers: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const driver of drivers) counts.set(driver, (counts.get(driver) ?? 0) + 1);
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
