import { combined } from '../lib/combined.ts';
import type { OwnerReference } from './meta.ts';
import type { Pod, PodResourceClaim, PodResourceClaimStatus } from './pod.ts';
import type { ResourceClaim, ResourceClaimConsumerReference, ResourceClaimStatus } from './resource-claims.ts';

/** The names of the claims that the pod uses, as far as they are known. */
export function claimNames({ spec, status }: Pod): string[] {
  const references = spec?.resourceClaims ?? NO_REFERENCES;
  const names: string[] = [];
  for (let i = 0; i < references.length; i++) {
    const { name, resourceClaimName } = references[i] as PodResourceClaim;
    const claimName = resourceClaimName ?? madeClaim(status?.resourceClaimStatuses, name)?.resourceClaimName;
    if (claimName !== undefined) names.push(claimName);
  }
  const extended = status?.extendedResourceClaimStatus?.resourceClaimName;
  if (extended !== undefined) names.push(extended);
  return names;
}

const NO_REFERENCES: readonly PodResourceClaim[] = [];

/** What a pod's status says of the claim that was made for its reference of this name. */
export function madeClaim(
  made: readonly PodResourceClaimStatus[] | undefined,
  reference: string,
): PodResourceClaimStatus | undefined {
  // Methods of frozen lists are slow in V8, and these are read with each event of a claim.
  if (made !== undefined) for (let i = 0; i < made.length; i++) if (made[i]?.name === reference) return made[i];
  return undefined;
}

/** The pod that controls the claim. */
export function ownerOf(claim: ResourceClaim): Owner | undefined {
  return controllerOf(claim, 'Pod');
}

/** The group of pods that controls the claim. */
export function owningGroupOf(claim: ResourceClaim): Owner | undefined {
  const owner = controllerOf(claim, 'PodGroup');
  return owner?.apiVersion?.startsWith('scheduling.k8s.io/') ? owner : undefined;
}

/** The claim when the user uses it no more. */
export function releasedBy(claim: ResourceClaim, user: ClaimUserName): ResourceClaim {
  const { reservedFor = [] } = claim.status ?? {};
  const users = reservedFor.filter((each) => !isUser(each, user));
  return users.length === reservedFor.length ? claim : withUsers(claim, users);
}

/** The claim with these users of those that it has: the devices are given back with the last one. */
export function withUsers(claim: ResourceClaim, users: readonly ResourceClaimConsumerReference[]): ResourceClaim {
  const { metadata, status = {} } = claim;
  if (users.length > 0) return withClaimParts(claim, metadata, { ...status, reservedFor: users });
  const left: Record<string, unknown> = {};
  for (const key in status) if (!GIVEN_BACK.has(key)) left[key] = status[key as keyof ResourceClaimStatus];
  return withClaimParts(claim, metadata, left);
}

const GIVEN_BACK: ReadonlySet<string> = new Set(['reservedFor', 'allocation', 'devices']);

/**
 * The claim with these metadata and this status. Naming the members, where there are no others, is several times faster
 * than spreading a frozen claim.
 */
export function withClaimParts(
  claim: ResourceClaim,
  metadata: ResourceClaim['metadata'],
  status: ResourceClaimStatus | undefined,
): ResourceClaim {
  const { apiVersion, kind, spec } = claim;
  if (apiVersion === undefined || kind === undefined || spec === undefined) {
    return combined(claim, { metadata, status });
  }
  for (const key in claim) if (!PARTS.has(key)) return combined(claim, { metadata, status });
  return { apiVersion, kind, metadata, spec, status };
}

const PARTS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'spec', 'status']);

/** Whether a claim is reserved for a group of pods by this. */
export function isGroupUser({ apiGroup, resource }: ResourceClaimConsumerReference): boolean {
  return apiGroup === 'scheduling.k8s.io' && resource === 'podgroups';
}

/**
 * Whether the claim is reserved for the user, a pod or a group of pods, or for the group of this name that shares its
 * claims with the user; '': for none. Users without a UID are told apart by their names.
 */
export function isReservedFor({ status }: Pick<ResourceClaim, 'status'>, user: ClaimUserName, group = ''): boolean {
  const users = status?.reservedFor ?? NO_USERS;
  for (let i = 0; i < users.length; i++) {
    const each = users[i] as ResourceClaimConsumerReference;
    if (isUser(each, user) || (group !== '' && each.name === group && isGroupUser(each))) return true;
  }
  return false;
}

const NO_USERS: readonly ResourceClaimConsumerReference[] = [];

type ClaimUserName = Pick<ResourceClaimConsumerReference, 'uid' | 'name'>;

function isUser(given: ResourceClaimConsumerReference, { uid, name }: ClaimUserName): boolean {
  return given.uid === uid && (uid !== '' || given.name === name);
}

type Owner = Pick<OwnerReference, 'apiVersion' | 'name' | 'uid'>;

function controllerOf({ metadata }: ResourceClaim, wanted: string): Owner | undefined {
  const owners = metadata?.ownerReferences;
  if (owners === undefined) return undefined;
  for (let i = 0; i < owners.length; i++) {
    if (owners[i]?.controller === true && owners[i]?.kind === wanted) return owners[i];
  }
  return undefined;
}
