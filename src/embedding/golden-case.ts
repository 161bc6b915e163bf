import type { ObjectKind, ObjectKinds } from '../api/kinds.ts';
import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import type { Explanation } from '../core/decision/result.ts';

/** An object besides nodes and pods that decisions read. */
export type CaseObject = { [K in ObjectKind]: { readonly kind: K; readonly object: ObjectKinds[K] } }[ObjectKind];

/** A cluster, and pods that are scheduled in turn. It is plain data, and can be kept as JSON. */
export interface GoldenCase {
  readonly name: string;
  readonly nodes: readonly Node[];
  /** Pods that are there before, on nodes or pending. */
  readonly pods?: readonly Pod[];
  readonly objects?: readonly CaseObject[];
  readonly schedule: readonly Pod[];
}

/** What was decided about one pod, and why. It is plain data, and can be kept as JSON. */
export interface GoldenDecision {
  /** Namespace and name. */
  readonly pod: string;
  readonly status: Explanation['status'];
  /** The node on which the pod was placed, or for which it was nominated; null if there is none. */
  readonly node: string | null;
  /** The text of the event or error; '' for a pod that was placed. */
  readonly message: string;
  /** By node: the plugin that rejected it, with its reasons. */
  readonly rejected: Readonly<Record<string, string>>;
  /** By feasible node: the weighted scores by plugin. Empty if scoring was skipped. */
  readonly scores: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The pods to evict. */
  readonly victims: readonly string[];
}
