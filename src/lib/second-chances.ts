/** A value that is kept as long as it is in use. */
export interface Used {
  /** The time of the last use, as any number that grows. */
  readonly lastUse: number;
}

interface Link<T> {
  readonly value: T;
  /** The last use of the value when it was put in line. */
  seenUse: number;
  previous: Link<T> | null;
  next: Link<T> | null;
}

/** The most values that are spared in one call because they were used since they were seen. */
const MOST_SPARED = 16;

/**
 * Kept values in the order in which they are given up: those not used for long first, or nearly so (the second-chance
 * algorithm). To use a value costs no more than to write down the time, and to add, remove or find one takes the same
 * time however many there are.
 */
export class SecondChances<T extends Used> {
  readonly #links = new Map<T, Link<T>>();
  #first: Link<T> | null = null;
  #last: Link<T> | null = null;

  get size(): number {
    return this.#links.size;
  }

  /** Adds a value that is not in line yet, and whose first use is about to be written down. */
  add(value: T, seenUse = value.lastUse): void {
    const link: Link<T> = { value, seenUse, previous: null, next: null };
    this.#links.set(value, link);
    this.#append(link);
  }

  delete(value: T): void {
    const link = this.#links.get(value);
    if (link === undefined) return;
    this.#links.delete(value);
    this.#unlink(link);
  }

  /**
   * Returns a value to give up, which stays in line until it is deleted; null if all are in use now. `now`: values that
   * were used at this time are spared.
   */
  oldest(now: number): T | null {
    let spared = 0;
    // Whatever was spared is found again in a second round.
    for (let inUse = 0; inUse < this.#links.size; ) {
      const link = this.#first as Link<T>;
      const { value } = link;
      const isUsedNow = value.lastUse >= now;
      if (!isUsedNow && (value.lastUse === link.seenUse || spared === MOST_SPARED)) return value;
      if (isUsedNow) inUse++;
      else spared++;
      link.seenUse = value.lastUse;
      this.#unlink(link);
      this.#append(link);
    }
    return null;
  }

  #append(link: Link<T>): void {
    link.previous = this.#last;
    link.next = null;
    if (this.#last === null) this.#first = link;
    else this.#last.next = link;
    this.#last = link;
  }

  #unlink({ previous, next }: Link<T>): void {
    if (previous === null) this.#first = next;
    else previous.next = next;
    if (next === null) this.#last = previous;
    else next.previous = previous;
  }
}
