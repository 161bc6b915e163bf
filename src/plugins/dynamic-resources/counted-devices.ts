import type { Node } from '../../api/node.ts';
import type { Device, DeviceClass, ResourceSlice } from '../../api/resource-claims.ts';
import { isDeviceResourceName, type Resources } from '../../api/resources.ts';
import type { FeatureGates } from '../../config/feature-gates.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { DeviceResources } from '../node-resources/device-resources.ts';
import { type AllocatedDevices, deviceKey } from './allocator/allocated-devices.ts';
import { reaches } from './allocator/pools.ts';
import { DraManager } from './dra-manager.ts';

/** The extended resources that devices back, as NodeResourcesFit and BalancedAllocation see them. */
export class CountedDevices implements DeviceResources {
  readonly #objects: ClusterObjects;
  readonly #manager: DraManager;

  private constructor(objects: ClusterObjects, gates: FeatureGates) {
    this.#objects = objects;
    this.#manager = DraManager.of(objects, gates);
  }

  /** Returns undefined if the feature is off. */
  static of(objects: ClusterObjects, gates: FeatureGates): CountedDevices | undefined {
    return gates.DRAExtendedResource ? new CountedDevices(objects, gates) : undefined;
  }

  get version(): number {
    return this.#manager.classes.version;
  }

  backs(resource: string): boolean {
    return isDeviceResourceName(resource) && this.#manager.classes.of(resource) !== undefined;
  }

  provide(resource: string, { allocatable }: NodeInfo): boolean {
    return this.provideWith(resource, allocatable);
  }

  provideWith(resource: string, allocatable: Resources): boolean {
    return !allocatable.scalar.get(resource) && this.backs(resource);
  }

  /** As upstream, devices of old and of invalid pools are counted, too. */
  count(resource: string, info: NodeInfo): { readonly allocatable: number; readonly requested: number } | null {
    if (!this.provide(resource, info)) return null;
    const deviceClass = this.#manager.classes.of(resource);
    if (deviceClass === undefined) return null;
    const allocated = this.#manager.allocated;
    let allocatable = 0;
    let requested = 0;
    for (const slice of this.#objects.list('ResourceSlice')) {
      for (const device of devicesFor(slice, info.node)) {
        const isOfClass = this.#isOfClass(slice, device, deviceClass);
        // A selector that fails leaves nothing to count.
        if (isOfClass === null) return null;
        if (!isOfClass) continue;
        allocatable++;
        if (isAllocated(slice, device, allocated)) requested++;
      }
    }
    return allocatable === 0 ? null : { allocatable, requested };
  }

  #isOfClass({ spec }: ResourceSlice, device: Device, deviceClass: DeviceClass): boolean | null {
    const { attributes, capacity } = device;
    const description = { attributes, capacity };
    for (const { cel } of deviceClass.spec?.selectors ?? []) {
      if (cel === undefined) continue;
      const matches = this.#manager.selectors.matches(cel.expression, spec.driver, description);
      if (matches !== true) return matches === false ? false : null;
    }
    return true;
  }
}

function devicesFor({ spec }: ResourceSlice, node: Node): readonly Device[] {
  const { devices = [], perDeviceNodeSelection, nodeName, nodeSelector } = spec;
  if (perDeviceNodeSelection === true) return devices.filter((device) => reaches(device, node));
  return reaches(spec, node) || (!nodeName && nodeSelector === undefined) ? devices : [];
}

function isAllocated({ spec }: ResourceSlice, { name }: Device, { whole, shared }: AllocatedDevices): boolean {
  const { driver, pool } = spec;
  return whole.has(driver, pool.name, name) || shared.has(deviceKey(driver, pool.name, name));
}
