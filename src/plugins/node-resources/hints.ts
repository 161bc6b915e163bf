import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { podRequests } from '../../api/pod-requests.ts';
import type { DeviceClass } from '../../api/resource-claims.ts';
import { allocatable, DEVICE_CLASS_PREFIX, type Resources } from '../../api/resources.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint } from '../../framework/events.ts';
import { isSameUid, takesRoom } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { DeviceResources } from './device-resources.ts';
import { amountOf } from './resource-amounts.ts';

export interface FitQuestions {
  /** Whether the pod fits on the node when the node is empty. */
  readonly fits: (pod: PodInfo, node: Node) => boolean;
  /** The names of the resources that the pod requests. */
  readonly requested: (pod: PodInfo) => readonly string[];
  /** The extended resources that devices back; absent if none can. */
  readonly devices: DeviceResources | undefined;
}

/** Upstream: noderesources/fit.go. */
export function nodeResourcesFitEvents({ fits, requested, devices }: FitQuestions): readonly ClusterEventWithHint[] {
  const podChanged = (pod: PodInfo, oldPod: Pod, newPod: Pod | undefined): boolean => {
    if (newPod === undefined) return takesRoom(oldPod);
    if (isSameUid(newPod, pod.uid)) return true;
    return !!newPod.spec?.nodeName && anyGrew(requested(pod), podRequests(newPod), podRequests(oldPod));
  };
  const nodeChanged = (pod: PodInfo, oldNode: Node | undefined, newNode: Node): boolean => {
    if (!fits(pod, newNode)) return false;
    if (oldNode === undefined) return true;
    const [before, after] = [allocatable(oldNode.status?.allocatable), allocatable(newNode.status?.allocatable)];
    const names = requested(pod);
    if (after.podCount > before.podCount || anyGrew(names, before.resources, after.resources)) return true;
    // As upstream, what devices provide may have become enough, whatever has changed.
    return devices !== undefined && names.some((name) => devices.provideWith(name, after.resources));
  };
  const events = [
    eventWithHint('Pod', ActionType.Delete | ActionType.UpdatePodScaleDown, podChanged),
    eventWithHint('Node', ActionType.Add | ActionType.UpdateNodeAllocatable, nodeChanged),
  ];
  if (devices === undefined) return events;
  return [...events, eventWithHint('resource.k8s.io/DeviceClass', ActionType.Add | ActionType.Update, classChanged)];
}

/** Whether the class backs a resource that the pod requests, and that it did not back before. */
function classChanged({ requirements }: PodInfo, before: DeviceClass | undefined, after: DeviceClass): boolean {
  const resource = after.spec?.extendedResourceName;
  if (before !== undefined && before.spec?.extendedResourceName === resource) return false;
  const { scalar } = requirements.requests;
  if (before === undefined && scalar.has(DEVICE_CLASS_PREFIX + (after.metadata?.name ?? ''))) return true;
  return resource !== undefined && scalar.has(resource);
}

function anyGrew(names: readonly string[], from: Resources, to: Resources): boolean {
  return names.some((name) => amountOf(to, name) > amountOf(from, name));
}
