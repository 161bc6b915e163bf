import type { Node } from '../../api/node.ts';
import type { Pod, PodSpec } from '../../api/pod.ts';

/** What is changed: the smallest interventions come first. */
export const CHANGE_KINDS = [
  'schedulingGates',
  'uncordon',
  'toleration',
  'nodeLabel',
  'nodeSelector',
  'nodeAffinity',
  'topologySpread',
  'podAffinity',
  'hostPort',
  'requests',
  'newNode',
] as const;

/** One change to the pod, or to the nodes of the cluster. */
export interface Change {
  readonly kind: (typeof CHANGE_KINDS)[number];
  /** What is to be done, in words. */
  readonly text: string;
  /** How large it is, among changes of its kind. */
  readonly cost: number;
  readonly spec?: (spec: PodSpec) => PodSpec;
  /** Nodes that are changed, or new. */
  readonly nodes?: readonly Node[];
}

/** Changes that together place the pod, or its group, as a decision has shown. */
export interface Remedy {
  readonly changes: readonly Pick<Change, 'kind' | 'text'>[];
  /** The node that the pod gets, and on how many it would fit. */
  readonly node: string;
  readonly feasibleNodes: number;
  /** How many pods of its group wait, and how many of them get a place; absent for a pod that is tried by itself. */
  readonly group?: GroupPlaces;
}

export interface GroupPlaces {
  readonly waitingCount: number;
  readonly placedCount: number;
}

/** The pod with the changes; it preempts nobody. */
export function changedPod(pod: Pod, changes: readonly Change[]): Pod {
  const spec = changes.reduce((each, change) => change.spec?.(each) ?? each, pod.spec ?? { containers: [] });
  return { ...pod, spec: { ...spec, preemptionPolicy: 'Never' } };
}
