import type { Volume } from '../../api/volumes.ts';
import type { NodeFeed } from '../../framework/plugin.ts';
import { getOrMake } from '../../lib/get-or-make.ts';

const NO_SLOTS: ReadonlySet<number> = new Set();
const NO_KEYS: readonly string[] = [];

/**
 * The nodes by the disks that their pods use, so that the filter need not look at the pods of all others.
 *
 *   gce data-1     slots 3 7
 *   rbd rbd/logs   slot 3
 */
export class DiskHolders {
  readonly #slotsByKey = new Map<string, Set<number>>();
  readonly #keysBySlot = new Map<number, readonly string[]>();
  #cursor = -1;

  /** The slots of all nodes with a pod that may conflict with one of the disks. */
  slots(disks: readonly Volume[], nodes: NodeFeed): ReadonlySet<number> {
    this.#sync(nodes);
    let found: ReadonlySet<number> = NO_SLOTS;
    let union: Set<number> | null = null;
    for (const disk of disks) {
      for (const key of keysOf(disk)) {
        const slots = this.#slotsByKey.get(key);
        if (slots === undefined || slots === found) continue;
        if (found === NO_SLOTS) {
          found = slots;
          continue;
        }
        union ??= new Set(found);
        for (const slot of slots) union.add(slot);
      }
    }
    return union ?? found;
  }

  #sync(nodes: NodeFeed): void {
    const changed = this.#cursor < 0 ? null : nodes.storageChangedSince(this.#cursor);
    this.#cursor = nodes.end;
    if (changed !== null) {
      for (const slot of changed) this.#look(slot, nodes);
      return;
    }
    this.#slotsByKey.clear();
    this.#keysBySlot.clear();
    for (let slot = 0; slot < nodes.slotCount; slot++) this.#look(slot, nodes);
  }

  #look(slot: number, nodes: NodeFeed): void {
    for (const key of this.#keysBySlot.get(slot) ?? NO_KEYS) this.#leave(key, slot);
    this.#keysBySlot.delete(slot);
    const keys: string[] = [];
    for (const { pod, requirements } of nodes.nodeAt(slot)?.pods ?? []) {
      if (requirements.hasStorage) for (const volume of pod.spec?.volumes ?? []) keys.push(...keysOf(volume));
    }
    if (keys.length === 0) return;
    this.#keysBySlot.set(slot, keys);
    for (const key of keys) getOrMake(this.#slotsByKey, key, () => new Set()).add(slot);
  }

  #leave(key: string, slot: number): void {
    const slots = this.#slotsByKey.get(key);
    slots?.delete(slot);
    if (slots?.size === 0) this.#slotsByKey.delete(key);
  }
}

/** The names of the disks; volumes that conflict (`disksConflict`) have one in common. */
function keysOf({ gcePersistentDisk, awsElasticBlockStore, iscsi, rbd }: Volume): string[] {
  const keys: string[] = [];
  if (gcePersistentDisk) keys.push(`gce ${gcePersistentDisk.pdName ?? ''}`);
  if (awsElasticBlockStore) keys.push(`ebs ${awsElasticBlockStore.volumeID ?? ''}`);
  if (iscsi) keys.push(`iscsi ${iscsi.iqn ?? ''}`);
  if (rbd) keys.push(`rbd ${rbd.pool || 'rbd'}/${rbd.image ?? ''}`);
  return keys;
}
