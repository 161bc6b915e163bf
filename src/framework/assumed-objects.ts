/**
 * Objects as they will be once decisions have been carried out. Each hides the object that was known when it was
 * assumed, until that one is replaced or removed.
 *
 *   known ── assume ──▶ assumed ── restore, or a newer object arrives ──▶ known
 */
export class AssumedObjects {
  readonly #byKnown = new WeakMap<object, object>();

  /** The assumed object; the known one if nothing is assumed of it. */
  current<T extends object>(known: T): T {
    return (this.#byKnown.get(known) as T | undefined) ?? known;
  }

  assume<T extends object>(known: T, assumed: T): void {
    this.#byKnown.set(known, assumed);
  }

  restore(known: object): void {
    this.#byKnown.delete(known);
  }
}
