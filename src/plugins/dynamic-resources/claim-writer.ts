import { isReservedFor, withClaimParts } from '../../api/claims-of-pod.ts';
import type { AllocationResult, ResourceClaim } from '../../api/resource-claims.ts';
import { timeAtMillis } from '../../api/time.ts';
import { eventually } from '../../framework/eventually.ts';
import type { Handle } from '../../framework/handle.ts';
import type { Eventually } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { textOf } from '../../framework/runtime/plugin-answer.ts';
import { type Awaiting, awaited, endOrAwait, runAtOnce, runAwaiting, whenAnswered } from '../../lib/maybe-promise.ts';
import type { AttemptClaim, AttemptState } from './attempt-state.ts';
import { awaitDevices, mustWait } from './claims/await-devices.ts';
import { bindClaim, boundClaim, type ClaimBinding } from './claims/bind-claims.ts';
import type { ClaimApi } from './claims/claim-api.ts';
import type { ClaimCache } from './claims/claim-cache.ts';
import { type GroupClaims, NO_ALLOCATIONS } from './claims/group-claims.ts';
import { type ClaimUser, notFound, podUser } from './claims/pod-claims.ts';
import { awaitArrival, deleteClaim, reportExtendedClaim } from './extended/bind-extended-claim.ts';
import { claimToCreate } from './extended/extended-claim.ts';

const NO_CLAIMS: readonly ResourceClaim[] = [];
const IGNORED = { done: () => {}, failed: () => {} };

/** The parts that write claims. */
export interface ClaimWriterModules {
  readonly api: ClaimApi;
  readonly claims: ClaimCache;
  readonly groups: GroupClaims;
  /** Undefined in a scheduler that binds nothing: what is written is then known at once. */
  readonly handle: Handle | undefined;
  /** Whether devices may have to get ready before a pod is bound (feature gate DRADeviceBindingConditions). */
  readonly awaitsDevices: boolean;
  readonly bindingTimeoutMillis: number;
  readonly nowMillis: () => number;
}

/** Writes what the claims of a chosen node get, and takes it back. */
export class ClaimWriter {
  readonly #modules: ClaimWriterModules;

  constructor(modules: ClaimWriterModules) {
    this.#modules = modules;
  }

  /** Writes the claims of an attempt; returns them as they were written. */
  *bindAll(attempt: AttemptState, pod: PodInfo): Awaiting<readonly ResourceClaim[]> {
    const { claims } = attempt;
    // Most pods have one claim, for which a list that grows would be too long.
    let written: readonly ResourceClaim[] = NO_CLAIMS;
    for (let i = 0; i < claims.length; i++) {
      const bound = yield* this.#bind(attempt, (claims[i] as AttemptClaim).claim, pod);
      written = written.length === 0 ? [bound] : [...written, bound];
      attempt.written = written;
    }
    if (attempt.reserved === null) return written;
    const extended = yield* this.#bindExtended(attempt, pod);
    return extended === null ? written : [...written, extended];
  }

  /** Keeps what the claims get until `bindAll` writes it. */
  keepInFlight(attempt: AttemptState, results: readonly AllocationResult[], pod: PodInfo): void {
    const { claims, groups } = this.#modules;
    const own = new Map(attempt.unallocated.map((claim, i) => [claim, results[i] as AllocationResult]));
    attempt.allocations = groups.reserve(own, attempt.shared, pod);
    const { reserved } = attempt;
    if (reserved !== null) claims.reserve(withAllocation(reserved.node.claim, reserved.allocation));
  }

  /** As `bindAll`, where what is written is known at once. `results`: what the unallocated claims get. */
  bindAtOnce(attempt: AttemptState, results: readonly AllocationResult[], pod: PodInfo): void {
    const { api, claims, groups } = this.#modules;
    for (const { claim } of attempt.claims) {
      const user = groups.userOf(claim, pod);
      const own = results[attempt.unallocated.indexOf(claim)];
      if (isReservedFor(claim, user)) {
        if (own !== undefined) groups.reserve(new Map([[claim, own]]), NO_ALLOCATIONS, pod);
        continue;
      }
      const bound = boundClaim(claim, this.#binding(own ?? attempt.shared.get(claim), user));
      void api.updateResourceClaimStatus(bound);
      // The claim is known as it was written, so that nothing has to be assumed.
      claims.release(bound);
    }
    if (attempt.reserved !== null) this.#bindExtendedAtOnce(attempt.reserved, pod);
  }

  /** Creates the claim for extended resources with all that it gets. */
  #bindExtendedAtOnce(reserved: NonNullable<AttemptState['reserved']>, pod: PodInfo): void {
    const { api } = this.#modules;
    const { node, allocation } = reserved;
    const claim = boundClaim(claimToCreate(node.claim), this.#binding(allocation, podUser(pod)));
    reserved.written = runAtOnce(awaited(api.createResourceClaim(claim)));
    runAtOnce(reportExtendedClaim(api, pod, reserved.written, node));
  }

  /** Writes the claims, and waits until their devices are ready. Returns an error text, or null, at once or later. */
  bindAndWait(handle: Handle, attempt: AttemptState, pod: PodInfo, nodeName: string): Eventually<string | null> {
    const work = this.bindAll(attempt, pod);
    let step: ReturnType<typeof work.next>;
    try {
      step = work.next();
    } catch (error) {
      return textOf(error);
    }
    // A store answers at once, and most devices are ready at once.
    if (step.done && attempt.reserved === null && !this.#mustWait(step.value)) return null;
    return eventually((done) => {
      endOrAwait(work, step, {
        failed: (error) => done(textOf(error)),
        done: (written) => {
          const extended = attempt.reserved?.written ?? null;
          const wait = () => this.#awaitDevices(handle, written, pod, nodeName, done);
          if (extended === null) wait();
          else this.#awaitArrival(handle, extended, wait);
        },
      });
    });
  }

  #mustWait(written: readonly ResourceClaim[]): boolean {
    return this.#modules.awaitsDevices && mustWait(written);
  }

  /**
   * Returns why the claim was not deleted; null if it was, or if the answer comes later: a claim that is still there is
   * met by the next attempt.
   */
  delete(claim: ResourceClaim): string | null {
    let problem: string | null = null;
    runAwaiting(deleteClaim(this.#modules.api, claim), {
      done: () => {},
      failed: (error) => {
        problem = textOf(error);
      },
    });
    return problem;
  }

  /** Writes a claim without its devices. */
  deallocate(claim: ResourceClaim): void {
    const { api, claims } = this.#modules;
    const written = api.updateResourceClaimStatus(claim);
    // A claim that a server refuses to change later is met by the next attempt.
    if (!(written instanceof Promise)) claims.assume(written);
    else
      written.then(
        (stored) => claims.assume(stored),
        () => {},
      );
  }

  /**
   * Takes the pod from the users of the claims that were written for it. As upstream, what is refused is left to the
   * next attempt. Nothing is written for a trial in a copy of the cluster, which ends before binding.
   */
  unreserve({ written }: AttemptState, pod: PodInfo): void {
    const user = podUser(pod);
    for (const { metadata, status } of written) {
      if (!isReservedFor({ status }, user)) continue;
      const { namespace = 'default', name = '', uid } = metadata ?? {};
      const body = { metadata: { uid }, status: { reservedFor: [{ $patch: 'delete', uid: user.uid }] } };
      whenAnswered(() => this.#modules.api.patchResourceClaimStatus(namespace, name, body), IGNORED);
    }
  }

  /** Writes the claim as it was before the attempt. */
  restore(claim: ResourceClaim): void {
    void this.#modules.api.updateResourceClaim(claim);
  }

  /** Returns the claim as it was written; one that the pod uses already is not. */
  *#bind({ allocations }: AttemptState, claim: ResourceClaim, pod: PodInfo): Awaiting<ResourceClaim> {
    const { api, claims, groups } = this.#modules;
    const user = groups.userOf(claim, pod);
    if (isReservedFor(claim, user)) return claim;
    const written = yield* bindClaim(api, claim, this.#binding(allocations.get(claim), user));
    claims.assume(written);
    return written;
  }

  /** Creates the claim for extended resources. Its devices stay in flight until the watch has shown it. */
  *#bindExtended({ reserved }: AttemptState, pod: PodInfo): Awaiting<ResourceClaim | null> {
    if (reserved === null) return null;
    const { node, allocation } = reserved;
    const { api, claims } = this.#modules;
    const created = yield* awaited(api.createResourceClaim(claimToCreate(node.claim)));
    reserved.written = created;
    claims.reserve(withAllocation(created, allocation));
    claims.release(node.claim);
    reserved.written = yield* bindClaim(api, created, this.#binding(allocation, podUser(pod)));
    yield* reportExtendedClaim(api, pod, reserved.written, node);
    return reserved.written;
  }

  /** Waits until the watch has shown the claim that was created. */
  #awaitArrival(handle: Handle, created: ResourceClaim, done: () => void): void {
    const { claims } = this.#modules;
    awaitArrival(
      handle,
      () => claims.isKnown(created),
      () => {
        if (claims.isKnown(created)) claims.assume(created);
        else claims.release(created);
        done();
      },
    );
  }

  /** Waits until drivers have made the devices ready that need it. */
  #awaitDevices(
    handle: Handle,
    written: readonly ResourceClaim[],
    pod: PodInfo,
    nodeName: string,
    done: (problem: string | null) => void,
  ): void {
    const { claims, bindingTimeoutMillis } = this.#modules;
    if (!this.#mustWait(written)) {
      done(null);
      return;
    }
    const note = `waiting for binding conditions for device on node ${nodeName}`;
    handle.event(pod.pod, 'Normal', 'BindingConditionsPending', 'Scheduling', note);
    const names = written.map(({ metadata }) => metadata?.name ?? '');
    const current = () => names.map((name) => claims.get(pod.namespace, name) ?? notFound(pod.namespace, name));
    awaitDevices(handle, current, bindingTimeoutMillis, done);
  }

  #binding(allocation: AllocationResult | undefined, user: ClaimUser): ClaimBinding {
    const { awaitsDevices, nowMillis } = this.#modules;
    return { allocation, user, timestamp: awaitsDevices ? timeAtMillis(nowMillis()) : undefined };
  }
}

function withAllocation(claim: ResourceClaim, allocation: AllocationResult): ResourceClaim {
  return withClaimParts(claim, claim.metadata, { ...claim.status, allocation });
}
