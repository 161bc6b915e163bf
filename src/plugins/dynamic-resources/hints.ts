import type { Pod } from '../../api/pod.ts';
import type { ResourceClaim } from '../../api/resource-claims.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import {
  ActionType,
  type ClusterEventWithHint,
  type EventResource,
  eventWithHint,
  type GateKeys,
  type HintKeys,
  READS_POD,
} from '../../framework/events.ts';
import { isSameUid } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { ClaimCache } from './claims/claim-cache.ts';
import { namedClaims, podClaims } from './claims/pod-claims.ts';

const ADD_OR_UPDATE = ActionType.Add | ActionType.Update;

/** The events after which a pod that waits for devices is worth another attempt (upstream's dynamicresources.go). */
export function dynamicResourcesEvents(cache: ClaimCache): readonly ClusterEventWithHint[] {
  return [
    eventWithHint('Node', ActionType.Add | ActionType.UpdateNodeLabel | ActionType.UpdateNodeAllocatable),
    eventWithHint(
      'resource.k8s.io/ResourceClaim',
      ADD_OR_UPDATE,
      (pod, before, after) => isWorthRetry(pod, before, after, cache),
      { ...READS_POD, keys: CLAIM_KEYS },
    ),
    // The names of the pod's claims have been written into its status.
    eventWithHint(
      'Pod',
      ActionType.UpdatePodGeneratedResourceClaim,
      (pod, _before, after) => isSameUid(after, pod.uid) && hasAllClaims(pod, cache),
      { ...READS_POD, keys: POD_KEYS },
    ),
    eventWithHint('resource.k8s.io/DeviceClass', ADD_OR_UPDATE),
    eventWithHint('resource.k8s.io/ResourceSlice', ADD_OR_UPDATE),
  ];
}

/** The uid of the pod itself, and the claims that it names. */
export const CLAIM_GATE_KEYS: GateKeys = {
  differ: true,
  ofPod: (pod) => [pod.uid, ...keysOfClaims(pod)],
  ofEvent({ resource }, oldObject, newObject) {
    const object = (newObject ?? oldObject) as Pod | ResourceClaim | undefined;
    if (resource === 'resource.k8s.io/ResourceClaim') return [claimKey(object as ResourceClaim | undefined)];
    return isOfPods(resource) ? [object?.metadata?.uid ?? ''] : [];
  },
};

function isOfPods(resource: EventResource): boolean {
  return resource === 'Pod' || resource === 'AssignedPod' || resource === 'UnschedulablePod';
}

const POD_KEYS: HintKeys = {
  ofPod: ({ uid }) => [uid],
  ofEvent: (_before, after) => [(after as Pod | undefined)?.metadata?.uid ?? ''],
};

/** Devices that are given back may help any pod; other events those that name the claim. */
const CLAIM_KEYS: HintKeys = {
  ofPod: keysOfClaims,
  ofEvent: (oldObject, newObject) => {
    const [before, after] = [oldObject, newObject] as [ResourceClaim | undefined, ResourceClaim | undefined];
    if (before?.status?.allocation !== undefined && after?.status?.allocation === undefined) return null;
    return [claimKey(after ?? before)];
  },
};

/** Names of claims with their namespaces, in which others have claims of the same names. */
function keysOfClaims({ pod, namespace }: PodInfo): string[] {
  return namedClaims(pod).map((name) => keyOf(namespace, name));
}

function claimKey(claim: ResourceClaim | undefined): string {
  const { namespace, name = '' } = claim?.metadata ?? {};
  return keyOf(namespace || 'default', name);
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function hasAllClaims(pod: PodInfo, cache: ClaimCache): boolean {
  return typeof podClaims(pod, cache) !== 'string';
}

/** Devices that are given back help any pod; other changes help a pod that uses the claim. */
function isWorthRetry(
  pod: PodInfo,
  before: ResourceClaim | undefined,
  after: ResourceClaim,
  cache: ClaimCache,
): boolean {
  const claims = podClaims(pod, cache);
  if (typeof claims === 'string') return false;
  if (before?.status?.allocation !== undefined && after.status?.allocation === undefined) return true;
  if (!claims.some(({ metadata }) => metadata?.uid === after.metadata?.uid)) return false;
  return before === undefined || !semanticallyEqual(before.status, after.status);
}
