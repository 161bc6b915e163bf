import type { ObjectKind, ObjectKinds } from '../../api/kinds.ts';
import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import type { ImageRecord } from '../image-states.ts';
import type { PodRequirements } from '../pod-info.ts';

export interface PodRecord {
  readonly pod: Pod;
  /** Null if they must be computed. */
  readonly requirements: PodRequirements | null;
  readonly nodeName: string;
  readonly nominatedNodeName: string;
}

/** The addresses at which each port is used, by "protocol/port". They do not follow from the pods alone. */
export type UsedPortsRecord = readonly (readonly [string, readonly string[]])[];

export interface NodeRecord {
  readonly node: Node;
  /** The pods in the order in which preemption reads them. */
  readonly pods: readonly PodRecord[];
  readonly usedPorts: UsedPortsRecord;
}

/** What a node's images were when its snapshot was last updated. */
export interface HolderRecord {
  readonly node: string;
  readonly version: number;
  readonly isTouched: boolean;
  readonly images: readonly (readonly [name: string, sizeBytes: number, nodeCount: number])[];
}

/** What attempts read of the cluster that is older than the cluster itself. */
export interface SnapshotRecord {
  /** The names of the nodes of each zone, in the order in which they are searched. */
  readonly zones: readonly (readonly [key: string, names: readonly string[]])[];
  /** The names in the order of the last snapshot, also of nodes that are gone since. */
  readonly listed: readonly string[];
  readonly isCurrent: boolean;
  readonly imagesVersion: number;
  readonly images: readonly ImageRecord[];
  readonly holders: readonly HolderRecord[];
}

type KindAndObject = readonly [kind: ObjectKind, object: ObjectKinds[ObjectKind]];

/** A whole cluster state: one that is loaded from a record decides as the one that was recorded. */
export interface ClusterRecord {
  /** The nodes in the order in which they were added. */
  readonly nodes: readonly NodeRecord[];
  /** The unknown nodes that have pods. */
  readonly ghosts: readonly NodeRecord[];
  /** The pending pods, those with a nomination first, in the order of their nominations. */
  readonly pending: readonly PodRecord[];
  readonly objects: readonly KindAndObject[];
  /** The objects that hide others of the same names, because something was promised of them. */
  readonly assumed: readonly KindAndObject[];
  readonly snapshot: SnapshotRecord;
}
