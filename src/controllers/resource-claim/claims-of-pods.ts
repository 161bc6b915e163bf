import { madeClaim, ownerOf, owningGroupOf } from '../../api/claims-of-pod.ts';
import type { KubernetesObject, OwnerReference } from '../../api/meta.ts';
import type { Pod, PodResourceClaim, PodResourceClaimStatus } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import type { PodGroup } from '../../api/pod-group.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../api/resource-claims.ts';
import { deepFrozen } from '../../lib/deep-frozen.ts';
import { frozenStatus } from '../../store/objects/frozen-status.ts';
import type { StatusOutcome } from '../../store/objects/store-client.ts';
import { controllerReference } from '../pod-creation.ts';

/** Keeps an allocated claim until its devices are given back. */
export const DELETE_PROTECTION = 'resource.kubernetes.io/delete-protection';

/** What a claim says of the pod or the group for which it was made. */
export interface OwnerKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The annotation with the name by which the owner refers to the claim. */
  readonly annotation: string;
  /** The owner that controls the claim, if it is of this kind. */
  readonly ownerOf: (claim: ResourceClaim) => Pick<OwnerReference, 'name' | 'uid'> | undefined;
}

export const OF_POD: OwnerKind = {
  ...{ apiVersion: 'v1', kind: 'Pod', ownerOf },
  annotation: 'resource.kubernetes.io/pod-claim-name',
};

export const OF_GROUP: OwnerKind = {
  ...{ apiVersion: 'scheduling.k8s.io/v1alpha2', kind: 'PodGroup', ownerOf: owningGroupOf },
  annotation: 'resource.kubernetes.io/podgroup-claim-name',
};

/** What has references to claims: a pod or a group. */
type ClaimOwner = Pick<Pod | PodGroup, 'spec' | 'status'>;

/** The references of a pod, or a group, to templates for which its status names no claim yet. */
export function missingClaims(owner: ClaimOwner): readonly PodResourceClaim[] {
  return (owner.spec?.resourceClaims ?? NO_REFERENCES).filter((reference) => isMissing(owner, reference));
}

const NO_REFERENCES: readonly PodResourceClaim[] = [];

/** Whether a reference is to a template, and the owner's status says nothing of a claim for it yet. */
export function isMissing({ status }: ClaimOwner, { name, resourceClaimTemplateName }: PodResourceClaim): boolean {
  if (resourceClaimTemplateName === undefined) return false;
  return madeClaim(status?.resourceClaimStatuses, name) === undefined;
}

/**
 * What naming its claims makes of the status of a stored pod; undefined where the patch has to be merged: in a pod with
 * other claims or references of one name, and one that is not as stored.
 */
export function outcomeOf(
  { metadata, status }: Pod,
  made: readonly PodResourceClaimStatus[],
): StatusOutcome | undefined {
  if (status === undefined || status.resourceClaimStatuses !== undefined || !Object.isFrozen(status)) return undefined;
  if (made.some(({ name }, i) => made.findIndex((other) => other.name === name) < i)) return undefined;
  const after = frozenStatus(status, { resourceClaimStatuses: deepFrozen(made) });
  return { uid: metadata?.uid, before: status, after };
}

/** The claim that is to be made for a reference of its owner. */
export function claimFromTemplate(
  { apiVersion, kind, annotation }: OwnerKind,
  owner: KubernetesObject,
  reference: string,
  { spec }: ResourceClaimTemplate,
): ResourceClaim {
  const { namespace, name = '' } = owner.metadata ?? {};
  const { labels, annotations } = spec?.metadata ?? {};
  return {
    metadata: {
      generateName: generateName(name, reference),
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      annotations: { ...annotations, [annotation]: reference },
      ownerReferences: [controllerReference(apiVersion, kind, owner)],
    },
    spec: spec?.spec ?? {},
  };
}

/** A name has 63 characters, of which the API makes five; one is left for a hyphen. */
const GENERATE_NAME_MAX = 57;

/** The name begins with both parts; where that is too long, each keeps the same share of its letters. */
function generateName(owner: string, reference: string): string {
  const whole = `${owner}-${reference}-`;
  if (whole.length <= GENERATE_NAME_MAX) return whole;
  const cut = (text: string): string => text.slice(0, Math.floor((text.length * GENERATE_NAME_MAX) / whole.length));
  return `${cut(owner)}-${cut(reference)}`;
}

/** The name by which the owner refers to the claim; undefined for a claim that was not made for such an owner. */
export function referenceOf({ metadata }: ResourceClaim, { annotation }: OwnerKind): string | undefined {
  return metadata?.annotations?.[annotation];
}

/** Whether the pod may still use its claims: it exists, has not ended, and was not deleted before it had a node. */
export function usesClaims(pod: Pod | undefined, uid: string): boolean {
  if (pod === undefined || pod.metadata?.uid !== uid || isPodFinished(pod)) return false;
  return pod.metadata.deletionTimestamp === undefined || Boolean(pod.spec?.nodeName);
}
