/** Values by two texts, such as namespace and name, looked up in turn: a key of both would be made each time. */
export class PairMap<T> {
  readonly #maps = new Map<string, Map<string, T>>();
  /** The map that was used last, since most look-ups are for the same first text. */
  #lastFirst: string | null = null;
  #last: Map<string, T> | undefined;

  get(first: string, second: string): T | undefined {
    return this.#under(first)?.get(second);
  }

  set(first: string, second: string, value: T): void {
    const under = this.#under(first);
    if (under !== undefined) {
      under.set(second, value);
      return;
    }
    this.#last = new Map([[second, value]]);
    this.#maps.set(first, this.#last);
  }

  delete(first: string, second: string): void {
    this.#under(first)?.delete(second);
  }

  *values(): Iterable<T> {
    for (const under of this.#maps.values()) yield* under.values();
  }

  clear(): void {
    this.#maps.clear();
    this.#lastFirst = null;
    this.#last = undefined;
  }

  #under(first: string): Map<string, T> | undefined {
    if (first !== this.#lastFirst) {
      this.#lastFirst = first;
      this.#last = this.#maps.get(first);
    }
    return this.#last;
  }
}
