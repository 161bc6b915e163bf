import type { ObjectKind } from '../../api/kinds.ts';
import type { VolumeAttachment } from '../../api/storage.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { collectAttachableVolumes, uniqueVolumeName, type VolumeProblem } from './attachable-volumes.ts';

/** The kinds of objects that determine the volumes of a pod. */
export const READ_KINDS: readonly ObjectKind[] = ['PersistentVolumeClaim', 'PersistentVolume', 'StorageClass'];

/** The volumes that are attached to a node. */
interface Attached {
  /** Why the volumes cannot be determined; null if they can. */
  readonly problem: VolumeProblem | null;
  /** The volumes of the pods on the node, from unique name to driver. */
  readonly volumes: ReadonlyMap<string, string>;
  /** The number of volumes by driver, with those that are attached but used by no pod. */
  readonly used: ReadonlyMap<string, number>;
}

interface Known extends Attached {
  readonly generation: number;
  readonly hasCSINode: boolean;
  /** Whether no object was missing, so that added objects change nothing. */
  readonly isComplete: boolean;
  readonly version: number;
}

/** The volumes that are attached to each node, kept until a pod of the node or one of the objects read changes. */
export class AttachedVolumes {
  readonly #objects: ClusterObjects;
  readonly #attachments = new AttachmentsByNode();
  readonly #known = new WeakMap<NodeInfo, Known>();

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
  }

  on(node: NodeInfo, hasCSINode: boolean): Attached {
    const known = this.#known.get(node);
    if (
      known !== undefined &&
      known.generation === node.generation &&
      known.hasCSINode === hasCSINode &&
      known.version === this.#version(known.isComplete)
    ) {
      return known;
    }
    const attached = this.#collect(node, hasCSINode);
    this.#known.set(node, attached);
    return attached;
  }

  #collect(node: NodeInfo, hasCSINode: boolean): Known {
    const objects = this.#objects;
    let isComplete = true;
    const onMissing = (): void => {
      isComplete = false;
    };
    const query = { objects, hasCSINode, requireClaims: false, onMissing };
    const volumes = new Map<string, string>();
    let problem: VolumeProblem | null = null;
    for (const pod of node.pods) {
      problem = collectAttachableVolumes(pod, query, volumes);
      if (problem !== null) break;
    }
    const used = new Map<string, number>();
    const count = (driver: string): void => void used.set(driver, (used.get(driver) ?? 0) + 1);
    for (const driver of volumes.values()) count(driver);
    // Several attachments may name the same volume.
    const alone = new Map(this.#attachments.of(node.name, objects, onMissing));
    for (const [name, driver] of alone) if (!volumes.has(name)) count(driver);
    const version = this.#version(isComplete);
    return { generation: node.generation, hasCSINode, isComplete, version, problem, volumes, used };
  }

  /** A number that changes with the objects on which an answer depends; every part of the sum only grows. */
  #version(isComplete: boolean): number {
    const objects = this.#objects;
    let version = objects.version('VolumeAttachment');
    for (const kind of READ_KINDS) version += isComplete ? objects.losses(kind) : objects.version(kind);
    return version;
  }
}

/** The volumes that VolumeAttachments name, whether or not a pod on the node uses them. */
class AttachmentsByNode {
  #version = -1;
  #byNode = new Map<string, VolumeAttachment[]>();

  /** The unique volume name and the driver of each volume that is attached to the node. */
  *of(nodeName: string, objects: ClusterObjects, onMissing: () => void): Iterable<readonly [string, string]> {
    if (this.#version !== objects.version('VolumeAttachment')) this.#rebuild(objects);
    for (const { spec } of this.#byNode.get(nodeName) ?? []) {
      const volumeName = spec?.source?.persistentVolumeName;
      if (!spec?.attacher || typeof volumeName !== 'string') continue;
      const volume = objects.get('PersistentVolume', volumeName);
      if (volume === undefined) onMissing();
      const csi = volume?.spec?.csi;
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
