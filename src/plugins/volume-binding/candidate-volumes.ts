import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { volumeClassName } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { type ObjectFeed, objectKey } from '../../framework/object-feed.ts';
import { getOrMake } from '../../lib/get-or-make.ts';

const PREFIX = objectKey('PersistentVolume', '');

/** A volume, and its number in the order in which volumes became known. */
interface Place {
  readonly volume: PersistentVolume;
  readonly number: number;
  readonly group: Group;
}

/** The volumes of one class that one claim may get, or every claim. */
interface Group {
  readonly className: string;
  readonly claim: string;
  readonly places: Map<string, Place>;
  /** The volumes in the order in which they became known; null until somebody asks. */
  inOrder: readonly PersistentVolume[] | null;
}

/** Stands for the claim of volumes that belong to no claim; keys of claims have a slash. */
const FREE = '';

/**
 * The volumes that a claim may get: those of its class that belong to no claim, and those that name the claim. Most
 * volumes of a cluster belong to other claims, and are never looked at.
 *
 *   fast   free             v3 v9        a claim of class fast gets one of these,
 *          default/data-0   v1           or this one, if it is the claim data-0
 */
export class CandidateVolumes {
  readonly #objects: ClusterObjects;
  /** Null until somebody asks: most clusters have no claim that is not bound. */
  #feed: ObjectFeed | null = null;
  readonly #places = new Map<string, Place>();
  /** By class, and then by claim. */
  readonly #groups = new Map<string, Map<string, Group>>();
  #nextNumber = 0;

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
  }

  /** The volumes in the order in which they became known. */
  volumesFor(className: string, { metadata }: PersistentVolumeClaim): readonly PersistentVolume[] {
    this.#catchUp();
    const byClaim = this.#groups.get(className);
    const free = byClaim?.get(FREE) ?? NONE;
    const own = byClaim?.get(claimKey(metadata ?? {})) ?? NONE;
    if (own.places.size === 0) return orderOf(free);
    if (free.places.size === 0) return orderOf(own);
    return sorted([...free.places.values(), ...own.places.values()]);
  }

  #catchUp(): void {
    if (this.#feed === null) {
      this.#feed = this.#objects.follow(['PersistentVolume']);
      this.#rebuild();
      return;
    }
    if (!this.#feed.hasChanges) return;
    const changes = this.#feed.take();
    if (changes === null) this.#rebuild();
    else for (const [key, isNew] of changes) this.#renew(key.slice(PREFIX.length), isNew);
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
    const group = this.#groupOf(volumeClassName(volume), reference ? claimKey(reference) : FREE);
    const number = before === undefined || isNew ? this.#nextNumber++ : before.number;
    const place = { volume, number, group };
    this.#places.set(name, place);
    group.places.set(name, place);
    group.inOrder = null;
  }

  #groupOf(className: string, claim: string): Group {
    const byClaim = getOrMake(this.#groups, className, () => new Map<string, Group>());
    return getOrMake(byClaim, claim, () => ({ className, claim, places: new Map(), inOrder: null }));
  }

  #leave(name: string, { group }: Place): void {
    this.#places.delete(name);
    group.places.delete(name);
    group.inOrder = null;
    if (group.places.size > 0) return;
    const byClaim = this.#groups.get(group.className);
    byClaim?.delete(group.claim);
    if (byClaim?.size === 0) this.#groups.delete(group.className);
  }
}

const NONE: Group = { className: '', claim: '', places: new Map(), inOrder: [] };

function orderOf(group: Group): readonly PersistentVolume[] {
  group.inOrder ??= sorted([...group.places.values()]);
  return group.inOrder;
}

function sorted(places: Place[]): readonly PersistentVolume[] {
  return places.sort((a, b) => a.number - b.number).map(({ volume }) => volume);
}

/** As upstream compares a volume's reference with a claim (`isVolumeBoundToClaim`). */
function claimKey({ name, namespace }: NonNullable<NonNullable<PersistentVolume['spec']>['claimRef']>): string {
  return `${namespace || 'default'}/${name ?? ''}`;
}
