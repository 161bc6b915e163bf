/** A source of time. Code that measures or waits is given one, so that a run can be repeated. */
export interface Clock {
  /** Milliseconds, with fractions, since an arbitrary start; never goes back. */
  nowMillis(): number;
}

export class RealClock implements Clock {
  // The name of a global object takes as long to look up as the clock takes to read.
  readonly #performance = performance;

  nowMillis(): number {
    return this.#performance.now();
  }
}

/** The time of the machine, since the Unix epoch. */
export class WallClock implements Clock {
  // Reading this takes longer than reading the clock.
  readonly #originMillis = performance.timeOrigin;
  readonly #performance = performance;

  nowMillis(): number {
    return this.#originMillis + this.#performance.now();
  }
}

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #nowMillis: number;

  constructor(startMillis = 0) {
    this.#nowMillis = startMillis;
  }

  nowMillis(): number {
    return this.#nowMillis;
  }

  advance(millis: number): void {
    this.#nowMillis += millis;
  }
}
