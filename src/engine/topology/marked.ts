import type { Selector } from '../../api/label-selector.ts';

/** A mark of all pods with this value of a label. */
export function labelMark(key: string, value: string): string {
  return `${key}=${value}`;
}

/** The marks of which every pod that the selector matches has one; null if there are no such marks. */
export function marksOf({ requires }: Selector): readonly string[] | null {
  return requires === undefined ? null : requires.values.map((value) => labelMark(requires.key, value));
}

/** Values by their marks, so that those with one of a few marks are found without a look at the others. */
export class Marked<T> {
  readonly #byMark = new Map<string, Set<T>>();

  add(value: T, marks: readonly string[]): void {
    for (const mark of marks) {
      const known = this.#byMark.get(mark);
      if (known === undefined) this.#byMark.set(mark, new Set([value]));
      else known.add(value);
    }
  }

  delete(value: T, marks: readonly string[]): void {
    for (const mark of marks) {
      const known = this.#byMark.get(mark);
      known?.delete(value);
      if (known?.size === 0) this.#byMark.delete(mark);
    }
  }

  /** The values with one of the marks, each once. */
  of(marks: readonly string[]): ReadonlySet<T> {
    const found = new Set<T>();
    for (const mark of marks) for (const value of this.#byMark.get(mark) ?? []) found.add(value);
    return found;
  }
}
