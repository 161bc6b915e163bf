import { isReservedFor, withClaimParts } from '../../../api/claims-of-pod.ts';
import type {
  AllocationResult,
  ResourceClaim,
  ResourceClaimConsumerReference,
  ResourceClaimStatus,
} from '../../../api/resource-claims.ts';
import { textOf } from '../../../framework/runtime/plugin-answer.ts';
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
function reservedFor(claim: ResourceClaim, user: ClaimUser, allocation: AllocationResult | undefined): ResourceClaim {
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

/** What a claim is bound to. */
export interface ClaimBinding {
  /** What was found in this attempt; undefined for a claim that has its devices. */
  readonly allocation: AllocationResult | undefined;
  readonly user: ClaimUser;
  /** The time from which on devices have to get ready; undefined if none have to. */
  readonly timestamp: string | undefined;
}

/**
 * Writes what the claim got, and who uses it (upstream's bindClaim). Returns the claim as it was written.
 *
 * @throws Error if the API refuses, or the claim has changed too much meanwhile
 */
export function* bindClaim(api: ClaimApi, known: ResourceClaim, binding: ClaimBinding): Awaiting<ResourceClaim> {
  const { namespace = 'default', name = '' } = known.metadata ?? {};
  const what = binding.allocation === undefined ? 'reservation' : 'allocation and reservation';
  let claim = known;
  for (let tries = 1; ; tries++) {
    const allocation = stampedAllocation(claim, binding);
    let step = 'add finalizer';
    try {
      const marked = binding.allocation === undefined ? claim : withFinalizer(claim);
      if (marked !== claim) {
        const updated = api.updateResourceClaim(marked);
        claim = updated instanceof Promise ? yield* awaited(updated) : updated;
      }
      step = `add ${what}`;
      const written = writeStatus(api, claim, reservedFor(claim, binding.user, allocation));
      // A generator for a value that is there would be made for each claim.
      return written instanceof Promise ? yield* awaited(written) : written;
    } catch (error) {
      if (tries >= MOST_TRIES || !(error instanceof CodedError && error.code === 'Conflict')) {
        throw new Error(`${step} to claim ${namespace}/${name}: ${textOf(error)}`);
      }
      claim = yield* awaited(api.getResourceClaim(namespace, name));
    }
  }
}

/**
 * The claim as `bindClaim` writes it where one write may change everything, and nobody else writes.
 *
 * @throws Error if the claim has changed too much meanwhile
 */
export function boundClaim(claim: ResourceClaim, binding: ClaimBinding): ResourceClaim {
  const allocation = stampedAllocation(claim, binding);
  return reservedFor(binding.allocation === undefined ? claim : withFinalizer(claim), binding.user, allocation);
}

function withFinalizer(claim: ResourceClaim): ResourceClaim {
  const { metadata, status } = claim;
  const finalizers = metadata?.finalizers ?? NO_FINALIZERS;
  if (finalizers.includes(FINALIZER)) return claim;
  const all = finalizers.length === 0 ? FINALIZERS : [...finalizers, FINALIZER];
  return withClaimParts(claim, combined(metadata, { finalizers: all }), status);
}

const NO_FINALIZERS: readonly string[] = [];
const FINALIZERS: readonly string[] = [FINALIZER];

/** The devices that the claim has or gets, with the time. @throws Error if the claim has changed too much meanwhile */
function stampedAllocation(
  { metadata, status }: ResourceClaim,
  { allocation, timestamp }: ClaimBinding,
): AllocationResult | undefined {
  const known = status?.allocation;
  let happened = '';
  if (metadata?.deletionTimestamp) happened = 'deleted';
  else if (allocation !== undefined && known !== undefined) happened = 'allocated elsewhere';
  else if (timestamp !== undefined && allocation === undefined && known === undefined) {
    happened = 'deallocated elsewhere';
  }
  if (happened !== '') {
    throw new Error(`claim ${metadata?.namespace || 'default'}/${metadata?.name} got ${happened} in the meantime`);
  }
  const bound = allocation ?? known;
  if (bound === undefined || timestamp === undefined || bound.allocationTimestamp !== undefined) return bound;
  const { devices, nodeSelector } = bound;
  return nodeSelector === undefined
    ? { devices, allocationTimestamp: timestamp }
    : { devices, nodeSelector, allocationTimestamp: timestamp };
}
