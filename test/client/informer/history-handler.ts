import type { KubernetesObject } from '../../../src/api/meta.ts';
import type { EventHandler } from '../../../src/client/informer/event-handler.ts';
import { objectKey } from '../../../src/client/object-key.ts';

interface HistoryHandlerOptions {
  readonly fails?: () => boolean;
  /** A selection of objects: the same object may leave it and come again. */
  readonly canReturn?: boolean;
}

/**
 * Checks that the notifications of each uid are a history: one add, updates that begin with the last state, a delete.
 * Throws when `fails` says so; then the same notification must come again.
 */
export class HistoryHandler<T extends KubernetesObject> implements EventHandler<T> {
  /** Calls that cannot follow those before them. */
  readonly contradictions: string[] = [];
  readonly #live = new Map<string, T>();
  readonly #gone = new Set<string>();
  readonly #fails: () => boolean;
  readonly #canReturn: boolean;

  constructor({ fails = () => false, canReturn = false }: HistoryHandlerOptions = {}) {
    this.#fails = fails;
    this.#canReturn = canReturn;
  }

  /** What is there, as far as the handler was notified; in the order of keys. */
  get objects(): T[] {
    return [...this.#live.values()].sort((a, b) => (objectKey(a) < objectKey(b) ? -1 : 1));
  }

  onAdd(object: T): void {
    this.#failNowAndThen();
    const uid = uidOf(object);
    this.#check(!this.#live.has(uid), `add of ${objectKey(object)}, which was delivered before`);
    this.#check(this.#canReturn || !this.#gone.has(uid), `add of ${objectKey(object)}, which is gone`);
    this.#check(
      !this.objects.some((other) => objectKey(other) === objectKey(object)),
      `add of a second ${objectKey(object)}`,
    );
    this.#live.set(uid, object);
  }

  onUpdate(before: T, after: T): void {
    this.#failNowAndThen();
    const uid = uidOf(after);
    this.#check(this.#live.get(uid) === before, `update of ${objectKey(after)} from what was not delivered last`);
    this.#check(uidOf(before) === uid, `update of ${objectKey(after)} to another object`);
    this.#live.set(uid, after);
  }

  onDelete(object: T, isFinalStateUnknown: boolean): void {
    this.#failNowAndThen();
    const uid = uidOf(object);
    const known = this.#live.get(uid);
    this.#check(known !== undefined, `delete of ${objectKey(object)}, which is not there`);
    this.#check(!isFinalStateUnknown || known === object, `delete of ${objectKey(object)} with a state nobody knew`);
    this.#live.delete(uid);
    this.#gone.add(uid);
  }

  #failNowAndThen(): void {
    if (this.#fails()) throw new Error('handler failed');
  }

  #check(holds: boolean, otherwise: string): void {
    if (!holds) this.contradictions.push(otherwise);
  }
}

function uidOf(object: KubernetesObject): string {
  return object.metadata?.uid ?? '';
}
