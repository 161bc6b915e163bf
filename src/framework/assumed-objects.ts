import { ObjectLog } from './object-log.ts';

/**
 * Objects as they will be once decisions have been carried out. Each hides the object that was known when it was
 * assumed, until that one is replaced or removed.
 *
 *   known ── assume ──▶ assumed ── restore, or a newer object arrives ──▶ known
 */
export class AssumedObjects {
  readonly #byKnown = new WeakMap<object, object>();
  readonly #logs: ObjectLog<object>[] = [];

  /** The assumed object; the known one if nothing is assumed of it. */
  current<T extends object>(known: T): T {
    return (this.#byKnown.get(known) as T | undefined) ?? known;
  }

  assume<T extends object>(known: T, assumed: T): void {
    this.#byKnown.set(known, assumed);
    for (const log of this.#logs) log.append(known);
  }

  restore(known: object): void {
    if (!this.#byKnown.delete(known)) return;
    for (const log of this.#logs) log.append(known);
  }

  /** Returns a log of the known objects of which something is assumed, or no longer, from now on. */
  follow(): ObjectLog<object> {
    const log = new ObjectLog<object>();
    this.#logs.push(log);
    return log;
  }
}
