/** Mean and spread of numbers that are seen once, one after the other (Welford): nothing of them is kept. */
export class Moments {
  count = 0;
  mean = 0;
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  /** The sum of the squared distances from the mean. */
  #squares = 0;

  add(value: number): void {
    this.count++;
    const before = value - this.mean;
    this.mean += before / this.count;
    this.#squares += before * (value - this.mean);
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }

  /** The deviation of all that could be drawn, as these numbers show it; null for fewer than two. */
  get deviation(): number | null {
    // Equal numbers have no spread, whatever their mean was rounded to.
    if (this.count >= 2 && this.min === this.max) return 0;
    return this.count < 2 ? null : Math.sqrt(this.#squares / (this.count - 1));
  }

  /** The deviation of the mean; null for fewer than two numbers. */
  get error(): number | null {
    const { deviation, count } = this;
    return deviation === null ? null : deviation / Math.sqrt(count);
  }
}
