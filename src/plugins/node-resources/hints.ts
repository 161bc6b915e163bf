import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { podRequests } from '../../api/pod-requests.ts';
import { allocatable, type Resources } from '../../api/resources.ts';
import { ActionType, type ClusterEventWithHint, clusterEvent, type QueueingHint } from '../../framework/events.ts';
import { isSameUid, takesRoom } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { amountOf } from './resource-amounts.ts';

/** `fits`: whether the pod fits on the node when nothing else is on it. `requested`: the resources that it asks for. */
export interface FitQuestions {
  readonly fits: (pod: PodInfo, node: Node) => boolean;
  readonly requested: (pod: PodInfo) => readonly string[];
}

/** Upstream: noderesources/fit.go. */
export function nodeResourcesFitEvents({ fits, requested }: FitQuestions): readonly ClusterEventWithHint[] {
  const podChanged = (pod: PodInfo, oldPod: Pod, newPod: Pod | undefined): QueueingHint => {
    if (newPod === undefined) return takesRoom(oldPod) ? 'Queue' : 'QueueSkip';
    if (isSameUid(newPod, pod.uid)) return 'Queue';
    if (!newPod.spec?.nodeName) return 'QueueSkip';
    return anyGrew(requested(pod), podRequests(newPod), podRequests(oldPod)) ? 'Queue' : 'QueueSkip';
  };
  const nodeChanged = (pod: PodInfo, oldNode: Node | undefined, newNode: Node): QueueingHint => {
    if (!fits(pod, newNode)) return 'QueueSkip';
    if (oldNode === undefined) return 'Queue';
    const [before, after] = [allocatable(oldNode.status?.allocatable), allocatable(newNode.status?.allocatable)];
    if (after.podCount > before.podCount) return 'Queue';
    return anyGrew(requested(pod), before.resources, after.resources) ? 'Queue' : 'QueueSkip';
  };
  return [
    {
      event: clusterEvent('Pod', ActionType.Delete | ActionType.UpdatePodScaleDown),
      hint: (pod, oldPod, newPod) => podChanged(pod, oldPod as Pod, newPod as Pod | undefined),
    },
    {
      event: clusterEvent('Node', ActionType.Add | ActionType.UpdateNodeAllocatable),
      hint: (pod, oldNode, newNode) => nodeChanged(pod, oldNode as Node | undefined, newNode as Node),
    },
  ];
}

function anyGrew(names: readonly string[], from: Resources, to: Resources): boolean {
  return names.some((name) => amountOf(to, name) > amountOf(from, name));
}
