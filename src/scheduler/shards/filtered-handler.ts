import type { EventHandler } from '../../client/informer/event-handler.ts';

/** Passes on what is seen of the objects that one scheduler sees: one that comes into sight is added. */
export class FilteredHandler<T> implements EventHandler<T> {
  readonly #handler: EventHandler<T>;
  readonly #sees: (object: T) => boolean;

  constructor(handler: EventHandler<T>, sees: (object: T) => boolean) {
    this.#handler = handler;
    this.#sees = sees;
  }

  onAdd(object: T, isInInitialList: boolean): void {
    if (this.#sees(object)) this.#handler.onAdd(object, isInInitialList);
  }

  onUpdate(before: T, after: T): void {
    const [saw, sees] = [this.#sees(before), this.#sees(after)];
    if (saw && sees) this.#handler.onUpdate(before, after);
    else if (sees) this.#handler.onAdd(after, false);
    else if (saw) this.#handler.onDelete(before, false);
  }

  onDelete(lastKnown: T, isFinalStateUnknown: boolean): void {
    if (this.#sees(lastKnown)) this.#handler.onDelete(lastKnown, isFinalStateUnknown);
  }
}
