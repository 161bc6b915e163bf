import { FIT_ANSWERS } from './fit-statuses.ts';

/** A table has at most so many numbers, and no more than there are slots. */
const MOST_NUMBERS = 4096;

/** A number for each slot, equal for slots of which equal things are said. */
export interface AlikeSlots {
  readonly numbers: Uint16Array;
  /** All numbers are below this one. */
  readonly count: number;
}

/**
 * Numbers slots by their verdict ids, all below `idCount`, and by the answers of `fitReasons` for each resource; null
 * if there may be more different ones than slots, or than are worth a table.
 */
export function alikeSlots(
  ids: Uint16Array,
  idCount: number,
  shortages: readonly Uint8Array[],
  slotCount: number,
): AlikeSlots | null {
  const count = idCount * FIT_ANSWERS ** shortages.length;
  if (count > Math.min(MOST_NUMBERS, slotCount)) return null;
  const numbers = ids.slice(0, slotCount);
  for (const answers of shortages) {
    for (let slot = 0; slot < slotCount; slot++) {
      numbers[slot] = (numbers[slot] as number) * FIT_ANSWERS + (answers[slot] as number);
    }
  }
  return { numbers, count };
}
