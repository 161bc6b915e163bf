/** Verdicts of type V on some nodes by slot; clearing them takes constant time. */
export class SlotVerdicts<V> {
  /** The slots with a verdict, in no particular order. */
  readonly slots: number[] = [];
  readonly #verdicts: V[] = [];
  /** The index of each slot in `slots`, and the round in which it got its verdict; those of earlier rounds are void. */
  readonly #indices: number[] = [];
  readonly #rounds: number[] = [];
  #round = 0;
  #nullCount = 0;

  /** The number of slots whose verdict is null. */
  get nullCount(): number {
    return this.#nullCount;
  }

  clear(): void {
    this.#round++;
    // To set the length takes long, even if there is nothing to remove.
    if (this.slots.length > 0) this.slots.length = 0;
    this.#nullCount = 0;
  }

  set(slot: number, verdict: V): void {
    while (this.#rounds.length <= slot) this.#rounds.push(-1);
    if (this.#rounds[slot] !== this.#round) this.#indices[slot] = this.slots.push(slot) - 1;
    else if (this.#verdicts[slot] === null) this.#nullCount--;
    if (verdict === null) this.#nullCount++;
    this.#rounds[slot] = this.#round;
    this.#verdicts[slot] = verdict;
  }

  delete(slot: number): void {
    if (this.#rounds[slot] !== this.#round) return;
    this.#rounds[slot] = -1;
    if (this.#verdicts[slot] === null) this.#nullCount--;
    const index = this.#indices[slot] ?? 0;
    const last = this.slots.pop() ?? slot;
    if (last === slot) return;
    this.slots[index] = last;
    this.#indices[last] = index;
  }

  /** Returns undefined if there is no verdict on the slot. */
  at(slot: number): V | undefined {
    return this.#rounds[slot] === this.#round ? this.#verdicts[slot] : undefined;
  }
}
