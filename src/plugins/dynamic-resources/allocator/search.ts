import type { DeviceTaint, ResourceSlice } from '../../../api/resource-claims.ts';
import { DO_NOT_SCHEDULE, findUntoleratedTaint } from '../../../api/taints.ts';
import type { FeatureGates } from '../../../config/feature-gates.ts';
import { combined } from '../../../lib/combined.ts';
import type { AllocatedDevices } from './allocated-devices.ts';
import { type Amounts, addAmounts, amountsOf } from './amounts.ts';
import type { Constraint } from './constraints.ts';
import { type Consumption, consumptionOf, hasCapacity } from './consumable-capacity.ts';
import { CounterLedger } from './counter-ledger.ts';
import { keyOfDevice, type Pool, type PoolDevice, usableDevices } from './pools.ts';
import { type ClaimPlan, claimKey, MOST_DEVICES, type RequestPlan } from './request-plan.ts';
import { AllocationError, TIMED_OUT } from './selector-cache.ts';

/** A device that the search has taken for a request. */
export interface TakenDevice {
  readonly plan: RequestPlan;
  readonly device: PoolDevice;
  /** What the claim's share consumes; null for a device that is taken as a whole. */
  readonly consumption: Consumption | null;
}

/** What has been found for one claim. */
interface ClaimResult extends ClaimPlan {
  readonly constraints: readonly Constraint[];
  readonly taken: TakenDevice[];
}

/** Where the search stands: which request is to get its next device, and from which candidate on. */
interface Position {
  readonly claim: number;
  readonly request: number;
  /** The alternative; null if none is chosen yet. */
  readonly alternative: number | null;
  /** The number of devices that the request has already. */
  readonly count: number;
  /** The number of the next candidate: a request takes its devices in ascending order. */
  readonly from: number;
}

/**
 * The search for devices: claim by claim, request by request, the first device that fits, with backtracking over
 * devices, alternatives and claims. There is no scoring, so the first solution is taken.
 *
 *   claim A  request 1  device ─► request 2 (alternative a, b …) ─► claim B …
 *                │ ▲                 │
 *                ▼ └── none fits ────┘
 *           next device
 */
export class Search {
  readonly #features: FeatureGates;
  readonly #allocated: AllocatedDevices;
  readonly #candidates: readonly PoolDevice[];
  readonly #counters: CounterLedger;
  readonly #claims: readonly ClaimResult[];
  /** The number of claims for which a device was taken as a whole. */
  readonly #taken = new Map<PoolDevice, number>();
  /** What the shares consume that were taken. */
  readonly #consumed = new Map<PoolDevice, Amounts>();
  /** The number of shares that were taken of a device. */
  readonly #shares = new Map<PoolDevice, number>();
  /** The slice of the device that was looked at last, and the devices of its pool that claims hold. */
  #slice: ResourceSlice | null = null;
  #held: Pick<ReadonlySet<string>, 'has'> | undefined;
  readonly #isOverdue: () => boolean;
  #steps = 0;

  constructor(
    features: FeatureGates,
    allocated: AllocatedDevices,
    pools: readonly Pool[],
    claims: readonly (ClaimPlan & { readonly constraints: readonly Constraint[] })[],
    isOverdue: () => boolean = () => false,
  ) {
    this.#isOverdue = isOverdue;
    this.#features = features;
    this.#allocated = allocated;
    this.#candidates = usableDevices(pools);
    this.#counters = new CounterLedger(pools, allocated);
    this.#claims = claims.map((claim) => combined(claim, { taken: [] }));
  }

  /** Returns the devices of each claim; null if there is no solution. */
  run(): readonly (readonly TakenDevice[])[] | AllocationError | null {
    const found = this.#search({ claim: 0, request: 0, alternative: null, count: 0, from: 0 });
    if (found instanceof AllocationError) return found;
    return found ? this.#claims.map(({ taken }) => taken) : null;
  }

  /** Whether everything from the position on was found; what was taken for it is given back otherwise. */
  #search(at: Position): boolean | AllocationError {
    if (++this.#steps % STEPS_PER_CHECK === 0 && this.#isOverdue()) return TIMED_OUT;
    const claim = this.#claims[at.claim];
    if (claim === undefined) return true;
    const wanted = claim.requests[at.request];
    if (wanted === undefined) return this.#search({ ...START, claim: at.claim + 1 });
    if (at.alternative !== null) return this.#searchDevice(at, claim, wanted.plans[at.alternative] as RequestPlan);
    for (const alternative of wanted.plans.keys()) {
      if (this.#exceedsLimit(at, claim, wanted.plans[alternative] as RequestPlan)) continue;
      const found = this.#search({ ...at, alternative });
      if (found !== false) return found;
    }
    return false;
  }

  /** Whether the claim would have too many devices with this plan, and the least of those of later requests. */
  #exceedsLimit(at: Position, claim: ClaimResult, { count }: RequestPlan): boolean {
    const later = claim.requests.slice(at.request + 1);
    const least = later.reduce((sum, { plans }) => sum + Math.min(...plans.map((plan) => plan.count)), 0);
    return claim.taken.length + count + least > MOST_DEVICES;
  }

  #searchDevice(at: Position, claim: ClaimResult, plan: RequestPlan): boolean | AllocationError {
    // A request for all devices needs one at least.
    if (plan.count === 0 && plan.all !== null) return false;
    if (at.count >= plan.count) return this.#search({ ...START, claim: at.claim, request: at.request + 1 });
    if (plan.all !== null) return this.#takeAndGoOn(at, claim, plan, plan.all[at.count] as PoolDevice, at.from);
    for (let i = at.from; i < this.#candidates.length; i++) {
      const device = this.#candidates[i] as PoolDevice;
      if (this.#isInUse(plan, device, claim)) continue;
      const isWanted = plan.wants(device);
      if (isWanted instanceof AllocationError) return isWanted;
      if (!isWanted || !this.#hasCapacity(plan, device)) continue;
      const found = this.#takeAndGoOn(at, claim, plan, device, i + 1);
      if (found !== false) return found;
    }
    return false;
  }

  #takeAndGoOn(
    at: Position,
    claim: ClaimResult,
    plan: RequestPlan,
    device: PoolDevice,
    from: number,
  ): boolean | AllocationError {
    const taken = this.#take(claim, plan, device);
    if (taken === null || taken instanceof AllocationError) return taken ?? false;
    const found = this.#search({ ...at, count: at.count + 1, from });
    if (found === false) this.#giveBack(claim, taken);
    return found;
  }

  /**
   * Takes the device; null if it is in use, or something speaks against it. As in v1.36.2, a device that is refused for
   * a taint or a constraint keeps its counters until the search ends, and one that others share keeps them when it is
   * given back (kubernetes/kubernetes#140436).
   */
  #take(claim: ClaimResult, plan: RequestPlan, device: PoolDevice): TakenDevice | AllocationError | null {
    if (this.#isInUse(plan, device, claim)) return null;
    const isShared = this.#isShared(device);
    if (!(isShared && this.#hasShares(device)) && !this.#counters.take(device)) return null;
    if (this.#features.DRADeviceTaints && isTainted(device, plan)) return null;
    for (const [i, constraint] of claim.constraints.entries()) {
      if (constraint.add(plan.name, device)) continue;
      if (plan.all !== null) return constraintViolated(claim, plan, device);
      for (const added of claim.constraints.slice(0, i)) added.remove(plan.name, device);
      return null;
    }
    // The constraints keep a device that has no room left for one more request for all devices.
    if (!this.#hasCapacity(plan, device)) return null;
    const taken = { plan, device, consumption: isShared ? consumptionOf(device.device, plan.request) : null };
    this.#count(taken, 1);
    claim.taken.push(taken);
    return taken;
  }

  #giveBack(claim: ClaimResult, taken: TakenDevice): void {
    claim.taken.pop();
    for (const constraint of claim.constraints) constraint.remove(taken.plan.name, taken.device);
    this.#count(taken, -1);
  }

  /** Counts what was taken, or what is given back. */
  #count({ device, consumption }: TakenDevice, sign: 1 | -1): void {
    const counts = consumption === null ? this.#taken : this.#shares;
    counts.set(device, (counts.get(device) ?? 0) + sign);
    if (consumption !== null) {
      const amounts = amountsOf(consumption);
      this.#consumed.set(device, addAmounts(this.#consumed.get(device), amounts, sign > 0 ? 1n : -1n));
    } else if (sign < 0) this.#counters.giveBack(device);
  }

  /** Whether claims hold shares of the device, or this search has taken some. */
  #hasShares(device: PoolDevice): boolean {
    return (this.#shares.get(device) ?? 0) > 0 || this.#allocated.shared.has(keyOfDevice(device));
  }

  /**
   * Admin access ignores other users, but a claim gets no device as a whole twice because of it, and none of the pod's
   * claims gets it without.
   */
  #isInUse({ request }: RequestPlan, wanted: PoolDevice, claim: ClaimResult): boolean {
    if (request.adminAccess !== true) return this.#isHeld(wanted) || (this.#taken.get(wanted) ?? 0) > 0;
    return claim.taken.some(({ device, consumption }) => consumption === null && device === wanted);
  }

  /** Whether a claim holds the device as a whole. */
  #isHeld({ device, slice }: PoolDevice): boolean {
    if (slice !== this.#slice) {
      this.#slice = slice;
      this.#held = this.#allocated.whole.ofPool(slice.spec.driver, slice.spec.pool.name);
    }
    return this.#held?.has(device.name) ?? false;
  }

  #isShared({ device }: PoolDevice): boolean {
    return this.#features.DRAConsumableCapacity && device.allowMultipleAllocations === true;
  }

  #hasCapacity({ request }: RequestPlan, device: PoolDevice): boolean {
    return hasCapacity(this.#features, this.#allocated, request, device, this.#consumed.get(device));
  }
}

/** The time is looked at once in so many steps, since a search can be exponential. */
const STEPS_PER_CHECK = 1024;

const START = { request: 0, alternative: null, count: 0, from: 0 };

function isTainted({ device }: PoolDevice, { request }: RequestPlan): boolean {
  const taints: readonly DeviceTaint[] = device.taints ?? [];
  return findUntoleratedTaint(taints, request.tolerations, DO_NOT_SCHEDULE) !== undefined;
}

/** No other choice is left to a request for all devices, which makes the claim a mistake. */
function constraintViolated({ claim }: ClaimResult, { name }: RequestPlan, device: PoolDevice): AllocationError {
  const request = name.alternative ?? name.name;
  const reason = 'because a claim constraint would not be satisfied';
  return new AllocationError(
    `claim ${claimKey(claim)}, request ${request}: cannot add device ${keyOfDevice(device)} ${reason}`,
  );
}
