import type { CSIStorageCapacity } from '../../api/storage.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { ObjectLog } from '../../framework/object-log.ts';
import { ChangeLog } from '../../lib/change-log.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { memoized } from '../../lib/memoized.ts';
import { LabelBuckets, type RequiredLabel } from './label-buckets.ts';
import { CountedReads, capacityReads } from './label-reads.ts';
import { requiredLabelOfCapacity } from './volume-topology.ts';

/** The objects that report capacity for one storage class. */
class ClassCapacities {
  /** By the nodes that have access. */
  readonly reachable = new LabelBuckets(requiredLabelOfCapacity, () => 0);
  /** What tells whether nodes have access. */
  readonly reads = new CountedReads();
  /** The labels that nodes need for an object that came or went; null if they need none. */
  readonly changes = new ChangeLog<RequiredLabel | null>();
}

/** The objects that report capacity, kept from attempt to attempt: drivers write one of them after each placement. */
class Capacities {
  readonly #objects: ClusterObjects;
  readonly #changed: ObjectLog<CSIStorageCapacity>;
  readonly #known = new Map<string, CSIStorageCapacity>();
  readonly #byClass = new Map<string, ClassCapacities>();

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
    this.#changed = objects.followObjects('CSIStorageCapacity');
    this.#renew(objects.list('CSIStorageCapacity'));
  }

  ofClass(className: string): ClassCapacities {
    if (this.#changed.hasChanges) {
      this.#renew(this.#changed.take() ?? [...this.#known.values(), ...this.#objects.list('CSIStorageCapacity')]);
    }
    return getOrMake(this.#byClass, className, () => new ClassCapacities());
  }

  #renew(changed: Iterable<CSIStorageCapacity>): void {
    for (const { metadata } of changed) {
      const [namespace, name] = [metadata?.namespace || 'default', metadata?.name ?? ''];
      const key = `${namespace}/${name}`;
      const old = this.#known.get(key);
      const known = this.#objects.get('CSIStorageCapacity', name, namespace);
      if (old !== undefined) this.#count(old, -1);
      this.#known.delete(key);
      if (known === undefined) continue;
      this.#count(known, 1);
      this.#known.set(key, known);
    }
  }

  #count(capacity: CSIStorageCapacity, by: 1 | -1): void {
    const ofClass = getOrMake(this.#byClass, capacity.storageClassName ?? '', () => new ClassCapacities());
    if (by > 0) ofClass.reachable.add(capacity);
    else ofClass.reachable.delete(capacity);
    ofClass.reads.add(capacityReads(capacity), by);
    ofClass.changes.add(requiredLabelOfCapacity(capacity));
  }
}

const capacitiesOf = memoized((objects: ClusterObjects) => new Capacities(objects));

export function capacitiesOfClass(className: string, objects: ClusterObjects): ClassCapacities {
  return capacitiesOf(objects).ofClass(className);
}
