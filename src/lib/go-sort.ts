/**
 * Go's `sort.Slice`: pattern-defeating quicksort, step by step as in Go's library (sort/zsortfunc.go). It is not
 * stable, so for equal elements, and for an inconsistent `less`, the result depends on this very sequence of
 * comparisons. Sorts in place.
 */
export function goSort<T>(items: T[], less: (a: T, b: T) => boolean): void {
  new PatternDefeatingSort(items, less).sort(0, items.length, bitLength(items.length));
}

/** Ranges up to this length are sorted by insertion. */
const MAX_INSERTION = 12;
/** From this length on, the pivot is the median of three medians. */
const SHORTEST_NINTHER = 50;
const SHORTEST_SHIFTING = 50;
const MAX_SHIFTS = 5;
/** When all comparisons of a pivot came out the wrong way round, the range is descending. */
const MAX_SWAPS = 12;

class PatternDefeatingSort<T> {
  readonly #items: T[];
  readonly #lessItems: (a: T, b: T) => boolean;
  #swaps = 0;

  constructor(items: T[], less: (a: T, b: T) => boolean) {
    this.#items = items;
    this.#lessItems = less;
  }

  /** Sorts [from, to). After `limit` bad pivots it falls back to heap sort. */
  sort(from: number, to: number, limit: number): void {
    let [a, b, badPivotsLeft] = [from, to, limit];
    let wasBalanced = true;
    let wasPartitioned = true;
    for (;;) {
      const length = b - a;
      if (length <= MAX_INSERTION) {
        this.#insertionSort(a, b);
        return;
      }
      if (badPivotsLeft === 0) {
        this.#heapSort(a, b);
        return;
      }
      if (!wasBalanced) {
        this.#breakPatterns(a, b);
        badPivotsLeft--;
      }
      let pivot = this.#choosePivot(a, b);
      let looksAscending = this.#swaps === 0;
      if (this.#swaps === MAX_SWAPS) {
        this.#reverse(a, b);
        pivot = b - 1 - (pivot - a);
        looksAscending = true;
      }
      if (wasBalanced && wasPartitioned && looksAscending && this.#finishAscending(a, b)) return;
      if (a > 0 && !this.#less(a - 1, pivot)) {
        a = this.#partitionEqual(a, b, pivot);
        continue;
      }
      const { middle, wasDone } = this.#partition(a, b, pivot);
      wasPartitioned = wasDone;
      const [left, right] = [middle - a, b - middle];
      wasBalanced = Math.min(left, right) >= Math.trunc(length / 8);
      if (left < right) {
        this.sort(a, middle, badPivotsLeft);
        a = middle + 1;
      } else {
        this.sort(middle + 1, b, badPivotsLeft);
        b = middle;
      }
    }
  }

  #less(i: number, j: number): boolean {
    return this.#lessItems(this.#items[i] as T, this.#items[j] as T);
  }

  #swap(i: number, j: number): void {
    const item = this.#items[i] as T;
    this.#items[i] = this.#items[j] as T;
    this.#items[j] = item;
  }

  #insertionSort(a: number, b: number): void {
    for (let i = a + 1; i < b; i++) {
      for (let j = i; j > a && this.#less(j, j - 1); j--) this.#swap(j, j - 1);
    }
  }

  #heapSort(a: number, b: number): void {
    const length = b - a;
    for (let i = Math.trunc((length - 1) / 2); i >= 0; i--) this.#siftDown(a, i, length);
    for (let i = length - 1; i >= 0; i--) {
      this.#swap(a, a + i);
      this.#siftDown(a, 0, i);
    }
  }

  #siftDown(first: number, from: number, end: number): void {
    for (let root = from; ; ) {
      let child = 2 * root + 1;
      if (child >= end) return;
      if (child + 1 < end && this.#less(first + child, first + child + 1)) child++;
      if (!this.#less(first + root, first + child)) return;
      this.#swap(first + root, first + child);
      root = child;
    }
  }

  /** Chooses a pivot, and leaves in `#swaps` how often elements were in the wrong order. */
  #choosePivot(a: number, b: number): number {
    const quarter = Math.trunc((b - a) / 4);
    let [i, j, k] = [a + quarter, a + quarter * 2, a + quarter * 3];
    this.#swaps = 0;
    if (b - a >= SHORTEST_NINTHER) {
      i = this.#median(i - 1, i, i + 1);
      j = this.#median(j - 1, j, j + 1);
      k = this.#median(k - 1, k, k + 1);
    }
    return this.#median(i, j, k);
  }

  #median(first: number, second: number, third: number): number {
    let [a, b, c] = [first, second, third];
    if (this.#countedLess(b, a)) [a, b] = [b, a];
    if (this.#countedLess(c, b)) [b, c] = [c, b];
    if (this.#countedLess(b, a)) [a, b] = [b, a];
    return b;
  }

  #countedLess(i: number, j: number): boolean {
    const isLess = this.#less(i, j);
    if (isLess) this.#swaps++;
    return isLess;
  }

  #partition(a: number, b: number, pivot: number): { middle: number; wasDone: boolean } {
    this.#swap(a, pivot);
    let [i, j] = [a + 1, b - 1];
    let wasDone = true;
    for (;;) {
      while (i <= j && this.#less(i, a)) i++;
      while (i <= j && !this.#less(j, a)) j--;
      if (i > j) break;
      wasDone = false;
      this.#swap(i, j);
      i++;
      j--;
    }
    this.#swap(j, a);
    return { middle: j, wasDone };
  }

  /**
   * For ranges with many equal elements: moves those that are not greater than the pivot to the left, and returns where
   * the rest begins.
   */
  #partitionEqual(a: number, b: number, pivot: number): number {
    this.#swap(a, pivot);
    let [i, j] = [a + 1, b - 1];
    for (;;) {
      while (i <= j && !this.#less(a, i)) i++;
      while (i <= j && this.#less(a, j)) j--;
      if (i > j) return i;
      this.#swap(i, j);
      i++;
      j--;
    }
  }

  /** Sorts a range that is nearly sorted. Returns false when it is not sorted enough. */
  #finishAscending(a: number, b: number): boolean {
    let i = a + 1;
    for (let shift = 0; shift < MAX_SHIFTS; shift++) {
      while (i < b && !this.#less(i, i - 1)) i++;
      if (i === b) return true;
      if (b - a < SHORTEST_SHIFTING) return false;
      this.#swap(i, i - 1);
      if (i - a >= 2) for (let j = i - 1; j >= 1 && this.#less(j, j - 1); j--) this.#swap(j, j - 1);
      if (b - i >= 2) for (let j = i + 1; j < b && this.#less(j, j - 1); j++) this.#swap(j, j - 1);
    }
    return false;
  }

  #reverse(a: number, b: number): void {
    for (let [i, j] = [a, b - 1]; i < j; i++, j--) this.#swap(i, j);
  }

  /**
   * Swaps three elements to break patterns, by a generator that is seeded with the length, so every run does the same.
   */
  #breakPatterns(a: number, b: number): void {
    const length = b - a;
    const mask = 2 ** bitLength(length) - 1;
    const middle = a + Math.trunc(length / 4) * 2 - 1;
    let random = BigInt(length);
    for (let i = 0; i < 3; i++) {
      random = BigInt.asUintN(64, random ^ (random << 13n));
      random ^= random >> 7n;
      random = BigInt.asUintN(64, random ^ (random << 17n));
      let other = Number(random & BigInt(mask));
      if (other >= length) other -= length;
      this.#swap(middle - 1 + i, a + other);
    }
  }
}

/** The number of binary digits of the value. */
function bitLength(value: number): number {
  return 32 - Math.clz32(value);
}
