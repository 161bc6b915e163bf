/** Where a run is not as it was recorded. undefined: there is no such line. */
export interface Difference {
  /** From 1. */
  readonly line: number;
  readonly recorded: string | undefined;
  readonly now: string | undefined;
}

/** Compares the lines of a run with recorded ones, as they come. */
export class LineComparison {
  readonly #recorded: Iterator<string>;
  /** Whether the recording holds everything to the end of its run. */
  readonly #isWhole: boolean;
  #lineCount = 0;
  #difference: Difference | undefined;
  #isExhausted = false;

  constructor(recorded: Iterator<string>, isWhole: boolean) {
    this.#recorded = recorded;
    this.#isWhole = isWhole;
  }

  /** The first one. */
  get difference(): Difference | undefined {
    return this.#difference;
  }

  /** Lines that were the same. */
  get sameLines(): number {
    return this.#lineCount;
  }

  /** There is nothing more to compare. */
  get isOver(): boolean {
    return this.#difference !== undefined || this.#isExhausted;
  }

  line(now: string): void {
    if (this.isOver) return;
    const { value, done } = this.#recorded.next();
    if (done && !this.#isWhole) this.#isExhausted = true;
    else if (done || value !== now) this.#differ(done ? undefined : value, now);
    else this.#lineCount++;
  }

  /** The run has ended. */
  end(): void {
    if (this.isOver) return;
    const { value, done } = this.#recorded.next();
    if (!done) this.#differ(value, undefined);
  }

  #differ(recorded: string | undefined, now: string | undefined): void {
    this.#difference = { line: this.#lineCount + 1, recorded, now };
  }
}
