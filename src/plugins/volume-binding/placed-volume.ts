import { parseQuantity } from '../../api/quantity.ts';
import type { PersistentVolume } from '../../api/storage.ts';

/** A volume with what tells its place among others. */
export interface PlacedVolume {
  readonly volume: PersistentVolume;
  readonly capacityNano: bigint;
  /** The number in the order in which volumes became known. */
  readonly number: number;
}

/** @throws CodedError `InvalidQuantity` */
export function placedVolume(volume: PersistentVolume, number: number): PlacedVolume {
  return { volume, capacityNano: nanoOf(volume.spec?.capacity?.['storage']), number };
}

/** The smallest comes first, and the first to be known of equals. */
export function bySizeAndAge(a: PlacedVolume, b: PlacedVolume): number {
  return a.capacityNano === b.capacityNano ? a.number - b.number : a.capacityNano < b.capacityNano ? -1 : 1;
}

/** @throws CodedError `InvalidQuantity` */
export function nanoOf(quantity: string | number | undefined): bigint {
  return quantity === undefined ? 0n : parseQuantity(quantity).nano;
}
