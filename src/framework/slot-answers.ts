/** An answer about each node by its slot, found when it is first read, and once for all nodes that are alike. */
export class SlotAnswers<T> {
  readonly #ask: (slot: number) => T;
  readonly #likeness: Int32Array | null;
  readonly #known: (T | undefined)[] = [];

  /** `likeness`: numbers by slot, equal for slots with one answer; those below 0 and null tell nothing. */
  constructor(ask: (slot: number) => T, likeness: Int32Array | null = null) {
    this.#ask = ask;
    this.#likeness = likeness;
  }

  of(slot: number): T {
    const likeness = this.#likeness;
    if (likeness === null) return this.#ask(slot);
    const number = likeness[slot] ?? -1;
    if (number < 0) return this.#ask(slot);
    const known = this.#known[number];
    return known === undefined ? this.#askFirst(slot, number) : known;
  }

  #askFirst(slot: number, number: number): T {
    const known = this.#known;
    while (known.length <= number) known.push(undefined);
    const answer = this.#ask(slot);
    known[number] = answer;
    return answer;
  }
}
