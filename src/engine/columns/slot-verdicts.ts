/** Verdicts of type V on some nodes by slot, made for every pod; clearing them takes constant time. */
export class SlotVerdicts<V> {
  /** The slots with a verdict, in the order in which they got it. */
  readonly slots: number[] = [];
  readonly #verdicts: V[] = [];
  /** The round in which each slot got its verdict; verdicts of earlier rounds are void. */
  readonly #rounds: number[] = [];
  #round = 0;

  clear(): void {
    this.#round++;
    this.slots.length = 0;
  }

  set(slot: number, verdict: V): void {
    while (this.#rounds.length <= slot) this.#rounds.push(-1);
    if (this.#rounds[slot] !== this.#round) this.slots.push(slot);
    this.#rounds[slot] = this.#round;
    this.#verdicts[slot] = verdict;
  }

  /** Returns undefined if there is no verdict on the slot. */
  at(slot: number): V | undefined {
    return this.#rounds[slot] === this.#round ? this.#verdicts[slot] : undefined;
  }
}
