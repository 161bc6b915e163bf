import type { ExactDeviceRequest, ExactInteger, ResourceClaim } from '../../api/resource-claims.ts';
import { DO_NOT_SCHEDULE, findUntoleratedTaint } from '../../api/taints.ts';
import { groupBy } from '../../lib/group-by.ts';
import { keyOfDevice, type Pool, type PoolDevice } from './allocator/pools.ts';
import { claimKey, type PlanModules } from './allocator/request-plan.ts';
import { AllocationError } from './allocator/selector-cache.ts';

/** A reason names at most this many devices. */
const NAMES_SHOWN = 3;

/**
 * Says for each request of a claim what stands in the way of the devices of a node, one line a request: the selector
 * that a device fails, the claim that has it, or its taint. Devices are judged one by one; that they are free together
 * is left to the allocator.
 */
export function deviceVerdicts(modules: PlanModules, claim: ResourceClaim, pools: readonly Pool[]): string[] {
  return (claim.spec?.devices?.requests ?? []).flatMap(({ name, exactly, firstAvailable = [] }) => {
    const alternatives = exactly === undefined ? firstAvailable : [exactly];
    return alternatives.map((request) => {
      const shown = 'name' in request ? `${name}/${request.name}` : name;
      const wanted = request.allocationMode === 'All' ? 'all devices' : devicesText(request.count ?? 1);
      return `claim ${claimKey(claim)}, request ${shown} for ${wanted}: ${reasonsText(modules, request, pools)}`;
    });
  });
}

function reasonsText(modules: PlanModules, request: ExactDeviceRequest, pools: readonly Pool[]): string {
  const judged = pools.flatMap((pool) =>
    pool.devices.map((device) => ({ name: device.device.name, verdict: verdictOf(modules, request, pool, device) })),
  );
  if (judged.length === 0) return 'the node has no devices';
  const texts = [...groupBy(judged, ({ verdict }) => verdict)].map(([verdict, group]) => {
    const names = group.slice(0, NAMES_SHOWN).map(({ name }) => name);
    const more = group.length - names.length;
    return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${verdict}`;
  });
  return texts.join('; ');
}

const FITS = 'fits by itself';

function verdictOf(
  { features, selectors, allocated, deviceClass }: PlanModules,
  request: ExactDeviceRequest,
  { driver, name, isIncomplete, isInvalid }: Pool,
  poolDevice: PoolDevice,
): string {
  const { device, slice } = poolDevice;
  if (isIncomplete || isInvalid) return `pool ${driver}/${name} is ${isInvalid ? 'invalid' : 'being updated'}`;
  const ofClass = deviceClass(request.deviceClassName)?.spec?.selectors ?? [];
  const terms = [
    ...ofClass.map(({ cel }) => ({ owner: `class ${request.deviceClassName}`, cel })),
    ...(request.selectors ?? []).map(({ cel }) => ({ owner: 'the request', cel })),
  ];
  for (const { owner, cel } of terms) {
    const expression = cel?.expression ?? '';
    const matches = selectors.matches(expression, slice.spec.driver, device);
    if (matches instanceof AllocationError) return `selector of ${owner}, ${expression}: ${matches.message}`;
    if (!matches) return `fails the selector of ${owner}, ${expression}`;
  }
  if (request.adminAccess !== true && allocated.whole.has(driver, name, device.name)) return 'in use';
  const taint = features.DRADeviceTaints
    ? findUntoleratedTaint(device.taints ?? [], request.tolerations, DO_NOT_SCHEDULE)
    : undefined;
  if (taint !== undefined) return `tainted ${taint.key}=${taint.value ?? ''}:${taint.effect}`;
  if (device.consumesCounters !== undefined) return `${FITS}, if the counters of its pool permit`;
  return allocated.shared.has(keyOfDevice(poolDevice)) ? `${FITS}, in part in use` : FITS;
}

function devicesText(count: ExactInteger): string {
  return Number(count) === 1 ? '1 device' : `${count} devices`;
}
