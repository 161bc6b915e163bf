/**
 * An immutable set of completion indexes, stored as intervals, as in `status.completedIndexes`.
 *
 * Upstream: orderedIntervals in pkg/controller/job/indexed_job_utils.go.
 */
export class IndexIntervals {
  static readonly EMPTY: IndexIntervals = new IndexIntervals([]);

  /** The first and last index of each interval in turn, ascending; intervals do not touch each other. */
  readonly #bounds: readonly number[];
  readonly total: number;

  private constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    let total = 0;
    for (let i = 0; i < bounds.length; i += 2) total += (bounds[i + 1] as number) - (bounds[i] as number) + 1;
    this.total = total;
  }

  /** Parses `1,3-5,7`. Invalid parts are dropped, and so are indexes from `completions` on. */
  static parse(text: string | undefined, completions: number): IndexIntervals {
    if (text === undefined || text === '') return IndexIntervals.EMPTY;
    const builder = new Builder();
    for (const part of text.split(',')) {
      const dash = part.indexOf('-');
      const first = parseIndex(dash < 0 ? part : part.slice(0, dash));
      const last = dash < 0 ? first : parseIndex(part.slice(dash + 1));
      if (first === undefined || last === undefined || last < first) continue;
      if (first >= completions) break;
      builder.add(first, Math.min(last, completions - 1));
    }
    return new IndexIntervals(builder.bounds);
  }

  /** The set of these indexes, in any order, with or without repetitions. */
  static of(indexes: Iterable<number>): IndexIntervals {
    const sorted = [...indexes].sort((a, b) => a - b);
    if (sorted.length === 0) return IndexIntervals.EMPTY;
    const builder = new Builder();
    for (const index of sorted) builder.add(index, index);
    return new IndexIntervals(builder.bounds);
  }

  get isEmpty(): boolean {
    return this.#bounds.length === 0;
  }

  has(index: number): boolean {
    let [low, high] = [0, this.#bounds.length / 2];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#bounds[2 * middle + 1] as number) < index) low = middle + 1;
      else high = middle;
    }
    const first = this.#bounds[2 * low];
    return first !== undefined && first <= index;
  }

  union(other: IndexIntervals): IndexIntervals {
    if (other.isEmpty) return this;
    if (this.isEmpty) return other;
    const [a, b] = [this.#bounds, other.#bounds];
    const builder = new Builder();
    for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
      const takeFirst = j >= b.length || (i < a.length && (a[i] as number) <= (b[j] as number));
      if (takeFirst) builder.add(a[i] as number, a[i + 1] as number);
      else builder.add(b[j] as number, b[j + 1] as number);
      if (takeFirst) i += 2;
      else j += 2;
    }
    return new IndexIntervals(builder.bounds);
  }

  /** How many indexes are in both sets. */
  countCommon(other: IndexIntervals): number {
    const [a, b] = [this.#bounds, other.#bounds];
    let count = 0;
    for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
      const [aLast, bLast] = [a[i + 1] as number, b[j + 1] as number];
      count += Math.max(0, Math.min(aLast, bLast) - Math.max(a[i] as number, b[j] as number) + 1);
      if (aLast <= bLast) i += 2;
      if (bLast <= aLast) j += 2;
    }
    return count;
  }

  /** The first `count` indexes below `completions` that are not in the set; fewer when there are no more. */
  firstMissing(count: number, completions: number): number[] {
    const missing: number[] = [];
    let candidate = 0;
    for (let i = 0; i <= this.#bounds.length && missing.length < count; i += 2) {
      const end = Math.min(this.#bounds[i] ?? completions, completions);
      for (; candidate < end && missing.length < count; candidate++) missing.push(candidate);
      candidate = Math.max(candidate, (this.#bounds[i + 1] ?? 0) + 1);
    }
    return missing;
  }

  /** The text of the set, such as `0,1,5-7`; an interval of two is written as two indexes. */
  toString(): string {
    let text = '';
    for (let i = 0; i < this.#bounds.length; i += 2) {
      const [first, last] = [this.#bounds[i] as number, this.#bounds[i + 1] as number];
      if (i > 0) text += ',';
      text += first;
      if (last > first) text += `${last === first + 1 ? ',' : '-'}${last}`;
    }
    return text;
  }
}

/** Collects intervals with ascending first index, and joins those that touch or overlap. */
class Builder {
  readonly bounds: number[] = [];

  add(first: number, last: number): void {
    const { bounds } = this;
    const previous = bounds.length - 1;
    if (previous < 0 || first > (bounds[previous] as number) + 1) bounds.push(first, last);
    else if (last > (bounds[previous] as number)) bounds[previous] = last;
  }
}

const MAX_INDEX = 2 ** 31 - 1;

function parseIndex(text: string): number | undefined {
  if (!/^\d{1,10}$/.test(text)) return undefined;
  const index = Number(text);
  return index <= MAX_INDEX ? index : undefined;
}
