import type { Pod } from '../api/pod.ts';

/** What queueing hints ask about pods in events. */

/** Whether room is taken or kept for the pod: it is on a node, or nominated for one. */
export function takesRoom({ spec, status }: Pod): boolean {
  return !!spec?.nodeName || !!status?.nominatedNodeName;
}

/** Whether two versions of an object, or an object and the pod itself, are of the same pod. */
export function isSameUid(pod: Pod | undefined, uid: string): boolean {
  return pod !== undefined && (pod.metadata?.uid ?? '') === uid;
}
