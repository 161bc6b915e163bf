import type { Pod } from '../api/pod.ts';

/** Tests of pods in events, for queueing hints. */

/** Whether the pod is on a node or nominated for one, and so takes room there. */
export function takesRoom({ spec, status }: Pod): boolean {
  return !!spec?.nodeName || !!status?.nominatedNodeName;
}

/** Whether the object is the pod with this uid. */
export function isSameUid(pod: Pod | undefined, uid: string): boolean {
  return pod !== undefined && (pod.metadata?.uid ?? '') === uid;
}
