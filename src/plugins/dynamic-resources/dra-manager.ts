import type { FeatureGates } from '../../config/feature-gates.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { ChangeLog } from '../../lib/change-log.ts';
import { AllocationTracker } from './allocation-tracker.ts';
import type { AllocatedDevices } from './allocator/allocated-devices.ts';
import { DeviceIndex } from './allocator/device-index.ts';
import { SelectorCache } from './allocator/selector-cache.ts';
import { ClaimShapes } from './claim-shapes.ts';
import { ClaimCache } from './claims/claim-cache.ts';
import { MadeClaims } from './extended/made-claims.ts';
import { ResourceClasses } from './extended/resource-classes.ts';

/** What is known about claims and devices of a cluster, for the plugins of all profiles (upstream's DRA manager). */
export class DraManager {
  readonly claims: ClaimCache;
  readonly classes: ResourceClasses;
  readonly made: MadeClaims;
  readonly devices: DeviceIndex;
  readonly #allocated: AllocationTracker;
  readonly selectors: SelectorCache;
  readonly shapes: ClaimShapes;
  /** The nodes whose devices have come, gone or changed hands. */
  readonly log = new ChangeLog<string>();

  private constructor(objects: ClusterObjects, gates: FeatureGates) {
    const { log } = this;
    this.claims = new ClaimCache(objects, gates.DRAWorkloadResourceClaims);
    this.classes = new ResourceClasses(objects);
    this.made = new MadeClaims(objects, this.claims);
    this.devices = new DeviceIndex(objects, gates, log);
    this.#allocated = new AllocationTracker(this.claims, gates, this.devices);
    this.selectors = new SelectorCache(gates.DRAListTypeAttributes);
    this.shapes = new ClaimShapes({ log, devices: this.devices, allocated: this.#allocated });
  }

  /** The devices that claims hold at present. */
  get allocated(): AllocatedDevices {
    this.catchUp();
    return this.#allocated;
  }

  /** Takes notice of changed slices and claims. */
  catchUp(): void {
    // Who must hear of a claim's devices depends on the slices.
    this.devices.catchUp();
    this.#allocated.catchUp();
  }

  static readonly #managers = new WeakMap<ClusterObjects, DraManager>();

  /** The manager of these objects. Devices that one profile has given away must not be given by another. */
  static of(objects: ClusterObjects, gates: FeatureGates): DraManager {
    let manager = DraManager.#managers.get(objects);
    if (manager === undefined) {
      manager = new DraManager(objects, gates);
      DraManager.#managers.set(objects, manager);
    }
    return manager;
  }
}
