import { isInTree } from '../../api/in-tree-volumes.ts';
import type { ObjectKind } from '../../api/kinds.ts';
import type { VolumeAttachment } from '../../api/storage.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { type ObjectFeed, objectKey } from '../../framework/object-feed.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { collectAttachableVolumes, uniqueVolumeName, type VolumeProblem } from './attachable-volumes.ts';

/** The kinds of objects that determine the volumes of a pod. */
export const READ_KINDS: readonly ObjectKind[] = ['PersistentVolumeClaim', 'PersistentVolume', 'StorageClass'];

/** The volumes that are attached to a node. */
export interface Attached {
  /** Why the volumes cannot be determined; null if they can. */
  readonly problem: VolumeProblem | null;
  /** The volumes of the pods on the node, from unique name to driver. */
  readonly volumes: ReadonlyMap<string, string>;
  /** The number of volumes by driver, with those that are attached but used by no pod. */
  readonly used: ReadonlyMap<string, number>;
}

/** The volumes of a node, of which more are found as pods come to it. */
interface Known extends Attached {
  problem: VolumeProblem | null;
  readonly volumes: Map<string, string>;
  readonly used: Map<string, number>;
  generation: number;
  readonly hasCSINode: boolean;
  /** The pods whose volumes are counted, in the order of the node's list. */
  readonly pods: PodInfo[];
  /** The volumes that are attached, whether or not a pod uses them, from unique name to driver. */
  readonly attachments: ReadonlyMap<string, string>;
}

/**
 * The volumes that are attached to each node. They are kept until a pod of the node changes, or an object that was
 * looked up for them, whether or not it existed:
 *
 *   dependents   PersistentVolumeClaim default/data-0   ──▶ node-7
 *                PersistentVolume /pv-3                 ──▶ node-7, node-9
 */
export class AttachedVolumes {
  readonly #objects: ClusterObjects;
  /** The changes of claims, volumes and classes, once something that is kept depends on them. */
  #feed: ObjectFeed | null = null;
  readonly #attachmentFeed: ObjectFeed;
  readonly #attachments: AttachmentsByNode;
  #known = new WeakMap<NodeInfo, Known>();
  /** What the pods of a node add to `mostOn`, for its generation: nodes are asked about far more often than changed. */
  readonly #most = new WeakMap<NodeInfo, { generation: number; claimCount: number | null }>();
  /** The nodes by the key of an object on which their volumes depend. */
  readonly #dependents = new Map<string, Set<NodeInfo>>();
  /** The names of the nodes whose volumes may be others because of an object; null for all nodes. */
  #dropped: Set<string> | null = new Set();

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
    this.#attachmentFeed = objects.follow(['VolumeAttachment']);
    this.#attachments = new AttachmentsByNode(objects);
  }

  on(node: NodeInfo, hasCSINode: boolean): Attached {
    this.#catchUp();
    this.#feed ??= this.#objects.follow(READ_KINDS);
    const known = this.#known.get(node);
    if (known?.generation === node.generation && known.hasCSINode === hasCSINode) return known;
    const dependsOn = (key: string): void => void getOrMake(this.#dependents, key, () => new Set()).add(node);
    const objects = this.#watched(dependsOn);
    if (known?.hasCSINode === hasCSINode && this.#extend(known, node, objects)) return known;
    const attached = this.#collect(node, hasCSINode, objects, dependsOn);
    this.#known.set(node, attached);
    return attached;
  }

  /**
   * A number that is no lower than that of the volumes on the node, found without a look at claims; null if its pods
   * have volumes that perhaps cannot be determined.
   */
  mostOn(node: NodeInfo): number | null {
    this.#catchUp();
    let most = this.#most.get(node);
    if (most?.generation !== node.generation) {
      most = { generation: node.generation, claimCount: claimCountOf(node) };
      this.#most.set(node, most);
    }
    return most.claimCount === null ? null : most.claimCount + this.#attachments.countOf(node.name);
  }

  /** Whether the node has attachments, whether or not a pod there uses the volumes. */
  hasAttachments({ name }: NodeInfo): boolean {
    return this.#attachments.countOf(name) > 0;
  }

  /** The volumes of a node that is not in the cluster, such as a copy for a dry run: nothing is kept for it. */
  onCopy(node: NodeInfo, hasCSINode: boolean): Attached {
    this.#catchUp();
    return this.#collect(node, hasCSINode, this.#objects, () => {});
  }

  /** Takes the names of the nodes whose volumes may have changed because of an object; null for all nodes. */
  takeChanged(): ReadonlySet<string> | null {
    this.#catchUp();
    const dropped = this.#dropped;
    if (dropped === null || dropped.size > 0) this.#dropped = new Set();
    return dropped;
  }

  #catchUp(): void {
    if (this.#attachmentFeed.hasChanges) this.#follow(this.#attachmentFeed);
    if (this.#feed?.hasChanges) this.#follow(this.#feed);
  }

  #follow(feed: ObjectFeed): void {
    const keys = feed.take();
    if (keys === null) {
      this.#known = new WeakMap();
      this.#dependents.clear();
      this.#dropped = null;
      this.#attachments.rebuild();
      return;
    }
    for (const key of keys.keys()) {
      for (const nodeName of this.#attachments.changed(key)) {
        this.#drop(attachmentsKey(nodeName));
        this.#dropped?.add(nodeName);
      }
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    const nodes = this.#dependents.get(key);
    if (nodes === undefined) return;
    this.#dependents.delete(key);
    for (const node of nodes) {
      this.#known.delete(node);
      this.#dropped?.add(node.name);
    }
  }

  /** The objects; `dependsOn` is called with the key of each one that is looked up. */
  #watched(dependsOn: (key: string) => void): Pick<ClusterObjects, 'get'> {
    return {
      get: (kind, name, namespace) => {
        dependsOn(objectKey(kind, name, namespace));
        return this.#objects.get(kind, name, namespace);
      },
    };
  }

  #collect(
    node: NodeInfo,
    hasCSINode: boolean,
    objects: Pick<ClusterObjects, 'get'>,
    dependsOn: (key: string) => void,
  ): Known {
    dependsOn(attachmentsKey(node.name));
    const { generation } = node;
    // Several attachments may name the same volume.
    const attachments = new Map(this.#attachments.of(node.name, objects));
    const used = new Map<string, number>();
    for (const driver of attachments.values()) count(used, driver);
    const known: Known = {
      ...{ generation, hasCSINode, problem: null, volumes: new Map(), used, pods: [], attachments },
    };
    this.#extend(known, node, objects);
    return known;
  }

  /** Adds the volumes of pods that have come to the node since. Returns false if another pod has gone or moved. */
  #extend(known: Known, node: NodeInfo, objects: Pick<ClusterObjects, 'get'>): boolean {
    const { pods, volumes, hasCSINode } = known;
    let position = 0;
    for (const pod of node.pods) {
      if (!pod.requirements.hasStorage) continue;
      if (position < pods.length ? pods[position] !== pod : known.problem !== null) return false;
      position++;
      if (position <= pods.length) continue;
      pods.push(pod);
      const added = new Map<string, string>();
      known.problem = collectAttachableVolumes(pod, { objects, hasCSINode, requireClaims: false }, added);
      for (const [name, driver] of added) {
        if (!volumes.has(name) && !known.attachments.has(name)) count(known.used, driver);
        volumes.set(name, driver);
      }
      if (known.problem !== null) break;
    }
    known.generation = node.generation;
    return position >= pods.length;
  }
}

/** The number of claims that pods of the node name; null if some of its volumes are none, but may be attached. */
function claimCountOf(node: NodeInfo): number | null {
  let claimCount = 0;
  for (const { pod, requirements } of node.pods) {
    if (!requirements.hasStorage) continue;
    for (const volume of pod.spec?.volumes ?? []) {
      const { persistentVolumeClaim: claim, ephemeral } = volume;
      if (ephemeral || isInTree(volume) || (claim && !claim.claimName)) return null;
      if (claim) claimCount++;
    }
  }
  return claimCount;
}

const ATTACHMENT_PREFIX = objectKey('VolumeAttachment', '');
const NO_NODES: readonly string[] = [];

function count(used: Map<string, number>, driver: string): void {
  used.set(driver, (used.get(driver) ?? 0) + 1);
}

/** The key of the attachments of a node among the objects on which its volumes depend. */
function attachmentsKey(nodeName: string): string {
  return `attachments ${nodeName}`;
}

/** The VolumeAttachments by the node that they name, whether or not a pod there uses the volume. */
class AttachmentsByNode {
  readonly #objects: ClusterObjects;
  readonly #byNode = new Map<string, Map<string, VolumeAttachment>>();
  readonly #nodeNames = new Map<string, string>();

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
    this.rebuild();
  }

  rebuild(): void {
    this.#byNode.clear();
    this.#nodeNames.clear();
    for (const attachment of this.#objects.list('VolumeAttachment')) this.#add(attachment);
  }

  /** Follows the change of the object with this key; returns the names of the nodes whose attachments have changed. */
  changed(key: string): readonly string[] {
    if (!key.startsWith(ATTACHMENT_PREFIX)) return NO_NODES;
    const name = key.slice(ATTACHMENT_PREFIX.length);
    const before = this.#nodeNames.get(name);
    if (before !== undefined) this.#byNode.get(before)?.delete(name);
    this.#nodeNames.delete(name);
    const attachment = this.#objects.get('VolumeAttachment', name);
    if (attachment !== undefined) this.#add(attachment);
    const after = this.#nodeNames.get(name);
    return [before, after].filter((nodeName) => nodeName !== undefined);
  }

  countOf(nodeName: string): number {
    return this.#byNode.size === 0 ? 0 : (this.#byNode.get(nodeName)?.size ?? 0);
  }

  /** The unique volume name and the driver of each volume that is attached to the node. */
  *of(nodeName: string, objects: Pick<ClusterObjects, 'get'>): Iterable<readonly [string, string]> {
    for (const { spec } of this.#byNode.get(nodeName)?.values() ?? []) {
      const volumeName = spec?.source?.persistentVolumeName;
      if (!spec?.attacher || typeof volumeName !== 'string') continue;
      const csi = objects.get('PersistentVolume', volumeName)?.spec?.csi;
      if (!csi) continue;
      yield [uniqueVolumeName({ driver: spec.attacher, handle: csi.volumeHandle ?? '' }), spec.attacher];
    }
  }

  #add(attachment: VolumeAttachment): void {
    const name = attachment.metadata?.name ?? '';
    const nodeName = attachment.spec?.nodeName ?? '';
    getOrMake(this.#byNode, nodeName, () => new Map()).set(name, attachment);
    this.#nodeNames.set(name, nodeName);
  }
}
