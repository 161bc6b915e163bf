import type { Status } from '../../framework/status.ts';

/** Verdicts on some nodes, by slot: made anew for every pod, and cleared without a look at the slots. */
export class SlotVerdicts {
  /** The slots with a verdict, in the order in which they got it. */
  readonly slots: number[] = [];
  readonly #statuses: (Status | null)[] = [];
  /** In which round the slot got its verdict. */
  readonly #rounds: number[] = [];
  #round = 0;

  clear(): void {
    this.#round++;
    this.slots.length = 0;
  }

  /** null accepts the node. */
  set(slot: number, status: Status | null): void {
    while (this.#rounds.length <= slot) this.#rounds.push(-1);
    if (this.#rounds[slot] !== this.#round) this.slots.push(slot);
    this.#rounds[slot] = this.#round;
    this.#statuses[slot] = status;
  }

  /** undefined: there is none. */
  at(slot: number): Status | null | undefined {
    return this.#rounds[slot] === this.#round ? this.#statuses[slot] : undefined;
  }
}
