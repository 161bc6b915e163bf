import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { ClaimCache } from './claims/claim-cache.ts';
import { ResourceClasses } from './extended/resource-classes.ts';

/** What is known about claims and devices of a cluster, for the plugins of all profiles (upstream's DRA manager). */
export class DraManager {
  readonly claims: ClaimCache;
  readonly classes: ResourceClasses;

  private constructor(objects: ClusterObjects) {
    this.claims = new ClaimCache(objects);
    this.classes = new ResourceClasses(objects);
  }

  static readonly #managers = new WeakMap<ClusterObjects, DraManager>();

  /** The manager of these objects. Devices that one profile has given away must not be given by another. */
  static of(objects: ClusterObjects): DraManager {
    let manager = DraManager.#managers.get(objects);
    if (manager === undefined) {
      manager = new DraManager(objects);
      DraManager.#managers.set(objects, manager);
    }
    return manager;
  }
}
