import { frozenCopy } from './frozen-copy.ts';
import { Pattern } from './pattern.ts';

/** Frozen copies of lists and maps of which one is often equal to the one before: those share one copy. */
export class RepeatedCopy {
  #last: unknown;
  /** Of the last copy, once it was asked for twice. */
  #pattern: Pattern | undefined;

  /** Empty ones are as good as none: undefined. @throws ApiError BadRequest */
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

/** A frozen copy; undefined of an empty list or map. `like` is not empty. @throws ApiError BadRequest */
export function filledCopy<T>(value: T | undefined, like: T | undefined): T | undefined {
  const copy = value === like ? like : frozenCopy(value, like);
  if (copy === like || typeof copy !== 'object' || copy === null) return copy ?? undefined;
  for (const _ in copy) return copy;
  return undefined;
}
