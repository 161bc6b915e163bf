import { SELECTED_NODE_ANNOTATION } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeFeed } from '../../framework/plugin.ts';
import { RejectedSlots } from '../../framework/rejected-slots.ts';
import { LruMap } from '../../lib/lru-map.ts';
import { allSlots, NodesByLabel } from './nodes-by-label.ts';
import type { PodVolumeClaims } from './pod-volume-claims.ts';
import { isProvisionedEverywhere } from './provisioning.ts';
import type { UnboundClaim } from './volume-matching.ts';
import { requiredLabelOfVolume } from './volume-topology.ts';

/** Pods with claims of so many combinations of shapes are followed. */
const MOST_SHAPES = 32;
/** Where volumes tell no more nodes apart, a node of each kind is asked in every attempt. */
const FEW_VALUES = 16;

interface Followed {
  readonly rejected: RejectedSlots;
  nodeCursor: number;
  /** The changes of volumes that were seen, by claim. */
  volumeCursors: readonly number[];
}

/**
 * The nodes that have no volumes for claims which wait for their pod, such as disks that each belong to one node. They
 * are kept from attempt to attempt for claims of the same shape: after a placement only the nodes are asked again from
 * which a volume can be reached that has come or gone.
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
    const key = claims.map(({ claim, free }) => `${free.key} ${isProvisionedEverywhere(claim, this.#objects)}`).join();
    const known = this.#byShape.get(key);
    const followed = known ?? { rejected: new RejectedSlots(), nodeCursor: 0, volumeCursors: [] };
    if (known === undefined) this.#byShape.set(key, followed);
    const changed = known === undefined ? null : this.#changedSince(known, claims, nodes);
    followed.nodeCursor = nodes.end;
    followed.volumeCursors = claims.map(({ free }) => free.changes.end);
    for (const slot of changed ?? allSlots(nodes)) {
      const node = nodes.nodeAt(slot);
      if (node !== undefined && rejects(node)) followed.rejected.add(slot);
      else followed.rejected.delete(slot);
    }
    return followed.rejected;
  }

  /** The nodes that changed, and those that can reach a volume that did; null for all. */
  #changedSince(
    { nodeCursor, volumeCursors }: Followed,
    claims: readonly UnboundClaim[],
    nodes: NodeFeed,
  ): Iterable<number> | null {
    const changed = nodes.nodesChangedSince(nodeCursor);
    if (changed === null) return null;
    const slots = new Set(changed);
    for (const [i, { free }] of claims.entries()) {
      const volumes = free.changes.since(volumeCursors[i] ?? 0);
      if (volumes === null) return null;
      for (const volume of volumes) {
        const { label } = requiredLabelOfVolume(volume);
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
 * Whether it pays to keep the nodes without volumes for the claims, and nothing but volumes and labels decides which
 * these are.
 */
export function isKept({ bound, unboundDelayed }: PodVolumeClaims, objects: ClusterObjects): boolean {
  if (bound.length > 0 || unboundDelayed.every(({ free }) => free.reads.size <= FEW_VALUES)) return false;
  return unboundDelayed.every(({ claim, prebound, error }) => {
    if (error !== null || prebound.length > 0 || isProvisionedEverywhere(claim, objects) === null) return false;
    return claim.metadata?.annotations?.[SELECTED_NODE_ANNOTATION] === undefined;
  });
}
