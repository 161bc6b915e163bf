import type { DeviceClass, DeviceRequest, ExactDeviceRequest, ResourceClaim } from '../../../api/resource-claims.ts';
import type { FeatureGates } from '../../../config/feature-gates.ts';
import { combined } from '../../../lib/combined.ts';
import type { AllocatedDevices } from './allocated-devices.ts';
import type { RequestName } from './constraints.ts';
import { hasCapacity } from './consumable-capacity.ts';
import type { Pool, PoolDevice } from './pools.ts';
import { AllocationError, type SelectorCache } from './selector-cache.ts';

/** The largest number of devices that a claim can have (AllocationResultsMaxSize). */
export const MOST_DEVICES = 32;

/** A request of a claim, or one alternative of it, as the search needs it. */
export interface RequestPlan {
  readonly name: RequestName;
  /** The name in results: `request` or `request/alternative`. */
  readonly resultName: string;
  readonly request: ExactDeviceRequest;
  readonly deviceClass: DeviceClass;
  /** The number of devices. */
  readonly count: number;
  /** The devices to take, for a request for all of them; null for any. */
  readonly all: readonly PoolDevice[] | null;
  /** Whether the class and the request want the device. */
  wants(device: PoolDevice): boolean | AllocationError;
}

/** The requests of a claim; each has one plan, or one for each alternative. */
export interface ClaimPlan {
  readonly claim: ResourceClaim;
  readonly requests: readonly { readonly request: DeviceRequest; readonly plans: readonly RequestPlan[] }[];
}

export interface PlanModules {
  readonly features: FeatureGates;
  readonly selectors: SelectorCache;
  readonly allocated: AllocatedDevices;
  deviceClass(name: string): DeviceClass | undefined;
}

/** namespace/name, as upstream writes a claim in errors. */
export function claimKey({ metadata }: ResourceClaim): string {
  return `${metadata?.namespace || 'default'}/${metadata?.name}`;
}

/** Plans the claim for a node with these pools. A plan for all devices has none where the node has none. */
export function planClaim(
  modules: PlanModules,
  claim: ResourceClaim,
  pools: readonly Pool[],
): ClaimPlan | AllocationError {
  const requests = [];
  let least = 0;
  for (const request of claim.spec?.devices?.requests ?? []) {
    const plans = planRequest(modules, claim, request, pools);
    if (plans instanceof AllocationError) return plans;
    least += Math.min(...plans.map(({ count }) => count));
    requests.push({ request, plans });
  }
  if (least <= MOST_DEVICES) return { claim, requests };
  const limit = `exceeds the claim limit of ${MOST_DEVICES}`;
  return new AllocationError(`claim ${claimKey(claim)}: number of requested devices ${exactSum(requests)} ${limit}`);
}

/** The least number of devices, in all its digits. */
function exactSum(requests: ClaimPlan['requests']): bigint {
  const counts = requests.map(({ plans }) => {
    const [first = 0n, ...others] = plans.map(({ all, request }) => BigInt(all?.length ?? request.count ?? 1));
    return others.reduce((least, count) => (count < least ? count : least), first);
  });
  return counts.reduce((sum, count) => sum + count, 0n);
}

function planRequest(
  modules: PlanModules,
  claim: ResourceClaim,
  { name, exactly, firstAvailable = [] }: DeviceRequest,
  pools: readonly Pool[],
): readonly RequestPlan[] | AllocationError {
  if (exactly !== undefined) {
    const plan = planOne(modules, claim, { name, alternative: null }, exactly, pools);
    return plan instanceof AllocationError ? plan : [plan];
  }
  const plans: RequestPlan[] = [];
  for (const request of firstAvailable) {
    const plan = planOne(modules, claim, { name, alternative: request.name }, request, pools);
    if (plan instanceof AllocationError) return plan;
    plans.push(plan);
  }
  return plans;
}

function planOne(
  modules: PlanModules,
  claim: ResourceClaim,
  name: RequestName,
  request: ExactDeviceRequest,
  pools: readonly Pool[],
): RequestPlan | AllocationError {
  const shown = name.alternative ?? name.name;
  const subject = `claim ${claimKey(claim)}, ${name.alternative === null ? 'request' : 'subrequest'} ${shown}`;
  if (request.capacity !== undefined && !modules.features.DRAConsumableCapacity) {
    return new AllocationError(`${subject}: has capacity requests, but the DRAConsumableCapacity feature is disabled`);
  }
  const deviceClass = modules.deviceClass(request.deviceClassName);
  if (deviceClass === undefined) {
    return new AllocationError(`${subject}: could not retrieve device class ${request.deviceClassName}`);
  }
  const wants = wanted(modules.selectors, claim, deviceClass, request);
  const resultName = name.alternative === null ? name.name : `${name.name}/${name.alternative}`;
  const plan = { name, resultName, request, deviceClass, wants };
  if (request.allocationMode !== 'All') {
    return combined(plan, { count: Number(request.count ?? 1), all: null });
  }
  const isWanted = (device: PoolDevice): boolean | AllocationError => {
    const answer = wants(device);
    return answer === true ? hasCapacity(modules.features, modules.allocated, request, device) : answer;
  };
  const all = allWanted(`claim ${claimKey(claim)}, request ${shown}`, isWanted, pools);
  if (all instanceof AllocationError) return all;
  return combined(plan, { count: all.length, all });
}

/**
 * Every device that is wanted and could hold the request, in use or not. All pools must be complete, since a missing
 * one might be wanted.
 */
function allWanted(
  subject: string,
  wants: RequestPlan['wants'],
  pools: readonly Pool[],
): readonly PoolDevice[] | AllocationError {
  const all: PoolDevice[] = [];
  for (const { driver, name, devices, isIncomplete, isInvalid } of pools) {
    const state = isIncomplete ? 'being updated' : isInvalid ? 'invalid' : null;
    if (state !== null) {
      const pool = `resource pool ${driver}/${name}`;
      return new AllocationError(`${subject}: asks for all devices, but ${pool} is currently ${state}`);
    }
    for (const device of devices) {
      const isWanted = wants(device);
      if (isWanted instanceof AllocationError) return isWanted;
      if (isWanted) all.push(device);
    }
  }
  return all;
}

/** Asks the selectors of the class and of the request, once for each device. */
function wanted(
  selectors: SelectorCache,
  claim: ResourceClaim,
  { metadata, spec }: DeviceClass,
  request: ExactDeviceRequest,
): RequestPlan['wants'] {
  const known = new Map<PoolDevice, boolean>();
  const subjects = [
    { subject: `class ${metadata?.name}`, terms: spec?.selectors ?? [] },
    { subject: `claim ${claimKey(claim)}`, terms: request.selectors ?? [] },
  ];
  return (poolDevice) => {
    const { device, slice } = poolDevice;
    const answer = known.get(poolDevice);
    if (answer !== undefined) return answer;
    for (const { subject, terms } of subjects) {
      for (const [i, { cel }] of terms.entries()) {
        const matches = selectors.matches(cel?.expression ?? '', slice.spec.driver, device);
        if (matches instanceof AllocationError)
          return new AllocationError(`${subject}: selector #${i}: ${matches.message}`);
        if (matches) continue;
        known.set(poolDevice, false);
        return false;
      }
    }
    known.set(poolDevice, true);
    return true;
  };
}
