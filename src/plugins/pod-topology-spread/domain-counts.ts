/** The minimum of an empty set of domains (upstream's math.MaxInt32). */
const NO_DOMAIN = 2 ** 31 - 1;

/**
 * The number of matching pods in each domain of one topology key, and the lowest of these numbers.
 *
 * Preemption and nominated pods change one domain of a copy repeatedly and read the minimum in between. So the minimum
 * of all other domains is kept until another domain changes.
 */
export class DomainCounts {
  readonly #counts: Map<string, number>;
  #changing = '';
  #lowestOfOthers: number | null = null;

  constructor(counts: ReadonlyMap<string, number> = new Map()) {
    this.#counts = new Map(counts);
  }

  get size(): number {
    return this.#counts.size;
  }

  get(domain: string): number {
    return this.#counts.get(domain) ?? 0;
  }

  /** Adds to a domain, which exists from the first call on, even if `count` is 0. */
  add(domain: string, count: number): void {
    if (domain !== this.#changing) {
      this.#changing = domain;
      this.#lowestOfOthers = null;
    }
    this.#counts.set(domain, this.get(domain) + count);
  }

  lowest(): number {
    if (this.#lowestOfOthers === null) {
      this.#lowestOfOthers = NO_DOMAIN;
      for (const [domain, count] of this.#counts) {
        if (domain !== this.#changing && count < this.#lowestOfOthers) this.#lowestOfOthers = count;
      }
    }
    return Math.min(this.#lowestOfOthers, this.#counts.get(this.#changing) ?? NO_DOMAIN);
  }

  clone(): DomainCounts {
    const copy = new DomainCounts(this.#counts);
    copy.#changing = this.#changing;
    copy.#lowestOfOthers = this.#lowestOfOthers;
    return copy;
  }
}
