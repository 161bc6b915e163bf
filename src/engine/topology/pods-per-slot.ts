/** The most slots that wait to be counted. */
const MOST_WAITING = 4096;

/**
 * How many pods of a group are on each slot. Pods come much more often than anybody reads the numbers, so that their
 * slots are noted in a list, and counted when it is read.
 */
export class PodsPerSlot {
  readonly #pods = new Map<number, number>();
  readonly #waiting: number[] = [];
  #total = 0;

  get isEmpty(): boolean {
    return this.#total === 0;
  }

  add(slot: number): void {
    this.#total++;
    if (this.#waiting.length === MOST_WAITING) this.#countWaiting();
    this.#waiting.push(slot);
  }

  remove(slot: number): void {
    this.#countWaiting();
    this.#total--;
    this.#change(slot, -1);
  }

  on(slot: number): number {
    this.#countWaiting();
    return this.#pods.get(slot) ?? 0;
  }

  /** The slots with pods, and their numbers. */
  entries(): Iterable<readonly [slot: number, pods: number]> {
    this.#countWaiting();
    return this.#pods;
  }

  /** The slots with pods. */
  slots(): Iterable<number> {
    this.#countWaiting();
    return this.#pods.keys();
  }

  #countWaiting(): void {
    if (this.#waiting.length === 0) return;
    for (const slot of this.#waiting) this.#change(slot, 1);
    this.#waiting.length = 0;
  }

  #change(slot: number, delta: number): void {
    const pods = (this.#pods.get(slot) ?? 0) + delta;
    if (pods === 0) this.#pods.delete(slot);
    else this.#pods.set(slot, pods);
  }
}
