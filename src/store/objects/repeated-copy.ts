import { frozenCopy } from './frozen-copy.ts';
import { Pattern } from './pattern.ts';

/** Makes frozen copies of lists and maps. Consecutive values are often equal, and then share one copy. */
export class RepeatedCopy {
  #last: unknown;
  /** The pattern of the last copy, made when that copy is used a second time. */
  #pattern: Pattern | undefined;

  /** Returns the frozen copy; undefined for an empty list or map. @throws ApiError BadRequest */
  of<T>(value: T | undefined): T | undefined {
    if (value === undefined) return undefined;
    const last = this.#last as T | undefined;
    if (value === last || this.#pattern?.matches(value)) return last;
    const copy = filledCopy(value, last);
    if (copy !== last) this.#pattern = undefined;
    else if (typeof copy === 'object' && copy !== null) this.#pattern ??= new Pattern(copy);
    this.#last = copy;
    return copy;
  }
}

/** A frozen copy; undefined for an empty list or map. `like` must not be empty. @throws ApiError BadRequest */
export function filledCopy<T>(value: T | undefined, like: T | undefined): T | undefined {
  const copy = value === like ? like : frozenCopy(value, like);
  if (copy === like || typeof copy !== 'object' || copy === null) return copy ?? undefined;
  for (const _ in copy) return copy;
  return undefined;
}
