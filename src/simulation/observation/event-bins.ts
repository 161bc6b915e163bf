const BINS_MAX = 512;
const FIRST_WIDTH_MILLIS = 1000;

/** How often some things happened in each of many equal stretches of time, whose length grows with the run. */
export class EventBins {
  readonly #startMillis: number;
  readonly #counts: Map<number, number[]> = new Map();
  readonly #kinds: number;
  #last = 0;
  widthMillis = FIRST_WIDTH_MILLIS;

  /** Counts so many kinds of events. */
  constructor(startMillis: number, kinds: number) {
    this.#startMillis = startMillis;
    this.#kinds = kinds;
  }

  add(kind: number, nowMillis: number): void {
    let bin = this.#binOf(nowMillis);
    while (bin >= BINS_MAX) {
      this.#widen();
      bin = this.#binOf(nowMillis);
    }
    let counts = this.#counts.get(bin);
    if (counts === undefined) {
      counts = new Array(this.#kinds).fill(0);
      this.#counts.set(bin, counts);
      this.#last = Math.max(this.#last, bin);
    }
    counts[kind] = (counts[kind] ?? 0) + 1;
  }

  /** The counts of all stretches in their order, also of those in which nothing happened. */
  counts(): readonly (readonly number[])[] {
    const none = new Array(this.#kinds).fill(0);
    return Array.from({ length: this.#last + 1 }, (_, bin) => this.#counts.get(bin) ?? none);
  }

  #binOf(nowMillis: number): number {
    return Math.floor((nowMillis - this.#startMillis) / this.widthMillis);
  }

  #widen(): void {
    this.widthMillis *= 2;
    const old = [...this.#counts];
    this.#counts.clear();
    for (const [bin, counts] of old) {
      const half = Math.floor(bin / 2);
      const known = this.#counts.get(half);
      if (known === undefined) this.#counts.set(half, counts);
      else for (const [kind, count] of counts.entries()) known[kind] = (known[kind] ?? 0) + count;
    }
    this.#last = Math.floor(this.#last / 2);
  }
}
