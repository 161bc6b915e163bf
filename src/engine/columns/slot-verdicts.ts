import type { Status } from '../../framework/status.ts';

/** Verdicts on some nodes by slot, made for every pod; clearing them takes constant time. */
export class SlotVerdicts {
  /** The slots with a verdict, in the order in which they got it. */
  readonly slots: number[] = [];
  readonly #statuses: (Status | null)[] = [];
  /** The round in which each slot got its verdict; verdicts of earlier rounds are void. */
  readonly #rounds: number[] = [];
  #round = 0;

  clear(): void {
    this.#round++;
    this.slots.length = 0;
  }

  /** Sets the verdict on a slot; null accepts the node. */
  set(slot: number, status: Status | null): void {
    while (this.#rounds.length <= slot) this.#rounds.push(-1);
    if (this.#rounds[slot] !== this.#round) this.slots.push(slot);
    this.#rounds[slot] = this.#round;
    this.#statuses[slot] = status;
  }

  /** Returns undefined if there is no verdict on the slot. */
  at(slot: number): Status | null | undefined {
    return this.#rounds[slot] === this.#round ? this.#statuses[slot] : undefined;
  }
}
