import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { podRequests } from '../../api/pod-requests.ts';
import { allocatable, type Resources } from '../../api/resources.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint } from '../../framework/events.ts';
import { isSameUid, takesRoom } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { amountOf } from './resource-amounts.ts';

export interface FitQuestions {
  /** Whether the pod fits on the node when the node is empty. */
  readonly fits: (pod: PodInfo, node: Node) => boolean;
  /** The names of the resources that the pod requests. */
  readonly requested: (pod: PodInfo) => readonly string[];
}

/** Upstream: noderesources/fit.go. */
export function nodeResourcesFitEvents({ fits, requested }: FitQuestions): readonly ClusterEventWithHint[] {
  const podChanged = (pod: PodInfo, oldPod: Pod, newPod: Pod | undefined): boolean => {
    if (newPod === undefined) return takesRoom(oldPod);
    if (isSameUid(newPod, pod.uid)) return true;
    return !!newPod.spec?.nodeName && anyGrew(requested(pod), podRequests(newPod), podRequests(oldPod));
  };
  const nodeChanged = (pod: PodInfo, oldNode: Node | undefined, newNode: Node): boolean => {
    if (!fits(pod, newNode)) return false;
    if (oldNode === undefined) return true;
    const [before, after] = [allocatable(oldNode.status?.allocatable), allocatable(newNode.status?.allocatable)];
    return after.podCount > before.podCount || anyGrew(requested(pod), before.resources, after.resources);
  };
  return [
    eventWithHint('Pod', ActionType.Delete | ActionType.UpdatePodScaleDown, podChanged),
    eventWithHint('Node', ActionType.Add | ActionType.UpdateNodeAllocatable, nodeChanged),
  ];
}

function anyGrew(names: readonly string[], from: Resources, to: Resources): boolean {
  return names.some((name) => amountOf(to, name) > amountOf(from, name));
}
