import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { volumeClassName } from '../../api/volume-claims.ts';
import type { AssumedObjects } from '../../framework/assumed-objects.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { type ObjectFeed, objectKey } from '../../framework/object-feed.ts';
import type { ObjectLog } from '../../framework/object-log.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { FreeVolumes } from './free-volumes.ts';
import { type PlacedVolume, placedVolume } from './placed-volume.ts';

const PREFIX = objectKey('PersistentVolume', '');

/** Where a volume is kept. */
interface Place {
  readonly known: PersistentVolume;
  readonly placed: PlacedVolume;
  /** The class and the claim of a volume that names one; null for a volume that belongs to no claim. */
  readonly keptFor: string | null;
  readonly free: FreeVolumes;
}

/**
 * The volumes that a claim may get, as they will be once the scheduler's decisions have been carried out: those of its
 * class that belong to no claim, and those that name the claim. Most volumes of a cluster belong to other claims, and
 * are never looked at.
 *
 *   fast   free             v3 v9        a claim of class fast gets one of these,
 *          default/data-0   v1           or this one, if it is the claim data-0
 */
export class CandidateVolumes {
  readonly #objects: ClusterObjects;
  readonly #assumed: AssumedObjects;
  readonly #changed: ObjectFeed;
  readonly #assumptions: ObjectLog<object>;
  readonly #places = new Map<string, Place>();
  readonly #kept = new Map<string, Set<PlacedVolume>>();
  readonly #free = new Map<string, FreeVolumes>();
  #nextNumber = 0;

  constructor(objects: ClusterObjects, assumed: AssumedObjects) {
    this.#objects = objects;
    this.#assumed = assumed;
    this.#changed = objects.follow(['PersistentVolume']);
    this.#assumptions = assumed.follow();
    this.#rebuild();
  }

  /** The volumes of the class that name the claim, in the order in which they became known. */
  keptFor(className: string, { metadata }: PersistentVolumeClaim): readonly PlacedVolume[] {
    this.#catchUp();
    const kept = this.#kept.get(keyOf(className, metadata ?? {}));
    return kept === undefined ? NONE : [...kept].sort((a, b) => a.number - b.number);
  }

  /** The volumes of the class that belong to no claim. */
  freeOf(className: string): FreeVolumes {
    this.#catchUp();
    return this.#freeOf(className);
  }

  #freeOf(className: string): FreeVolumes {
    return getOrMake(this.#free, className, () => new FreeVolumes(className));
  }

  #catchUp(): void {
    if (this.#changed.hasChanges) {
      const changes = this.#changed.take();
      if (changes === null) this.#rebuild();
      else for (const [key, isNew] of changes) this.#renew(key.slice(PREFIX.length), isNew);
    }
    if (!this.#assumptions.hasChanges) return;
    const changes = this.#assumptions.take();
    if (changes === null) this.#rebuild();
    else for (const object of changes as PersistentVolume[]) this.#renewAssumed(object);
  }

  #rebuild(): void {
    for (const [name, place] of this.#places) this.#leave(name, place);
    for (const { metadata } of this.#objects.list('PersistentVolume')) this.#renew(metadata?.name ?? '', true);
  }

  /** The object may also be a claim, or a volume of which a newer one is known. */
  #renewAssumed(known: PersistentVolume): void {
    const name = known.metadata?.name ?? '';
    if (this.#places.get(name)?.known === known) this.#renew(name, false);
  }

  #renew(name: string, isNew: boolean): void {
    const before = this.#places.get(name);
    if (before !== undefined) this.#leave(name, before);
    const known = this.#objects.get('PersistentVolume', name);
    if (known === undefined) return;
    const volume = this.#assumed.current(known);
    const className = volumeClassName(volume);
    const reference = volume.spec?.claimRef;
    const place: Place = {
      known,
      placed: placedVolume(volume, before === undefined || isNew ? this.#nextNumber++ : before.placed.number),
      keptFor: reference ? keyOf(className, reference) : null,
      free: this.#freeOf(className),
    };
    this.#places.set(name, place);
    if (place.keptFor === null) place.free.add(place.placed);
    else getOrMake(this.#kept, place.keptFor, () => new Set()).add(place.placed);
  }

  #leave(name: string, { placed, keptFor, free }: Place): void {
    this.#places.delete(name);
    if (keptFor === null) {
      free.delete(placed);
      return;
    }
    const kept = this.#kept.get(keptFor);
    kept?.delete(placed);
    if (kept?.size === 0) this.#kept.delete(keptFor);
  }
}

const NONE: readonly PlacedVolume[] = [];

/** As upstream compares a volume's reference with a claim (`isVolumeBoundToClaim`). */
function keyOf(className: string, reference: NonNullable<NonNullable<PersistentVolume['spec']>['claimRef']>): string {
  return `${className}\n${reference.namespace || 'default'}/${reference.name ?? ''}`;
}
