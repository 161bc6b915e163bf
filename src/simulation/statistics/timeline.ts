/** The values at the end of an interval. */
export interface TimelinePoint<T = readonly number[]> {
  readonly atMillis: number;
  readonly values: T;
}

/** The most points that are kept; more could not be seen in a plot. */
const POINTS_MAX = 1024;
const FIRST_STRETCH_MILLIS = 1000;

/**
 * How some values change over time, in bounded memory: the last values of each interval are kept, and when there are
 * too many intervals, neighbours are merged.
 */
export class Timeline<T = readonly number[]> {
  readonly #sample: () => T;
  readonly #pointsMax: number;
  #points: TimelinePoint<T>[] = [];
  #stretchMillis = FIRST_STRETCH_MILLIS;
  #openSinceMillis: number;

  /** `sample`: returns the current values. */
  constructor(startMillis: number, sample: () => T, pointsMax = POINTS_MAX) {
    this.#pointsMax = pointsMax;
    this.#openSinceMillis = startMillis;
    this.#sample = sample;
  }

  /** Ends the current interval if it is long enough. The caller calls it before the values change. */
  beforeChange(nowMillis: number): void {
    if (nowMillis - this.#openSinceMillis < this.#stretchMillis) return;
    this.#points.push({ atMillis: this.#openSinceMillis, values: this.#sample() });
    this.#openSinceMillis = nowMillis - (nowMillis % this.#stretchMillis);
    if (this.#points.length >= this.#pointsMax) this.#halve();
  }

  /** The points of all intervals, and the current values. */
  points(nowMillis: number): readonly TimelinePoint<T>[] {
    const values = this.#sample();
    const open = { atMillis: this.#openSinceMillis, values };
    return nowMillis > this.#openSinceMillis
      ? [...this.#points, open, { atMillis: nowMillis, values }]
      : [...this.#points, open];
  }

  #halve(): void {
    this.#stretchMillis *= 2;
    const stretch = this.#stretchMillis;
    const kept: TimelinePoint<T>[] = [];
    for (const point of this.#points) {
      const atMillis = point.atMillis - (point.atMillis % stretch);
      if (kept.at(-1)?.atMillis === atMillis) kept[kept.length - 1] = { ...point, atMillis };
      else kept.push({ ...point, atMillis });
    }
    this.#points = kept;
  }
}
