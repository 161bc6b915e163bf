import type { Pod } from '../../../api/pod.ts';
import type { CSINode, VolumeAttachment } from '../../../api/storage.ts';
import type { ClusterObjects } from '../../cache/cluster-objects.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { ClusterEventWithHint } from '../../framework/events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { FilterPlugin, PreFilterPlugin, Snapshot } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { errorStatus, type Status, skip, unresolvable, unschedulable } from '../../framework/status.ts';
import { NODE_VOLUME_LIMITS } from '../names.ts';
import { collectAttachableVolumes, uniqueVolumeName, type VolumeProblem } from './attachable-volumes.ts';
import { NODE_VOLUME_LIMITS_EVENTS } from './hints.ts';
import { isInTree } from './in-tree-volumes.ts';

export const MAX_VOLUME_COUNT_EXCEEDED = 'node(s) exceed max volume count';

/** Rejects nodes to which a CSI driver can attach no more volumes (upstream's nodevolumelimits/csi.go). */
export class NodeVolumeLimits implements PreFilterPlugin, FilterPlugin {
  readonly name = NODE_VOLUME_LIMITS;
  readonly filterReads = 'cluster';
  readonly #objects: ClusterObjects;
  readonly #attachments = new AttachmentsByNode();

  constructor({ objects }: Pick<Snapshot, 'objects'>) {
    this.#objects = objects;
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

  filter(_state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    const objects = this.#objects;
    const csiNode = objects.get('CSINode', node.name);
    const hasCSINode = csiNode !== undefined;

    const wanted = new Map<string, string>();
    const problem = collectAttachableVolumes(pod, { objects, hasCSINode, requireClaims: true }, wanted);
    if (problem !== null) return this.#rejected(problem);
    const limits = volumeLimits(csiNode);
    if (wanted.size === 0 || limits.size === 0) return null;

    const attached = new Map<string, string>();
    for (const other of node.pods) {
      const query = { objects, hasCSINode, requireClaims: false };
      const failure = collectAttachableVolumes(other, query, attached);
      if (failure !== null) return this.#rejected(failure);
    }
    // A volume that is in use on the node costs nothing more. One that is attached only still costs its place again.
    for (const name of attached.keys()) wanted.delete(name);
    for (const [name, driver] of this.#attachments.of(node.name, objects)) attached.set(name, driver);

    const used = countByDriver(attached);
    for (const [driver, count] of countByDriver(wanted)) {
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

function mayAttachVolumes(pod: Pod): boolean {
  const volumes = pod.spec?.volumes ?? [];
  return volumes.some((volume) => volume.persistentVolumeClaim || volume.ephemeral || isInTree(volume));
}

/** How many volumes of each driver the node takes; a driver without a limit is not there. */
function volumeLimits(csiNode: CSINode | undefined): Map<string, number> {
  const limits = new Map<string, number>();
  for (const { name, allocatable } of csiNode?.spec?.drivers ?? []) {
    const count = allocatable?.count;
    if (typeof count === 'number') limits.set(name, count);
  }
  return limits;
}

function countByDriver(volumes: ReadonlyMap<string, string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const driver of volumes.values()) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  return counts;
}

/** The volumes that VolumeAttachments name, whether or not a pod on the node uses them. */
class AttachmentsByNode {
  #version = -1;
  #byNode = new Map<string, VolumeAttachment[]>();

  /** Unique volume name and driver of each. */
  *of(nodeName: string, objects: ClusterObjects): Iterable<readonly [string, string]> {
    if (this.#version !== objects.version('VolumeAttachment')) this.#rebuild(objects);
    for (const { spec } of this.#byNode.get(nodeName) ?? []) {
      const volumeName = spec?.source?.persistentVolumeName;
      if (!spec?.attacher || typeof volumeName !== 'string') continue;
      const csi = objects.get('PersistentVolume', volumeName)?.spec?.csi;
      if (!csi) continue;
      yield [uniqueVolumeName({ driver: spec.attacher, handle: csi.volumeHandle ?? '' }), spec.attacher];
    }
  }

  #rebuild(objects: ClusterObjects): void {
    this.#byNode = new Map();
    for (const attachment of objects.list('VolumeAttachment')) {
      const nodeName = attachment.spec?.nodeName ?? '';
      const attachments = this.#byNode.get(nodeName);
      if (attachments === undefined) this.#byNode.set(nodeName, [attachment]);
      else attachments.push(attachment);
    }
    this.#version = objects.version('VolumeAttachment');
  }
}
