import { isReservedFor } from '../../../api/claims-of-pod.ts';
import type { AllocationResult, ResourceClaim, ResourceClaimConsumerReference } from '../../../api/resource-claims.ts';
import { CodedError } from '../../../lib/errors.ts';
import { type Awaiting, awaited } from '../../../lib/maybe-promise.ts';
import type { ClaimApi } from './claim-api.ts';
import type { ClaimUser } from './pod-claims.ts';

/** Keeps an allocated claim until its devices are given back. */
export const FINALIZER = 'resource.kubernetes.io/delete-protection';

/** How often a write is tried that others come in between of (client-go's DefaultRetry). */
export const MOST_TRIES = 5;

/** The claim with the user among its users, and with this allocation. */
function reservedFor(claim: ResourceClaim, user: ClaimUser, allocation = claim.status?.allocation): ResourceClaim {
  if (allocation === claim.status?.allocation && isReservedFor(claim, user)) return claim;
  return { ...claim, status: statusFor(claim, user, allocation) };
}

function statusFor(
  claim: ResourceClaim,
  user: ClaimUser,
  allocation: AllocationResult | undefined,
): NonNullable<ResourceClaim['status']> {
  const { status } = claim;
  if (status === undefined && allocation !== undefined) return { allocation, reservedFor: [user] };
  const users = status?.reservedFor ?? NO_USERS;
  const reservedFor = users.length > 0 && isReservedFor(claim, user) ? users : [...users, user];
  return allocation === undefined ? { ...status, reservedFor } : { ...status, allocation, reservedFor };
}

const NO_USERS: readonly ResourceClaimConsumerReference[] = [];

/**
 * Writes what the claim got, and who uses it (upstream's bindClaim). Returns the claim as it was written.
 * `allocation`: what was found in this attempt; undefined for a claim that has its devices.
 *
 * @throws Error if the API refuses, or the claim has changed too much meanwhile
 */
export function* bindClaim(
  api: ClaimApi,
  known: ResourceClaim,
  allocation: AllocationResult | undefined,
  user: ClaimUser,
): Awaiting<ResourceClaim> {
  const { namespace = 'default', name = '' } = known.metadata ?? {};
  let claim = known;
  for (let tries = 1; ; tries++) {
    try {
      checkUnchanged(claim, allocation);
      if (allocation === undefined) return yield* awaited(api.updateResourceClaimStatus(reservedFor(claim, user)));
      const finalizers = claim.metadata?.finalizers ?? [];
      if (!finalizers.includes(FINALIZER)) {
        const metadata = { ...claim.metadata, finalizers: [...finalizers, FINALIZER] };
        claim = { ...claim, metadata };
        if (!api.writesAtOnce) claim = yield* awaited(api.updateResourceClaim(claim));
      }
      return yield* awaited(api.updateResourceClaimStatus(reservedFor(claim, user, allocation)));
    } catch (error) {
      if (tries >= MOST_TRIES || !(error instanceof CodedError && error.code === 'Conflict')) throw error;
      claim = yield* awaited(api.getResourceClaim(namespace, name));
    }
  }
}

/**
 * The claim as `bindClaim` writes it where one write may change everything, and nobody else writes.
 *
 * @throws Error if the claim has changed too much meanwhile
 */
export function boundClaim(
  claim: ResourceClaim,
  allocation: AllocationResult | undefined,
  user: ClaimUser,
): ResourceClaim {
  checkUnchanged(claim, allocation);
  const { metadata } = claim;
  const finalizers = metadata?.finalizers ?? NO_FINALIZERS;
  if (allocation === undefined || finalizers.includes(FINALIZER)) return reservedFor(claim, user, allocation);
  const all = finalizers.length === 0 ? FINALIZERS : [...finalizers, FINALIZER];
  return { ...claim, metadata: { ...metadata, finalizers: all }, status: statusFor(claim, user, allocation) };
}

const NO_FINALIZERS: readonly string[] = [];
const FINALIZERS: readonly string[] = [FINALIZER];

function checkUnchanged({ metadata, status }: ResourceClaim, allocation: AllocationResult | undefined): void {
  const isAllocated = allocation !== undefined && status?.allocation !== undefined;
  if (!metadata?.deletionTimestamp && !isAllocated) return;
  const happened = metadata?.deletionTimestamp ? 'deleted' : 'allocated elsewhere';
  throw new Error(`claim ${metadata?.namespace || 'default'}/${metadata?.name} got ${happened} in the meantime`);
}
