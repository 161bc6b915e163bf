import { parseQuantity } from '../../../api/quantity.ts';
import { canonicalQuantity, formatBytes } from '../../../api/quantity-text.ts';
import type {
  CapacityRequestPolicy,
  Device,
  DeviceCapacity,
  ExactDeviceRequest,
} from '../../../api/resource-claims.ts';
import type { FeatureGates } from '../../../config/feature-gates.ts';
import type { AllocatedDevices } from './allocated-devices.ts';
import { type Amounts, addAmounts, nanoOf } from './amounts.ts';
import { keyOfDevice, type PoolDevice } from './pools.ts';

const NANO_PER_UNIT = 1_000_000_000n;

/** What a share of a device consumes, by capacity, as text. */
export type Consumption = Readonly<Record<string, string>>;

/**
 * What the request consumes of the device, of every capacity that it has; null if the device lacks a capacity that is
 * asked for, or its policy has no amount that is large enough (upstream's CmpRequestOverCapacity).
 */
export function consumptionOf({ capacity = {} }: Device, request: ExactDeviceRequest): Consumption | null {
  const requests = request.capacity?.requests ?? {};
  if (Object.keys(requests).some((name) => !(name in capacity))) return null;
  const consumed: Record<string, string> = {};
  for (const [name, offered] of Object.entries(capacity)) {
    const amount = consumedAmount(requests[name], offered);
    if (violates(amount, offered.requestPolicy)) return null;
    consumed[name] = amount;
  }
  return consumed;
}

/** Whether the device has what the request consumes, beside what claims have and what this attempt has taken. */
export function hasCapacity(
  { DRAConsumableCapacity }: FeatureGates,
  { shared }: AllocatedDevices,
  request: ExactDeviceRequest,
  poolDevice: PoolDevice,
  taken?: Amounts,
): boolean {
  const { device } = poolDevice;
  if (!DRAConsumableCapacity || isPlain(request, device)) return true;
  const consumption = consumptionOf(device, request);
  if (consumption === null) return false;
  if (device.allowMultipleAllocations !== true) return fits(device, consumption, undefined);
  const allocated = shared.get(keyOfDevice(poolDevice));
  return fits(device, consumption, taken === undefined ? allocated : addAmounts(allocated, taken));
}

/** Whether nothing but the whole device is asked for, so that it has just what is consumed. */
function isPlain({ capacity: asked }: ExactDeviceRequest, { capacity, allowMultipleAllocations }: Device): boolean {
  if (asked?.requests !== undefined || allowMultipleAllocations === true) return false;
  for (const name in capacity) if (capacity[name]?.requestPolicy !== undefined) return false;
  return true;
}

/** Whether the device holds the consumption beside what is used already. */
function fits({ capacity = {} }: Device, consumption: Consumption, used: Amounts | undefined): boolean {
  return Object.entries(capacity).every(([name, { value }]) => {
    return nanoOf(consumption[name] ?? 0) + (used?.get(name) ?? 0n) <= nanoOf(value);
  });
}

/** The amount that is consumed for a request: the default for none, otherwise the next that the policy allows. */
function consumedAmount(requested: string | number | undefined, { value, requestPolicy }: DeviceCapacity): string {
  if (requested === undefined) return canonicalQuantity(String(requestPolicy?.default ?? value));
  const text = canonicalQuantity(String(requested));
  const { validRange, validValues } = requestPolicy ?? {};
  if (validRange?.min !== undefined) return raisedToRange(text, validRange.min, validRange.step);
  const next = validValues?.find((valid) => nanoOf(text) <= nanoOf(valid));
  return next === undefined ? text : canonicalQuantity(String(next));
}

/** At least the minimum, and beyond it whole steps. */
function raisedToRange(text: string, min: string | number, step: string | number | undefined): string {
  if (nanoOf(text) < nanoOf(min)) return canonicalQuantity(String(min));
  if (step === undefined) return text;
  const [units, minUnits, stepUnits] = [text, min, step].map((amount) => BigInt(parseQuantity(amount).value));
  if (units === undefined || minUnits === undefined || stepUnits === undefined || stepUnits === 0n) return text;
  const steps = (units - minUnits + stepUnits - 1n) / stepUnits;
  return formatBytes(minUnits + steps * stepUnits);
}

function violates(amount: string, policy: CapacityRequestPolicy | undefined): boolean {
  if (policy === undefined) return false;
  const nano = nanoOf(amount);
  const { validRange, validValues } = policy;
  if (policy.default !== undefined && nano === nanoOf(policy.default)) return false;
  if (validRange !== undefined) {
    if (validRange.max !== undefined && nano > nanoOf(validRange.max)) return true;
    if (validRange.step === undefined || validRange.min === undefined) return false;
    const step = nanoOf(validRange.step) / NANO_PER_UNIT;
    return step !== 0n && ((nano - nanoOf(validRange.min)) / NANO_PER_UNIT) % step !== 0n;
  }
  return (validValues ?? []).length > 0 && !validValues?.some((valid) => nanoOf(valid) === nano);
}
