import type { Device, DeviceClass, ResourceSlice } from '../../api/resource-claims.ts';
import type { SelectorCache } from './allocator/selector-cache.ts';

/** Whether the class selects the device, by what scores see of it; null if a selector fails. */
export function isOfClass(
  selectors: SelectorCache,
  { spec }: ResourceSlice,
  { attributes, capacity }: Device,
  deviceClass: DeviceClass,
): boolean | null {
  const description = { attributes, capacity };
  for (const { cel } of deviceClass.spec?.selectors ?? []) {
    if (cel === undefined) continue;
    const matches = selectors.matches(cel.expression, spec.driver, description);
    if (matches !== true) return matches === false ? false : null;
  }
  return true;
}

/** The devices of one slice, as a class selects them. */
export interface SliceDevices {
  /** The devices of the class. */
  readonly devices: readonly Device[];
  /** The devices of which a selector fails. */
  readonly failing: readonly Device[];
  /** How many devices of the class were in use, and the state of claims in which they were counted. */
  used: number;
  usedAt: number;
}

/** The devices of a class, selected once for each slice. */
export class ClassDevices {
  readonly deviceClass: DeviceClass;
  readonly #selectors: SelectorCache;
  readonly #bySlice = new WeakMap<ResourceSlice, SliceDevices>();

  constructor(deviceClass: DeviceClass, selectors: SelectorCache) {
    this.deviceClass = deviceClass;
    this.#selectors = selectors;
  }

  of(slice: ResourceSlice): SliceDevices {
    let known = this.#bySlice.get(slice);
    if (known === undefined) {
      known = this.#select(slice);
      this.#bySlice.set(slice, known);
    }
    return known;
  }

  #select(slice: ResourceSlice): SliceDevices {
    const devices: Device[] = [];
    const failing: Device[] = [];
    for (const device of slice.spec.devices ?? []) {
      const answer = isOfClass(this.#selectors, slice, device, this.deviceClass);
      if (answer === null) failing.push(device);
      else if (answer) devices.push(device);
    }
    return { devices, failing, used: 0, usedAt: -1 };
  }
}
