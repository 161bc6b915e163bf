/**
 * Is notified of every change of a cache after it was made. The notifications of one object (one uid) have no gaps: one
 * add, then updates whose `before` is the object of the previous notification, then one delete. Several changes may be
 * merged into one notification.
 *
 * When a handler throws, the same notification is delivered again later, and no other one of that object until then.
 */
export interface EventHandler<T> {
  /** `isInInitialList`: the object existed before the handler was added, or before the informer's first list. */
  onAdd(object: T, isInInitialList: boolean): void;
  /** At a resync both are the same object. */
  onUpdate(before: T, after: T): void;
  /** `isFinalStateUnknown`: the delete event was missed, so `lastKnown` may be older than the deleted object. */
  onDelete(lastKnown: T, isFinalStateUnknown: boolean): void;
}

/** The handler of a receiver that only needs the current state of an object; without `forget` it ignores deletes. */
export function stateHandler<T>(see: (object: T) => void, forget: (lastKnown: T) => void = () => {}): EventHandler<T> {
  return {
    onAdd: (object) => see(object),
    onUpdate: (_, after) => see(after),
    onDelete: (lastKnown) => forget(lastKnown),
  };
}
