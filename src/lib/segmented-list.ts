const SEGMENT_BITS = 11;
const SEGMENT = 1 << SEGMENT_BITS;

/**
 * A list of many items, in segments of 16 kB. One long list would move to new memory when it grows, and above 128 kB
 * V8 gives it memory of its own: to touch that for the first time costs more than all reads.
 */
export class SegmentedList<T> {
  readonly #segments: (T | undefined)[][] = [];

  copy(): SegmentedList<T> {
    const copy = new SegmentedList<T>();
    for (const segment of this.#segments) copy.#segments.push(segment.slice());
    return copy;
  }

  /** The item at an index; undefined if there is none. */
  at(index: number): T | undefined {
    return this.#segments[index >>> SEGMENT_BITS]?.[index & (SEGMENT - 1)];
  }

  /** Sets an item; the first time behind all others, or where one was set before. */
  set(index: number, item: T | undefined): void {
    const number = index >>> SEGMENT_BITS;
    // Most lists are short, for which the first segment grows.
    if (number === this.#segments.length) this.#segments.push(number === 0 ? [] : new Array(SEGMENT));
    (this.#segments[number] as (T | undefined)[])[index & (SEGMENT - 1)] = item;
  }
}
