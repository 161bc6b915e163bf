const NOTHING: readonly number[] = [];

/**
 * Slots that changed, in order, for readers that catch up when they are used: each keeps a cursor. The log is bounded;
 * a reader that fell too far behind has to start over.
 *
 *   dropped      entries
 *   ───────┬──────────────────┬
 *        first               end      cursor < first: start over
 */
export class ChangeLog {
  #entries: number[] = [];
  #first = 0;
  #limit = 1024;

  /** The cursor of a reader that has seen everything. */
  get end(): number {
    return this.#first + this.#entries.length;
  }

  /** `rows`: with more changes than rows, starting over is cheaper than catching up. */
  append(slot: number, rows: number): void {
    this.#limit = Math.max(1024, rows);
    if (this.#entries.length >= this.#limit) {
      this.#first += this.#entries.length;
      this.#entries = [];
    }
    this.#entries.push(slot);
  }

  /** Slots that changed since `cursor`, each once; null when that is no longer known, or more than `most` changes. */
  since(cursor: number, most = Number.POSITIVE_INFINITY): Iterable<number> | null {
    const count = this.end - cursor;
    if (count === 0) return NOTHING;
    if (cursor < this.#first || count > most) return null;
    const slots = this.#entries.slice(cursor - this.#first);
    return count === 1 ? slots : new Set(slots);
  }
}
