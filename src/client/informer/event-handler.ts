/**
 * Told of every change of a cache after it was made. What is told of one object (one uid) is a history without gaps:
 * one add, then updates whose `before` is the object told last, then one delete. Several changes may be told as one.
 *
 * A handler that throws is told the same again later, and of that object nothing else until then.
 */
export interface EventHandler<T> {
  /** `isInInitialList`: the object was there before the handler, or before the informer's first list. */
  onAdd(object: T, isInInitialList: boolean): void;
  /** At a resync both are the same object. */
  onUpdate(before: T, after: T): void;
  /** `isFinalStateUnknown`: the delete itself was missed, so `lastKnown` may be older than what was deleted. */
  onDelete(lastKnown: T, isFinalStateUnknown: boolean): void;
}
