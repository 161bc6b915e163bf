/** Nodes on which a driver can attach fewer volumes than this are listed. */
export const FEW = 16;

/** A slot that is not listed. */
const MANY = 0;

/**
 * The nodes on which a driver can attach few more volumes, by slot. A search for those on which it can attach fewer
 * than a pod wants mostly finds by a look at their numbers that there are none.
 */
export class SpareVolumes {
  /** One more than the number of volumes that can be attached; `MANY` for slots that are not listed. */
  #bySlot = new Uint8Array(64);
  /** How many slots have each of these values. */
  readonly #counts = new Int32Array(FEW + 1);

  /** Lists the slot; `spare` is below `FEW`, and below 0 if more volumes are attached than may be. */
  set(slot: number, spare: number): void {
    if (slot >= this.#bySlot.length) {
      const longer = new Uint8Array(Math.max(slot + 1, 2 * this.#bySlot.length));
      longer.set(this.#bySlot);
      this.#bySlot = longer;
    }
    this.delete(slot);
    const value = Math.max(0, spare) + 1;
    this.#bySlot[slot] = value;
    this.#counts[value] = (this.#counts[value] ?? 0) + 1;
  }

  delete(slot: number): void {
    const value = this.#bySlot[slot] ?? MANY;
    if (value === MANY) return;
    this.#bySlot[slot] = MANY;
    this.#counts[value] = (this.#counts[value] ?? 0) - 1;
  }

  /** The fewest volumes that a listed node can attach; `FEW` if none is listed. */
  get least(): number {
    for (let value = 1; value <= FEW; value++) if (this.#counts[value] !== 0) return value - 1;
    return FEW;
  }

  /** Adds the slots of nodes to which fewer volumes than `wanted`, a number from 1 to `FEW`, can be attached. */
  addBelow(wanted: number, slots: Set<number>): void {
    let left = 0;
    for (let value = 1; value <= wanted; value++) left += this.#counts[value] ?? 0;
    for (let slot = 0; left > 0; slot++) {
      const value = this.#bySlot[slot] ?? MANY;
      if (value === MANY || value > wanted) continue;
      slots.add(slot);
      left--;
    }
  }
}
