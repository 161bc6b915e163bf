import { claimClassName, SELECTED_NODE_ANNOTATION } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeFeed } from '../../framework/plugin.ts';
import { RejectedSlots } from '../../framework/rejected-slots.ts';
import type { ChangeLog } from '../../lib/change-log.ts';
import { LruMap } from '../../lib/lru-map.ts';
import { capacitiesOfClass } from './capacities.ts';
import type { RequiredLabel } from './label-buckets.ts';
import { allSlots, NodesByLabel } from './nodes-by-label.ts';
import type { PodVolumeClaims } from './pod-volume-claims.ts';
import { formOfProvisioning } from './provisioning.ts';
import type { UnboundClaim } from './volume-matching.ts';

/** Pods with claims of so many combinations of shapes are followed. */
const MOST_SHAPES = 32;
/** Where storage tells no more nodes apart, a node of each kind is asked in every attempt. */
const FEW_VALUES = 16;

type StorageLog = ChangeLog<RequiredLabel | null>;

interface Followed {
  readonly rejected: RejectedSlots;
  nodeCursor: number;
  /** The changes of storage that were seen, by log. */
  cursors: readonly number[];
}

/**
 * The nodes that have no volumes for claims which wait for their pod, such as disks that each belong to one node. They
 * are kept from attempt to attempt for claims of the same shape: after a placement only the nodes are asked again that
 * can reach a volume, or a driver's room for new ones, that has come or gone.
 */
export class NodesWithoutVolumes {
  readonly #objects: ClusterObjects;
  readonly #byShape = new LruMap<string, Followed>(MOST_SHAPES);
  readonly #nodes = new NodesByLabel();

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
  }

  /** `rejects`: whether a node has no volumes for the claims, for which `isKept` holds. */
  of(claims: readonly UnboundClaim[], nodes: NodeFeed, rejects: (node: NodeInfo) => boolean): RejectedSlots {
    const key = claims.map(({ claim, free }) => free.key + formOfProvisioning(claim, this.#objects)).join();
    const logs = claims.flatMap(({ claim, free }) => {
      return [free.changes, capacitiesOfClass(claimClassName(claim), this.#objects).changes];
    });
    const known = this.#byShape.get(key);
    const followed = known ?? { rejected: new RejectedSlots(), nodeCursor: 0, cursors: [] };
    if (known === undefined) this.#byShape.set(key, followed);
    const changed = known === undefined ? null : this.#changedSince(known, logs, nodes);
    followed.nodeCursor = nodes.end;
    followed.cursors = logs.map(({ end }) => end);
    for (const slot of changed ?? allSlots(nodes)) {
      const node = nodes.nodeAt(slot);
      if (node !== undefined && rejects(node)) followed.rejected.add(slot);
      else followed.rejected.delete(slot);
    }
    return followed.rejected;
  }

  /** The nodes that changed, and those that can reach storage that did; null for all. */
  #changedSince(
    { nodeCursor, cursors }: Followed,
    logs: readonly StorageLog[],
    nodes: NodeFeed,
  ): Iterable<number> | null {
    const changed = nodes.nodesChangedSince(nodeCursor);
    if (changed === null) return null;
    const slots = new Set(changed);
    for (const [i, log] of logs.entries()) {
      const labels = log.since(cursors[i] ?? 0);
      if (labels === null) return null;
      for (const label of labels) {
        if (label === null) return null;
        for (const value of label.values) {
          for (const slot of this.#nodes.slotsOf(label.key, value, nodes)) slots.add(slot);
        }
      }
    }
    return slots;
  }
}

/**
 * Whether it pays to keep the nodes without volumes for the claims, and nothing but volumes, capacities and labels
 * decides which these are.
 */
export function isKept({ bound, unboundDelayed }: PodVolumeClaims, objects: ClusterObjects): boolean {
  if (bound.length > 0) return false;
  let values = 0;
  for (const { claim, prebound, free, error } of unboundDelayed) {
    if (error !== null || prebound.length > 0) return false;
    if (claim.metadata?.annotations?.[SELECTED_NODE_ANNOTATION] !== undefined) return false;
    values += free.reads.size + capacitiesOfClass(claimClassName(claim), objects).reads.size;
  }
  return values > FEW_VALUES;
}
