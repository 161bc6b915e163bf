import type { KubernetesObject } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import type { Resource } from '../../store/objects/resources.ts';

/** A change of an object in a cluster that was recorded. */
export interface TraceEvent {
  /** The time since the Unix epoch. */
  readonly atMillis: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resource: Resource;
  /** The new state; of a deleted object at least its name and uid. */
  readonly object: KubernetesObject;
}

/** What a recording says of a pod as a whole. */
export interface PodHistory {
  /** The pod when it was first seen. */
  readonly first: Pod;
  /** The node on which it was put after it was first seen, and when. */
  readonly bound?: { readonly node: string; readonly atMillis: number };
  /** When it succeeded or failed. */
  readonly end?: { readonly phase: string; readonly atMillis: number };
  /** When it was removed from the API. */
  readonly goneMillis?: number;
  /** When the cluster's scheduler evicted it for another pod. */
  readonly evictedMillis?: number;
}

/** Changes that happened before the next decision of the cluster's scheduler, or those that are such a decision. */
export interface Moment {
  readonly atMillis: number;
  /** The uid of the pod that was tried, with everything before this moment seen; absent: nothing was decided. */
  readonly attempt?: string | undefined;
  readonly events: readonly TraceEvent[];
}

/** What happened in a cluster. */
export interface ClusterTrace {
  /** When the recording begins and ends, since the Unix epoch. */
  readonly startMillis: number;
  readonly endMillis: number;
  /** The objects that are there at the beginning. */
  readonly objects: readonly TraceEvent[];
  /** What happens then, in the order of its times. */
  readonly moments: readonly Moment[];
  /** The pods by uid. */
  readonly pods: ReadonlyMap<string, PodHistory>;
  /** What the owner of the trace should know, one sentence each. */
  readonly warnings: readonly string[];
}
