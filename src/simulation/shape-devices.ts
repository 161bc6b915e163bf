import type { Device, DeviceAttribute, DeviceCapacity, DeviceClass, ResourceSlice } from '../api/resource-claims.ts';

/** Devices of one kind that every node of a shape has, all alike. */
export interface ShapeDevices {
  /** The kind, such as `gpu`; driver and device class are named after it. */
  readonly kind: string;
  readonly count: number;
  readonly attributes: Readonly<Record<string, DeviceAttribute>>;
  readonly capacity: Readonly<Record<string, DeviceCapacity>>;
}

/** What may stand without a domain in a shape; other kinds are written as `device:KIND=COUNT`. */
export const DEVICE_KINDS: readonly string[] = ['gpu', 'tpu', 'npu', 'fpga', 'nic'];

/** The most devices of a slice, as the API has it. */
export const DEVICES_MAX = 128;

/** The driver of the simulated devices, and their class. */
function driverOf(kind: string): string {
  return `${kind}.berth.dev`;
}

const AMOUNT = /^\d+(?:\.\d+)?(?:[KMGT]i|[kMGT])$/;
const INTEGER = /^-?\d{1,15}$/;

/** The devices with one more property: an amount is a capacity, everything else an attribute. */
export function withProperty(devices: ShapeDevices, name: string, value: string): ShapeDevices {
  if (AMOUNT.test(value)) return { ...devices, capacity: { ...devices.capacity, [name]: { value } } };
  return { ...devices, attributes: { ...devices.attributes, [name]: attributeOf(value) } };
}

function attributeOf(value: string): DeviceAttribute {
  if (value === 'true' || value === 'false') return { bool: value === 'true' };
  return INTEGER.test(value) ? { int: Number(value) } : { string: value };
}

/** The slices that the simulated drivers of a node publish, one for each kind of devices. */
export function slicesOf(nodeName: string, devices: readonly ShapeDevices[]): ResourceSlice[] {
  return devices.map(({ kind, count, attributes, capacity }) => {
    const driver = driverOf(kind);
    const own = Array.from({ length: count }, (_, i): Device => ({ name: `${kind}-${i}`, attributes, capacity }));
    const pool = { name: nodeName, generation: 1, resourceSliceCount: 1 };
    return { metadata: { name: `${nodeName}-${driver}` }, spec: { driver, nodeName, pool, devices: own } };
  });
}

/** The class of each kind of devices, as the installation of a driver brings it. */
export function classesOf(devices: readonly ShapeDevices[]): DeviceClass[] {
  return [...new Set(devices.map(({ kind }) => driverOf(kind)))].map((driver) => {
    return {
      metadata: { name: driver },
      spec: { selectors: [{ cel: { expression: `device.driver == "${driver}"` } }] },
    };
  });
}
