import type { ResourceClaim } from '../../../api/resource-claims.ts';
import type { Handle } from '../../../framework/handle.ts';
import type { PodInfo } from '../../../framework/pod-info.ts';
import { CodedError } from '../../../lib/errors.ts';
import { type Awaiting, awaited } from '../../../lib/maybe-promise.ts';
import { FINALIZER, MOST_TRIES } from '../claims/bind-claims.ts';
import type { ClaimApi } from '../claims/claim-api.ts';
import type { NodeClaim } from './extended-claim.ts';

const POLL_MILLIS = 1000;
/** How long a claim that was created may take to arrive by the watch, before binding goes on without it. */
const ARRIVAL_MILLIS = 120_000;

/** Tells the pod which claim has its extended resources. @throws Error if the API refuses, or no container has any */
export function* reportExtendedClaim(
  api: ClaimApi,
  { namespace, name }: PodInfo,
  claim: ResourceClaim,
  { mappings: requestMappings }: NodeClaim,
): Awaiting<void> {
  if (requestMappings.length === 0) {
    const subject = `pod ${namespace}/${name} ExtendedResourceClaimStatus`;
    throw new Error(`nil or empty request mappings, no update of ${subject}`);
  }
  const extendedResourceClaimStatus = { requestMappings, resourceClaimName: claim.metadata?.name ?? '' };
  yield* awaited(api.patchPodStatus(namespace, name, { status: { extendedResourceClaimStatus } }));
}

/** Deletes a claim that nobody is to use, with its finalizer. @throws Error if the API refuses */
export function* deleteClaim(api: ClaimApi, known: ResourceClaim): Awaiting<void> {
  const { namespace = 'default', name = '' } = known.metadata ?? {};
  let claim = known;
  for (let tries = 1; ; tries++) {
    try {
      const finalizers = (claim.metadata?.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER);
      yield* awaited(api.updateResourceClaim({ ...claim, metadata: { ...claim.metadata, finalizers } }));
      break;
    } catch (error) {
      if (tries >= MOST_TRIES || !(error instanceof CodedError && error.code === 'Conflict')) throw error;
      claim = yield* awaited(api.getResourceClaim(namespace, name));
    }
  }
  yield* awaited(api.deleteResourceClaim(namespace, name));
}

/**
 * Calls `done` when `hasArrived`, which is asked every second, and after two minutes in any case. Upstream writes the
 * claim and the pod before it first asks, in which time the watch shows most claims. Here writes take no time, so the
 * watch gets a turn of the loop instead.
 */
export function awaitArrival(handle: Handle, hasArrived: () => boolean, done: () => void): void {
  const deadlineMillis = handle.nowMillis() + ARRIVAL_MILLIS;
  const checkOr = (next: () => void): void => {
    if (hasArrived() || handle.nowMillis() >= deadlineMillis) done();
    else next();
  };
  const poll = (): void => checkOr(() => handle.after(POLL_MILLIS, poll));
  checkOr(() => handle.after(0, poll));
}
