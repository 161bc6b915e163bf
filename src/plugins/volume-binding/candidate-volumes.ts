import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { volumeClassName } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { type ObjectFeed, objectKey } from '../../framework/object-feed.ts';
import { getOrMake } from '../../lib/get-or-make.ts';

const PREFIX = objectKey('PersistentVolume', '');

/** The place of a volume: its group, and its number in the order in which volumes became known. */
interface Place {
  readonly group: string;
  readonly number: number;
}

/**
 * The volumes that a claim may get: those of its class that belong to no claim, and those that name the claim. Most
 * volumes of a cluster belong to other claims, and are never looked at.
 *
 *   group   fast, free               v3 v9        a claim of class fast gets one of these,
 *           fast, default/data-0     v1           or this one, if it is the claim data-0
 */
export class CandidateVolumes {
  readonly #objects: ClusterObjects;
  readonly #feed: ObjectFeed;
  readonly #places = new Map<string, Place>();
  /** The numbers of the volumes of each group, by name. */
  readonly #groups = new Map<string, Map<string, number>>();
  #nextNumber = 0;

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
    this.#feed = objects.follow(['PersistentVolume']);
    this.#rebuild();
  }

  /** The names of the volumes, in the order in which they became known. */
  namesFor(className: string, { metadata }: PersistentVolumeClaim): string[] {
    if (this.#feed.hasChanges) this.#catchUp();
    const free = this.#groups.get(groupOf(className, null)) ?? [];
    const own = this.#groups.get(groupOf(className, claimKey(metadata ?? {}))) ?? [];
    const found = [...free, ...own];
    return found.sort(([, a], [, b]) => a - b).map(([name]) => name);
  }

  #catchUp(): void {
    const changes = this.#feed.take();
    if (changes === null) {
      this.#rebuild();
      return;
    }
    for (const [key, isNew] of changes) this.#renew(key.slice(PREFIX.length), isNew);
  }

  #rebuild(): void {
    this.#places.clear();
    this.#groups.clear();
    for (const { metadata } of this.#objects.list('PersistentVolume')) this.#renew(metadata?.name ?? '', true);
  }

  #renew(name: string, isNew: boolean): void {
    const before = this.#places.get(name);
    if (before !== undefined) this.#leave(name, before);
    const volume = this.#objects.get('PersistentVolume', name);
    if (volume === undefined) return;
    const reference = volume.spec?.claimRef;
    const group = groupOf(volumeClassName(volume), reference ? claimKey(reference) : null);
    const number = before === undefined || isNew ? this.#nextNumber++ : before.number;
    this.#places.set(name, { group, number });
    getOrMake(this.#groups, group, () => new Map()).set(name, number);
  }

  #leave(name: string, { group }: Place): void {
    this.#places.delete(name);
    const names = this.#groups.get(group);
    names?.delete(name);
    if (names?.size === 0) this.#groups.delete(group);
  }
}

function groupOf(className: string, claim: string | null): string {
  return JSON.stringify([className, claim]);
}

/** As upstream compares a volume's reference with a claim (`isVolumeBoundToClaim`). */
function claimKey({ name, namespace }: NonNullable<NonNullable<PersistentVolume['spec']>['claimRef']>): string {
  return `${namespace || 'default'}/${name ?? ''}`;
}
