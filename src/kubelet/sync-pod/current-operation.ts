import type { Operation } from '../containers/container-runtime.ts';

/**
 * The operation that is under way in a chain of operations, each of which begins when the one before is done.
 *
 * An operation that takes no time is done before the call that began it returns, and by then later ones may have begun.
 * The last one that began is current, so that a cancel reaches it, not the last one whose call returned.
 */
export class CurrentOperation implements Operation {
  #current: Operation | undefined;
  #begun = 0;

  begin(start: () => Operation): void {
    const order = ++this.#begun;
    const operation = start();
    if (order === this.#begun) this.#current = operation;
  }

  cancel(): void {
    this.#current?.cancel();
  }
}
