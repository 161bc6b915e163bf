import type { Selector } from '../../api/label-selector.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { ChangeLog } from '../../lib/change-log.ts';
import { LabelBuckets, type RequiredLabel } from './label-buckets.ts';
import { affinityReads, CountedReads } from './label-reads.ts';
import { bySizeAndAge, type PlacedVolume } from './placed-volume.ts';
import { requiredLabelOfVolume } from './volume-topology.ts';

/** Claims of so many shapes are followed in a class; the one that was asked for longest ago is given up first. */
const MOST_SHAPES = 32;

/** The free volumes that match claims of one shape on some node, smallest first, by the nodes that can reach them. */
export interface MatchingVolumes {
  /** The same for all claims of the shape, and for no others. */
  readonly key: string;
  readonly reachable: LabelBuckets<PlacedVolume>;
  /** What the volumes read of nodes. */
  readonly reads: CountedReads;
  /** The labels that nodes need for a free volume of the class that came or went; null if they need none. */
  readonly changes: ChangeLog<RequiredLabel | null>;
}

interface Shape extends MatchingVolumes {
  readonly accepts: (volume: PlacedVolume) => boolean;
}

/**
 * The volumes of one class that belong to no claim. Most claims of a class have one shape: they differ in their names
 * alone, and for all of them the volumes are kept in order, from attempt to attempt.
 */
export class FreeVolumes {
  readonly #className: string;
  readonly #volumes = new Set<PlacedVolume>();
  /** In the order in which they were last asked for. */
  readonly #shapes = new Map<string, Shape>();
  readonly #changes = new ChangeLog<RequiredLabel | null>();

  constructor(className: string) {
    this.#className = className;
  }

  add(added: PlacedVolume): void {
    this.#volumes.add(added);
    this.#changes.add(labelOf(added));
    for (const shape of this.#shapes.values()) addTo(shape, added);
  }

  delete(gone: PlacedVolume): void {
    this.#volumes.delete(gone);
    this.#changes.add(labelOf(gone));
    for (const shape of this.#shapes.values()) {
      if (!shape.accepts(gone)) continue;
      shape.reachable.delete(gone);
      shape.reads.add(affinityReads(gone.volume), -1);
    }
  }

  /** The volumes for a claim that requests so much. `selector`: that of its spec; null if it has none. */
  matching(claim: PersistentVolumeClaim, requestNano: bigint, selector: Selector | null): MatchingVolumes {
    const { accessModes = [], selector: selected } = claim.spec ?? {};
    const parts = [this.#className, `${requestNano}`, modeOf(claim), attributesClassOf(claim), accessModes, selected];
    const key = JSON.stringify(parts);
    const shape =
      this.#shapes.get(key) ?? this.#newShape(key, (placed) => matches(placed, claim, requestNano, selector));
    this.#shapes.delete(key);
    this.#shapes.set(key, shape);
    return shape;
  }

  #newShape(key: string, accepts: Shape['accepts']): Shape {
    const reachable = new LabelBuckets(labelOf, bySizeAndAge);
    const shape = { key, accepts, reachable, reads: new CountedReads(), changes: this.#changes };
    for (const placed of [...this.#volumes].sort(bySizeAndAge)) addTo(shape, placed);
    if (this.#shapes.size >= MOST_SHAPES) this.#shapes.delete(this.#shapes.keys().next().value ?? '');
    return shape;
  }
}

function addTo({ accepts, reachable, reads }: Shape, added: PlacedVolume): void {
  if (!accepts(added)) return;
  reachable.add(added);
  reads.add(affinityReads(added.volume), 1);
}

function labelOf({ volume }: PlacedVolume): RequiredLabel | null {
  return requiredLabelOfVolume(volume);
}

function matches(
  placed: PlacedVolume,
  claim: PersistentVolumeClaim,
  requestNano: bigint,
  selector: Selector | null,
): boolean {
  const { metadata, spec, status } = placed.volume;
  if (!suits(placed, claim, requestNano) || status?.phase !== 'Available') return false;
  if (selector !== null && !selector.matches(metadata?.labels)) return false;
  return (claim.spec?.accessModes ?? []).every((mode) => spec?.accessModes?.includes(mode));
}

/** What is asked even of volumes that are kept for the claim. */
export function suits(placed: PlacedVolume, claim: PersistentVolumeClaim, requestNano: bigint): boolean {
  const { volume, capacityNano } = placed;
  if (capacityNano < requestNano || volume.metadata?.deletionTimestamp) return false;
  return modeOf(volume) === modeOf(claim) && attributesClassOf(volume) === attributesClassOf(claim);
}

function modeOf({ spec }: PersistentVolume | PersistentVolumeClaim): string {
  return spec?.volumeMode ?? 'Filesystem';
}

function attributesClassOf({ spec }: PersistentVolume | PersistentVolumeClaim): string {
  return spec?.volumeAttributesClassName ?? '';
}
