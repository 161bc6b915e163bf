import { isReservedFor, withClaimParts } from '../../../api/claims-of-pod.ts';
import type {
  AllocationResult,
  ResourceClaim,
  ResourceClaimConsumerReference,
  ResourceClaimStatus,
} from '../../../api/resource-claims.ts';
import { combined } from '../../../lib/combined.ts';
import { deepFrozen } from '../../../lib/deep-frozen.ts';
import { CodedError } from '../../../lib/errors.ts';
import { type Awaiting, awaited, type MaybePromise } from '../../../lib/maybe-promise.ts';
import type { ClaimApi } from './claim-api.ts';
import type { ClaimUser } from './pod-claims.ts';

/** Keeps an allocated claim until its devices are given back. */
export const FINALIZER = 'resource.kubernetes.io/delete-protection';

/** How often a write is tried that others come in between of (client-go's DefaultRetry). */
export const MOST_TRIES = 5;

/** The claim with the user among its users, and with this allocation. */
function reservedFor(claim: ResourceClaim, user: ClaimUser, allocation = claim.status?.allocation): ResourceClaim {
  if (allocation === claim.status?.allocation && isReservedFor(claim, user)) return claim;
  return withClaimParts(claim, claim.metadata, statusFor(claim, user, allocation));
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
  return combined(status, allocation === undefined ? { reservedFor } : { allocation, reservedFor });
}

/** Freezes a new status as a store would freeze a copy of it, and writes it. `claim` has the one before. */
function writeStatus(api: ClaimApi, claim: ResourceClaim, next: ResourceClaim): MaybePromise<ResourceClaim> {
  // A claim that is not frozen is not as a store has it, and may have absent members.
  const isStored = claim.status !== undefined && Object.isFrozen(claim.status);
  if (isStored) freezeStatus(next.status ?? {});
  return isStored ? api.updateResourceClaimStatus(next, claim.status) : api.updateResourceClaimStatus(next);
}

function freezeStatus(status: ResourceClaimStatus): void {
  const { allocation, reservedFor } = status;
  deepFrozen(allocation);
  deepFrozen(reservedFor);
  Object.freeze(status);
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
      if (allocation === undefined) return yield* awaited(writeStatus(api, claim, reservedFor(claim, user)));
      const finalizers = claim.metadata?.finalizers ?? [];
      if (!finalizers.includes(FINALIZER)) {
        const all = finalizers.length === 0 ? FINALIZERS : [...finalizers, FINALIZER];
        claim = withClaimParts(claim, { ...claim.metadata, finalizers: all }, claim.status);
        if (!api.writesAtOnce) {
          const updated = api.updateResourceClaim(claim);
          claim = updated instanceof Promise ? yield* awaited(updated) : updated;
        }
      }
      const written = writeStatus(api, claim, reservedFor(claim, user, allocation));
      // A generator for a value that is there would be made for each claim.
      return written instanceof Promise ? yield* awaited(written) : written;
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
  return withClaimParts(claim, combined(metadata, { finalizers: all }), statusFor(claim, user, allocation));
}

const NO_FINALIZERS: readonly string[] = [];
const FINALIZERS: readonly string[] = [FINALIZER];

function checkUnchanged({ metadata, status }: ResourceClaim, allocation: AllocationResult | undefined): void {
  const isAllocated = allocation !== undefined && status?.allocation !== undefined;
  if (!metadata?.deletionTimestamp && !isAllocated) return;
  const happened = metadata?.deletionTimestamp ? 'deleted' : 'allocated elsewhere';
  throw new Error(`claim ${metadata?.namespace || 'default'}/${metadata?.name} got ${happened} in the meantime`);
}
