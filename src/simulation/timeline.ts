/** Values at the end of a stretch of time, as they then stood. */
export interface TimelinePoint {
  readonly atMillis: number;
  readonly values: readonly number[];
}

/** More would not be seen in a plot. */
const POINTS_MAX = 1024;
const FIRST_STRETCH_MILLIS = 1000;

/**
 * How some values change in the course of time, in bounded memory: of each stretch the last values are kept, and when
 * there are too many stretches, two become one.
 */
export class Timeline {
  readonly #sample: () => readonly number[];
  #points: TimelinePoint[] = [];
  #stretchMillis = FIRST_STRETCH_MILLIS;
  #openSinceMillis: number;

  /** `sample`: the values now. */
  constructor(startMillis: number, sample: () => readonly number[]) {
    this.#openSinceMillis = startMillis;
    this.#sample = sample;
  }

  /** Something is about to change. */
  beforeChange(nowMillis: number): void {
    if (nowMillis - this.#openSinceMillis < this.#stretchMillis) return;
    this.#points.push({ atMillis: this.#openSinceMillis, values: this.#sample() });
    this.#openSinceMillis = nowMillis - (nowMillis % this.#stretchMillis);
    if (this.#points.length >= POINTS_MAX) this.#halve();
  }

  /** All stretches, and the values now. */
  points(nowMillis: number): readonly TimelinePoint[] {
    const values = this.#sample();
    const open = { atMillis: this.#openSinceMillis, values };
    return nowMillis > this.#openSinceMillis
      ? [...this.#points, open, { atMillis: nowMillis, values }]
      : [...this.#points, open];
  }

  #halve(): void {
    this.#stretchMillis *= 2;
    const stretch = this.#stretchMillis;
    const kept: TimelinePoint[] = [];
    for (const point of this.#points) {
      const atMillis = point.atMillis - (point.atMillis % stretch);
      if (kept.at(-1)?.atMillis === atMillis) kept[kept.length - 1] = { ...point, atMillis };
      else kept.push({ ...point, atMillis });
    }
    this.#points = kept;
  }
}
