import type { Pod } from '../../api/pod.ts';
import type { DeviceClass, ResourceClaim } from '../../api/resource-claims.ts';
import type { FeatureGates } from '../../config/feature-gates.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { ClusterEventWithHint } from '../../framework/events.ts';
import type { Handle } from '../../framework/handle.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import {
  type Eventually,
  type FilterPlugin,
  LOOKS_AT_NOTHING,
  type NodeFeed,
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
import type { RejectedSlots } from '../../framework/rejected-slots.ts';
import { errorStatus, type Status, skip, unresolvable } from '../../framework/status.ts';
import type { Clock } from '../../lib/clock.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { Allocator, type Refusal } from './allocator/allocator.ts';
import { claimKey } from './allocator/request-plan.ts';
import { AllocationError } from './allocator/selector-cache.ts';
import type { DynamicResourcesArgs } from './args.ts';
import { AskedClaims } from './asked-claims.ts';
import { attemptClaim } from './attempt-claim.ts';
import {
  ATTEMPT,
  type AttemptState,
  FoundOnNodes,
  isActive,
  isStatus,
  NO_CLAIMS,
  NO_DEVICES,
  type NodeAllocation,
} from './attempt-state.ts';
import type { ClaimShape } from './claim-shapes.ts';
import { ClaimWriter } from './claim-writer.ts';
import { isStuck } from './claims/binding-conditions.ts';
import { objectsApi } from './claims/claim-api.ts';
import type { ClaimCache } from './claims/claim-cache.ts';
import { GroupClaims, NO_ALLOCATIONS } from './claims/group-claims.ts';
import { LastPodClaims, usesClaims } from './claims/pod-claims.ts';
import { classProblem } from './claims/request-problems.ts';
import { deviceVerdicts } from './device-verdicts.ts';
import { DraManager } from './dra-manager.ts';
import { ExtendedClaim, type ExtendedRefusal } from './extended/extended-claim.ts';
import type { ResourceClasses } from './extended/resource-classes.ts';
import { giveUpClaim, UNAVAILABLE } from './give-up-claim.ts';
import { CLAIM_GATE_KEYS, dynamicResourcesEvents } from './hints.ts';
import { commonPreference, hasAlternatives, preferenceScore } from './preference-score.ts';

export const DYNAMIC_RESOURCES = 'DynamicResources';

type Points = PreEnqueuePlugin &
  PreFilterPlugin &
  FilterPlugin &
  PostFilterPlugin &
  ScorePlugin &
  ReservePlugin &
  PreBindPlugin;

const NANOS_PER_MILLI = 1_000_000n;
const DEFAULT_FILTER_TIMEOUT_NANOS = 10_000_000_000n;
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
  readonly #podClaims: LastPodClaims;
  readonly #groups: GroupClaims;
  /** The classes of extended resources; undefined if devices back none. */
  readonly #classes: ResourceClasses | undefined;
  readonly #features: FeatureGates;
  readonly #clock: Clock;
  readonly #manager: DraManager;
  readonly #allocator: Allocator;
  readonly #handle: Handle | undefined;
  readonly #writer: ClaimWriter;
  /** The statuses of refusals, of which a full cluster has many. */
  readonly #refusals = new Map<Refusal | ExtendedRefusal, Status>();
  readonly #bindingTimeoutMillis: number;
  readonly #filterTimeoutMillis: number;

  /** `handle` writes what claims get; without it they are written into the objects of the snapshot. */
  constructor(
    snapshot: Pick<Snapshot, 'objects'>,
    args?: DynamicResourcesArgs,
    handle?: Handle,
    { gates, clock }: PluginEnvironment = DEFAULT_ENVIRONMENT,
  ) {
    const manager = DraManager.of(snapshot.objects, gates);
    this.#snapshot = snapshot;
    this.#manager = manager;
    this.#claims = manager.claims;
    this.#podClaims = new LastPodClaims(manager.claims);
    this.#groups = new GroupClaims(snapshot.objects, gates, this.#claims);
    this.#classes = gates.DRAExtendedResource ? manager.classes : undefined;
    this.#features = gates;
    this.#allocator = new Allocator({
      features: gates,
      selectors: manager.selectors,
      deviceClass: this.#deviceClass,
      poolsOf: (node) => manager.devices.devicesOf(node).pools,
      allocated: manager.allocated,
      startSearch: this.#startSearch,
    });
    this.#clock = clock;
    this.#handle = handle;
    const timeoutNanos = args?.bindingTimeoutNanoseconds ?? DEFAULT_BINDING_TIMEOUT_NANOS;
    this.#bindingTimeoutMillis = Number(timeoutNanos / NANOS_PER_MILLI);
    const filterTimeoutNanos = args?.filterTimeoutNanoseconds ?? DEFAULT_FILTER_TIMEOUT_NANOS;
    this.#filterTimeoutMillis = gates.DRASchedulerFilterTimeout ? Number(filterTimeoutNanos / NANOS_PER_MILLI) : 0;
    this.#writer = new ClaimWriter({
      api: handle?.api ?? objectsApi(snapshot.objects),
      claims: this.#claims,
      groups: this.#groups,
      handle,
      awaitsDevices: gates.DRADeviceBindingConditions,
      bindingTimeoutMillis: this.#bindingTimeoutMillis,
      nowMillis: () => this.#nowMillis(),
    });
  }

  concerns(pod: Pod): boolean {
    return usesClaims(pod) || (this.#classes?.backsNamed(pod) ?? false);
  }

  formsVersion(): number {
    return this.#classes?.version ?? 0;
  }

  looksAt(pod: Pod): NodeParts | null {
    return this.concerns(pod) ? null : LOOKS_AT_NOTHING;
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return dynamicResourcesEvents(this.#claims);
  }

  gates(pod: Pod): boolean {
    return usesClaims(pod);
  }

  readonly gateKeys = CLAIM_GATE_KEYS;

  preEnqueue(pod: PodInfo): Status | null {
    if (!usesClaims(pod.pod)) return null;
    const claims = this.#podClaims.of(pod);
    return typeof claims === 'string' ? unresolvable(this.name, claims) : null;
  }

  preFilter(state: CycleState, pod: PodInfo): Status | null {
    state.write(ATTEMPT, NO_CLAIMS);
    const claims = this.#podClaims.of(pod);
    if (typeof claims === 'string') return unresolvable(this.name, claims);
    const classes = this.#classes?.backs(pod) ? this.#classes : undefined;
    if (claims.length === 0 && classes === undefined) return skip(this.name);
    const { unallocated, shared } = this.#groups.split(claims, pod);
    for (const claim of unallocated) {
      const { name, namespace } = claim.metadata ?? {};
      if (this.#groups.isInFlight(claim, pod)) {
        return unresolvable(this.name, `resource claim ${namespace}/${name} is in the process of being allocated`);
      }
      const problem = classProblem(claim, this.#deviceClass, this.#features);
      if (problem !== null) return unresolvable(this.name, problem);
    }
    this.#manager.catchUp();
    const leftOver = classes === undefined ? undefined : this.#manager.made.of(pod);
    const extended = classes === undefined ? null : new ExtendedClaim(pod, classes, leftOver, claims.length > 0);
    state.write(ATTEMPT, {
      claims: claims.map((claim) => attemptClaim(claim, this.#isStuck(claim))),
      unallocated,
      asked: new AskedClaims(unallocated, extended),
      shared,
      extended,
      allocator: this.#allocator,
      shape: null,
      found: new FoundOnNodes(),
      written: [],
      allocations: NO_ALLOCATIONS,
      reserved: null,
    });
    return null;
  }

  filter(state: CycleState, _pod: PodInfo, info: NodeInfo): Status | null {
    const attempt = state.read(ATTEMPT);
    if (attempt === undefined) return errorStatus(this.name, 'not found');
    if (!isActive(attempt)) return null;
    const { shape } = attempt;
    const refused = shape?.reasons.get(info.slot);
    if (refused !== undefined) return getOrMake(this.#refusals, refused, () => unresolvable(this.name, refused));
    // What other nodes of the shape give is not looked up before one is chosen.
    if (shape !== null && !shape.unknown.has(info.slot)) return null;
    const found = this.#allocationOn(attempt, info);
    if (isStatus(found)) return found;
    if (found !== NO_DEVICES) attempt.found.set(info.name, found);
    return attempt.claims.every((claim) => claim.isUsableOn(info.node)) ? null : unresolvable(this.name, UNAVAILABLE);
  }

  rejectionDetails(pod: PodInfo, { node }: NodeInfo): readonly string[] {
    const claims = this.#podClaims.of(pod);
    if (typeof claims === 'string') return [];
    const modules = {
      features: this.#features,
      selectors: this.#manager.selectors,
      deviceClass: this.#deviceClass,
      allocated: this.#manager.allocated,
    };
    const { pools } = this.#manager.devices.devicesOf(node);
    return claims.flatMap((claim) => {
      if (claim.status?.allocation === undefined) return deviceVerdicts(modules, claim, pools);
      if (attemptClaim(claim, this.#isStuck(claim)).isUsableOn(node)) return [];
      return [`claim ${claimKey(claim)} has devices that this node cannot use`];
    });
  }

  /** The nodes that refuse the claims are known, unless claims with devices restrict the nodes. */
  attemptRejections(state: CycleState, _pod: PodInfo, nodes: NodeFeed): RejectedSlots | null {
    const shape = this.#shapeIn(state, nodes);
    return shape === null || shape === 'none' || shape.unknown.size > 0 ? null : shape.refusing;
  }

  attemptSuspects(state: CycleState, _pod: PodInfo, nodes: NodeFeed): ReadonlySet<number> | null {
    const shape = this.#shapeIn(state, nodes);
    if (shape === null) return null;
    if (shape === 'none') return NO_SLOTS;
    const { refusing, unknown } = shape;
    return unknown.size === 0 ? refusing.slots : new Set([...refusing.slots, ...unknown]);
  }

  /** The shape of the pod's claims; 'none' if all have devices, null if nodes have to be asked. */
  #shapeIn(state: CycleState, nodes: NodeFeed): ClaimShape | 'none' | null {
    const attempt = state.read(ATTEMPT);
    if (attempt === undefined || !isActive(attempt) || attempt.extended?.isLeftOver) return null;
    const { claims, unallocated, extended, asked, allocator } = attempt;
    if (!claims.every(({ isUsableAnywhere }) => isUsableAnywhere)) return null;
    if (unallocated.length === 0 && extended === null) return 'none';
    const classVersion = this.#snapshot.objects.version('DeviceClass');
    attempt.shape ??= this.#manager.shapes.of(asked, allocator, nodes, classVersion);
    return attempt.shape;
  }

  /** The devices that the node would give to the claims that have none; or why it cannot. */
  #allocationOn({ asked, allocator }: AttemptState, info: NodeInfo): NodeAllocation | Status {
    const ask = asked.on(info);
    if (typeof ask === 'string') return unresolvable(this.name, ask);
    const { claims, extended } = ask;
    if (claims.length === 0) return NO_DEVICES;
    const results = allocator.allocate(info.node, claims);
    if (results instanceof AllocationError) return errorStatus(this.name, results.message);
    return typeof results === 'string' ? unresolvable(this.name, results) : { results, extended };
  }

  /** The devices that the node is known to give; undefined if they have to be searched for. */
  #knownAllocation({ shape, asked, allocator }: AttemptState, info: NodeInfo): NodeAllocation | undefined {
    const ask = shape === null ? '' : asked.on(info);
    if (shape === null || typeof ask === 'string') return undefined;
    const results = this.#manager.shapes.allocationsOn(shape, info, ask, allocator);
    if (results === undefined || results instanceof AllocationError) return undefined;
    return { results, extended: ask.extended };
  }

  postFilter(context: PostFilterContext): PostFilterOutcome {
    return notHelped(giveUpClaim(this.name, context, this.#writer));
  }

  scoreFailure(state: CycleState): string | null {
    return state.read(ATTEMPT) === undefined ? 'not found' : null;
  }

  scoresInAttempt(state: CycleState): boolean {
    return hasAlternatives(state.read(ATTEMPT) ?? NO_CLAIMS);
  }

  /** Prefers nodes whose devices serve earlier alternatives of requests. */
  score(state: CycleState, _pod: PodInfo, info: NodeInfo): number {
    const attempt = state.read(ATTEMPT);
    return attempt === undefined || !isActive(attempt) ? 0 : preferenceScore(attempt, info);
  }

  commonScore(state: CycleState): number | null {
    const attempt = state.read(ATTEMPT);
    return attempt === undefined || !isActive(attempt) ? 0 : commonPreference(attempt);
  }

  readonly normalize = { reverse: false };

  reserves(pod: PodInfo): boolean {
    return usesClaims(pod.pod) || (this.#classes?.backs(pod) ?? false);
  }

  /** Keeps what was found until it is written, which is at once in a scheduler that binds nothing. */
  reserve(state: CycleState, pod: PodInfo, info: NodeInfo): Status | null {
    const attempt = state.read(ATTEMPT);
    if (attempt === undefined || !isActive(attempt)) return null;
    const found =
      attempt.found.get(info.name) ?? this.#knownAllocation(attempt, info) ?? this.#allocationOn(attempt, info);
    if (isStatus(found)) return found;
    // A pod of a group is reserved twice, and gets the same devices both times.
    attempt.found.set(info.name, found);
    const { results, extended } = found;
    const allocation = results[attempt.unallocated.length];
    const hasExtended = extended !== null && allocation !== undefined;
    attempt.reserved = hasExtended ? { node: extended, allocation, written: null } : null;
    if (this.#handle === undefined) this.#writer.bindAtOnce(attempt, results, pod);
    else this.#writer.keepInFlight(attempt, results, pod);
    return null;
  }

  unreserve(state: CycleState, pod: PodInfo): void {
    const attempt = state.read(ATTEMPT);
    if (attempt === undefined || !isActive(attempt)) return;
    for (const { claim } of attempt.claims) {
      if (!attempt.shared.has(claim)) this.#claims.release(claim);
      if (this.#handle === undefined) this.#writer.restore(claim);
    }
    if (this.#handle !== undefined) this.#writer.unreserve(attempt, pod);
    const { reserved } = attempt;
    if (reserved === null) return;
    this.#claims.release(reserved.node.claim);
    if (reserved.written === null) return;
    this.#claims.release(reserved.written);
    // As upstream, a claim that cannot be deleted is left to the next attempt.
    this.#writer.delete(reserved.written);
  }

  preBinds(pod: PodInfo): boolean {
    return this.reserves(pod);
  }

  preBindPreFlight(state: CycleState): Status | null {
    const attempt = state.read(ATTEMPT);
    return attempt === undefined || !isActive(attempt) ? skip(this.name) : null;
  }

  preBind(state: CycleState, pod: PodInfo, nodeName: string): Eventually<Status | null> {
    const attempt = state.read(ATTEMPT);
    const handle = this.#handle;
    if (handle === undefined || attempt === undefined || !isActive(attempt)) return null;
    const problem = this.#writer.bindAndWait(handle, attempt, pod, nodeName);
    const failure = (text: string | null): Status | null => (text === null ? null : errorStatus(this.name, text));
    return typeof problem === 'function' ? (done) => problem((text) => done(failure(text))) : failure(problem);
  }

  readonly #deviceClass = (name: string): DeviceClass | undefined => this.#snapshot.objects.get('DeviceClass', name);

  #nowMillis(): number {
    return (this.#handle ?? this.#clock).nowMillis();
  }

  /** As upstream, the time of each node's search is limited. */
  readonly #startSearch = (): (() => boolean) => {
    const endMillis = this.#nowMillis() + this.#filterTimeoutMillis;
    return () => this.#filterTimeoutMillis > 0 && this.#nowMillis() > endMillis;
  };

  #isStuck(claim: ResourceClaim): boolean {
    const hasConditions = this.#features.DRADeviceBindingConditions;
    return hasConditions && isStuck(claim, () => this.#nowMillis(), this.#bindingTimeoutMillis);
  }
}

const NO_SLOTS: ReadonlySet<number> = new Set();
