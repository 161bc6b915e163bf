import { compileRequiredNodeAffinity } from '../../api/node-selector.ts';
import type { Pod } from '../../api/pod.ts';
import type { AllocationResult, ResourceClaim } from '../../api/resource-claims.ts';
import { timeAtMillis } from '../../api/time.ts';
import type { FeatureGates } from '../../config/feature-gates.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { ClusterEventWithHint } from '../../framework/events.ts';
import type { Handle } from '../../framework/handle.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import {
  type Eventually,
  type FilterPlugin,
  LOOKS_AT_NOTHING,
  type NodeParts,
  type PostFilterPlugin,
  type PreBindPlugin,
  type PreEnqueuePlugin,
  type PreFilterPlugin,
  type ReservePlugin,
  type ScorePlugin,
  type Snapshot,
} from '../../framework/plugin.ts';
import { DEFAULT_ENVIRONMENT, type PluginEnvironment } from '../../framework/plugin-definition.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { notHelped, type PostFilterContext, type PostFilterOutcome } from '../../framework/post-filter.ts';
import { textOf } from '../../framework/runtime/plugin-answer.ts';
import { errorStatus, type Status, skip, unresolvable, unschedulable } from '../../framework/status.ts';
import type { Clock } from '../../lib/clock.ts';
import { allocatedDevices } from './allocator/allocated-devices.ts';
import { Allocator } from './allocator/allocator.ts';
import { AllocationError, SelectorCache } from './allocator/selector-cache.ts';
import type { DynamicResourcesArgs } from './args.ts';
import { ATTEMPT, type AttemptClaim, type AttemptState, NO_CLAIMS } from './attempt-state.ts';
import { awaitDevices, mustWait } from './claims/await-devices.ts';
import { bindClaim } from './claims/bind-claims.ts';
import { isOverdue, readinessOf } from './claims/binding-conditions.ts';
import { type ClaimApi, objectsApi } from './claims/claim-api.ts';
import { ClaimCache } from './claims/claim-cache.ts';
import { isReservedFor, podClaims, usesClaims } from './claims/pod-claims.ts';
import { classProblem } from './claims/request-problems.ts';
import { dynamicResourcesEvents } from './hints.ts';
import { preferenceScore } from './preference-score.ts';

export const DYNAMIC_RESOURCES = 'DynamicResources';

type Points = PreEnqueuePlugin &
  PreFilterPlugin &
  FilterPlugin &
  PostFilterPlugin &
  ScorePlugin &
  ReservePlugin &
  PreBindPlugin;

const UNAVAILABLE = 'resourceclaim not available on the node';
const NANOS_PER_MILLI = 1_000_000n;
const DEFAULT_BINDING_TIMEOUT_NANOS = 600_000_000_000n;

/**
 * Places a pod where its claims have devices or can get them (upstream's dynamicresources.go). A pod without claims
 * still takes part in scoring, with 0 for every node.
 */
export class DynamicResources implements Points {
  readonly name = DYNAMIC_RESOURCES;
  // For pods with claims every step runs anew; for all others the answers are the same for every node.
  readonly filterReads = 'node';
  readonly scoreReads = 'node';
  readonly readsCluster = true;
  readonly #snapshot: Pick<Snapshot, 'objects'>;
  readonly #claims: ClaimCache;
  readonly #features: FeatureGates;
  readonly #clock: Clock;
  readonly #selectors: SelectorCache;
  readonly #handle: Handle | undefined;
  readonly #api: ClaimApi;
  readonly #bindingTimeoutMillis: number;

  /** `handle` writes what claims get; without it they are written into the objects of the snapshot. */
  constructor(
    snapshot: Pick<Snapshot, 'objects'>,
    args?: DynamicResourcesArgs,
    handle?: Handle,
    { gates, clock }: PluginEnvironment = DEFAULT_ENVIRONMENT,
  ) {
    this.#snapshot = snapshot;
    this.#claims = new ClaimCache(snapshot.objects);
    this.#features = gates;
    this.#clock = clock;
    this.#selectors = new SelectorCache(gates.DRAListTypeAttributes);
    this.#handle = handle;
    this.#api = handle?.api ?? objectsApi(snapshot.objects);
    const timeoutNanos = args?.bindingTimeoutNanoseconds ?? DEFAULT_BINDING_TIMEOUT_NANOS;
    this.#bindingTimeoutMillis = Number(timeoutNanos / NANOS_PER_MILLI);
  }

  concerns(pod: Pod): boolean {
    return usesClaims(pod);
  }

  looksAt(pod: Pod): NodeParts | null {
    return usesClaims(pod) ? null : LOOKS_AT_NOTHING;
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return dynamicResourcesEvents(this.#claims);
  }

  preEnqueue(pod: PodInfo): Status | null {
    if (!usesClaims(pod.pod)) return null;
    const claims = podClaims(pod, this.#claims);
    return typeof claims === 'string' ? unresolvable(this.name, claims) : null;
  }

  preFilter(state: CycleState, pod: PodInfo): Status | null {
    state.write(ATTEMPT, NO_CLAIMS);
    const claims = podClaims(pod, this.#claims);
    if (typeof claims === 'string') return unresolvable(this.name, claims);
    if (claims.length === 0) return skip(this.name);
    const { objects } = this.#snapshot;
    const deviceClass = (name: string) => objects.get('DeviceClass', name);
    const unallocated = claims.filter(({ status }) => status?.allocation === undefined);
    for (const claim of unallocated) {
      const { name, namespace, uid } = claim.metadata ?? {};
      if (this.#claims.isInFlight(uid ?? '')) {
        return unresolvable(this.name, `resource claim ${namespace}/${name} is in the process of being allocated`);
      }
      const problem = classProblem(claim, deviceClass, this.#features);
      if (problem !== null) return unresolvable(this.name, problem);
    }
    const allocator = new Allocator({
      features: this.#features,
      selectors: this.#selectors,
      deviceClass,
      slices: [...objects.list('ResourceSlice')],
      allocated: allocatedDevices(this.#claims.all(), this.#features),
    });
    state.write(ATTEMPT, {
      claims: claims.map((claim) => this.#attemptClaim(claim)),
      unallocated,
      allocator,
      found: new Map<string, readonly AllocationResult[]>(),
      allocations: new Map<ResourceClaim, AllocationResult>(),
    });
    return null;
  }

  filter(state: CycleState, _pod: PodInfo, { node, name }: NodeInfo): Status | null {
    const attempt = state.read(ATTEMPT);
    if (attempt === undefined) return errorStatus(this.name, 'not found');
    if (!isActive(attempt)) return null;
    if (attempt.unallocated.length > 0) {
      const found = attempt.allocator.allocate(node, attempt.unallocated);
      if (found instanceof AllocationError) return errorStatus(this.name, found.message);
      if (typeof found === 'string') return unresolvable(this.name, found);
      attempt.found.set(name, found);
    }
    return attempt.claims.every((claim) => claim.isUsableOn(node)) ? null : unresolvable(this.name, UNAVAILABLE);
  }

  /** Gives up one claim of the pod that no node can use as it is, if nobody else uses it. */
  postFilter({ podState, pod, explain, statuses }: PostFilterContext): PostFilterOutcome {
    const attempt = podState.read(ATTEMPT);
    // As upstream, this fails if an earlier plugin has ended PreFilter, so that the plugin's state was not written.
    if (attempt === undefined) return notHelped(errorStatus(this.name, 'not found'));
    if (!isActive(attempt)) return notHelped(unschedulable(this.name, 'no new claims to deallocate'));
    const rejecting = statuses.nodesWithCode('UnschedulableAndUnresolvable').filter(({ name }) => {
      const status = statuses.statusOf(name);
      return status?.plugin === this.name && status.reasons.includes(UNAVAILABLE);
    });
    for (const { claim, isUsableOn } of attempt.claims) {
      if (rejecting.every(({ node }) => isUsableOn(node))) continue;
      const users = claim.status?.reservedFor ?? [];
      if (users.length > 1 || (users.length === 1 && !isReservedFor(claim, pod))) continue;
      const { allocation: _allocation, reservedFor: _users, devices: _devices, ...status } = claim.status ?? {};
      if (!explain) this.#deallocate({ ...claim, status });
      return notHelped(unschedulable(this.name, 'deallocation of ResourceClaim completed'));
    }
    return notHelped(unschedulable(this.name, 'still not schedulable'));
  }

  scoreFailure(state: CycleState): string | null {
    return state.read(ATTEMPT) === undefined ? 'not found' : null;
  }

  /** Prefers nodes whose devices serve earlier alternatives of requests. */
  score(state: CycleState, _pod: PodInfo, { name }: NodeInfo): number {
    const attempt = state.read(ATTEMPT);
    return attempt === undefined || !isActive(attempt) ? 0 : preferenceScore(attempt, name);
  }

  readonly normalize = { reverse: false };

  reserves({ pod }: PodInfo): boolean {
    return usesClaims(pod);
  }

  /** Keeps what was found until it is written, which is at once in a scheduler that binds nothing. */
  reserve(state: CycleState, pod: PodInfo, { node, name }: NodeInfo): Status | null {
    const attempt = state.read(ATTEMPT);
    if (attempt === undefined || !isActive(attempt)) return null;
    const found = attempt.found.get(name) ?? attempt.allocator.allocate(node, attempt.unallocated);
    if (found instanceof AllocationError) return errorStatus(this.name, found.message);
    if (typeof found === 'string') return unresolvable(this.name, found);
    attempt.allocations = new Map(attempt.unallocated.map((claim, i) => [claim, found[i] as AllocationResult]));
    for (const [claim, allocation] of attempt.allocations) {
      this.#claims.reserve({ ...claim, status: { ...claim.status, allocation } });
    }
    if (this.#handle === undefined) for (const { claim } of attempt.claims) this.#bind(attempt, claim, pod);
    return null;
  }

  unreserve(state: CycleState): void {
    const attempt = state.read(ATTEMPT);
    if (attempt === undefined || !isActive(attempt)) return;
    for (const { claim } of attempt.claims) {
      this.#claims.release(claim);
      if (this.#handle === undefined) this.#api.updateResourceClaim(claim);
    }
  }

  preBinds({ pod }: PodInfo): boolean {
    return usesClaims(pod);
  }

  preBindPreFlight(state: CycleState): Status | null {
    const attempt = state.read(ATTEMPT);
    return attempt === undefined || !isActive(attempt) ? skip(this.name) : null;
  }

  preBind(state: CycleState, pod: PodInfo, nodeName: string): Eventually<Status | null> {
    const attempt = state.read(ATTEMPT);
    const handle = this.#handle;
    if (handle === undefined || attempt === undefined || !isActive(attempt)) return null;
    const statusOf = (problem: string | null): Status | null =>
      problem === null ? null : errorStatus(this.name, problem);
    let written: readonly ResourceClaim[];
    try {
      written = attempt.claims.map(({ claim }) => this.#bind(attempt, claim, pod));
    } catch (error) {
      return statusOf(textOf(error));
    }
    if (!this.#features.DRADeviceBindingConditions || !mustWait(written)) return null;
    const note = `waiting for binding conditions for device on node ${nodeName}`;
    handle.event(pod.pod, 'Normal', 'BindingConditionsPending', 'Scheduling', note);
    const current = () => written.map((claim) => this.#claims.get(pod.namespace, claim.metadata?.name ?? '') ?? claim);
    const problem = awaitDevices(handle, current, this.#bindingTimeoutMillis);
    return typeof problem === 'function' ? (done) => problem((text) => done(statusOf(text))) : statusOf(problem);
  }

  /** Returns the claim as it was written; one that the pod uses already is not. */
  #bind({ allocations }: AttemptState, claim: ResourceClaim, pod: PodInfo): ResourceClaim {
    if (isReservedFor(claim, pod)) return claim;
    const written = bindClaim(this.#api, claim, this.#stamped(allocations.get(claim)), pod);
    this.#claims.assume(written);
    return written;
  }

  /** The allocation with the time, from which on devices have to get ready. */
  #stamped(allocation: AllocationResult | undefined): AllocationResult | undefined {
    if (allocation === undefined || !this.#features.DRADeviceBindingConditions) return allocation;
    return { ...allocation, allocationTimestamp: timeAtMillis(this.#nowMillis()) };
  }

  #nowMillis(): number {
    return (this.#handle ?? this.#clock).nowMillis();
  }

  #attemptClaim(claim: ResourceClaim): AttemptClaim {
    const allocation = claim.status?.allocation;
    if (allocation === undefined) return { claim, isUsableOn: () => true };
    const { nodeSelector } = allocation;
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: nodeSelector } };
    const required = nodeSelector === undefined ? null : compileRequiredNodeAffinity({ affinity });
    const isStuck = this.#isStuck(claim);
    return { claim, isUsableOn: (node) => !isStuck && (required === null || required.match(node)) };
  }

  /** Whether the claim's devices failed to get ready, or take too long. */
  #isStuck(claim: ResourceClaim): boolean {
    if (!this.#features.DRADeviceBindingConditions) return false;
    const readiness = readinessOf(claim);
    if (readiness === 'ready') return false;
    return readiness !== 'waiting' || isOverdue(claim, this.#nowMillis(), this.#bindingTimeoutMillis);
  }

  #deallocate(claim: ResourceClaim): void {
    this.#claims.assume(this.#api.updateResourceClaimStatus(claim));
  }
}

function isActive(attempt: AttemptState | typeof NO_CLAIMS): attempt is AttemptState {
  return attempt.claims.length > 0;
}
