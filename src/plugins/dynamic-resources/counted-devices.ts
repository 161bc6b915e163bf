import type { Node } from '../../api/node.ts';
import type { Device, ResourceSlice } from '../../api/resource-claims.ts';
import { isDeviceResourceName, type Resources } from '../../api/resources.ts';
import type { FeatureGates } from '../../config/feature-gates.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { DeviceResources } from '../node-resources/device-resources.ts';
import { type AllocatedDevices, deviceKey } from './allocator/allocated-devices.ts';
import { reaches } from './allocator/pools.ts';
import { ClassDevices, isOfClass } from './class-devices.ts';
import { DraManager } from './dra-manager.ts';

/** The extended resources that devices back, as NodeResourcesFit and BalancedAllocation see them. */
export class CountedDevices implements DeviceResources {
  readonly #objects: ClusterObjects;
  readonly #manager: DraManager;
  /** What is known of the class of each resource. */
  readonly #classes = new Map<string, ClassDevices>();

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
        const answer = isOfClass(this.#manager.selectors, slice, device, deviceClass);
        // A selector that fails leaves nothing to count.
        if (answer === null) return null;
        if (!answer) continue;
        allocatable++;
        if (isAllocated(slice, device, allocated)) requested++;
      }
    }
    return allocatable === 0 ? null : { allocatable, requested };
  }

  /** Only slices are looked at that may be for the node, and each device is asked once whether it is of the class. */
  countOn(resource: string, info: NodeInfo): { readonly allocatable: number; readonly requested: number } | null {
    if (!this.provide(resource, info)) return null;
    const ofClass = this.#classOf(resource);
    if (ofClass === undefined) return null;
    const { allocated, devices, log } = this.#manager;
    let allocatable = 0;
    let requested = 0;
    for (const slice of devices.devicesOf(info.node).slices) {
      const selected = ofClass.of(slice);
      if (devicesAmong(selected.failing, slice, info.node).length > 0) return null;
      const own = devicesAmong(selected.devices, slice, info.node);
      allocatable += own.length;
      if (own !== selected.devices) requested += usedAmong(own, slice, allocated);
      else {
        // Nodes that all devices of a slice are for count them once.
        if (selected.usedAt !== log.end) selected.used = usedAmong(own, slice, allocated);
        selected.usedAt = log.end;
        requested += selected.used;
      }
    }
    return allocatable === 0 ? null : { allocatable, requested };
  }

  get end(): number {
    this.#manager.catchUp();
    return this.#manager.log.end;
  }

  changedSince(cursor: number): readonly string[] | null {
    this.#manager.catchUp();
    return this.#manager.log.since(cursor);
  }

  #classOf(resource: string): ClassDevices | undefined {
    const deviceClass = this.#manager.classes.of(resource);
    let known = this.#classes.get(resource);
    if (deviceClass === undefined) this.#classes.delete(resource);
    else if (known?.deviceClass !== deviceClass) {
      known = new ClassDevices(deviceClass, this.#manager.selectors);
      this.#classes.set(resource, known);
    }
    return deviceClass && known;
  }
}

function usedAmong(devices: readonly Device[], slice: ResourceSlice, allocated: AllocatedDevices): number {
  let used = 0;
  for (const device of devices) if (isAllocated(slice, device, allocated)) used++;
  return used;
}

function devicesFor(slice: ResourceSlice, node: Node): readonly Device[] {
  return devicesAmong(slice.spec.devices ?? NO_DEVICES, slice, node);
}

/** Returns the devices of the slice that are for the node: the given list itself if all of them are. */
function devicesAmong(devices: readonly Device[], { spec }: ResourceSlice, node: Node): readonly Device[] {
  const { perDeviceNodeSelection, nodeName, nodeSelector } = spec;
  if (perDeviceNodeSelection === true) return devices.filter((device) => reaches(device, node));
  return reaches(spec, node) || (!nodeName && nodeSelector === undefined) ? devices : NO_DEVICES;
}

const NO_DEVICES: readonly Device[] = [];

function isAllocated({ spec }: ResourceSlice, { name }: Device, { whole, shared }: AllocatedDevices): boolean {
  const { driver, pool } = spec;
  return whole.has(driver, pool.name, name) || shared.has(deviceKey(driver, pool.name, name));
}
