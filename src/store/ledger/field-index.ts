import type { KubernetesObject } from '../../api/meta.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { valueAt } from './field-selector.ts';
import { isBelow, keyOf, type ObjectKey, textOf } from './object-key.ts';

/**
 * The keys of a resource's objects by the value of one field, such as those of pods by their node. Objects in which the
 * field is empty are not in it.
 */
export class FieldIndex<T extends KubernetesObject> {
  readonly #path: readonly string[];
  /** By value, and by the key as a text. */
  readonly #keys = new Map<string, Map<string, ObjectKey>>();

  constructor(path: readonly string[], objects: Iterable<T>) {
    this.#path = path;
    for (const object of objects) this.wrote(undefined, object);
  }

  /** Follows a write. `before`, `after`: undefined for an object that was not there, or is gone. */
  wrote(before: T | undefined, after: T | undefined): void {
    const from = this.#valueOf(before);
    const to = this.#valueOf(after);
    if (from === to) return;
    const key = keyOf((after ?? before) as T);
    const text = textOf(key);
    const left = this.#keys.get(from);
    if (left?.delete(text) && left.size === 0) this.#keys.delete(from);
    if (to !== '') getOrMake(this.#keys, to, () => new Map<string, ObjectKey>()).set(text, key);
  }

  /** The keys in their order. */
  keysOf(value: string): readonly ObjectKey[] {
    return [...(this.#keys.get(value)?.values() ?? [])].sort((a, b) => (isBelow(a, b) ? -1 : 1));
  }

  #valueOf(object: T | undefined): string {
    return object === undefined ? '' : String(valueAt(object, this.#path) ?? '');
  }
}
