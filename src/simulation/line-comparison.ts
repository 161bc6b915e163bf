/** The first difference between a run and its recording. undefined: there is no such line. */
export interface Difference {
  /** The number of the line, from 1. */
  readonly line: number;
  readonly recorded: string | undefined;
  readonly now: string | undefined;
}

/** Compares the lines of a run, as they are written, with recorded ones. */
export class LineComparison {
  readonly #recorded: Iterator<string>;
  #next: IteratorResult<string>;
  /** Whether the recording is complete, that is, was not cut off. */
  readonly #isWhole: boolean;
  /** The number of equal lines. */
  sameLines = 0;
  /** The first difference, if one was found. */
  difference: Difference | undefined;
  constructor(recorded: Iterator<string>, isWhole: boolean) {
    this.#recorded = recorded;
    this.#isWhole = isWhole;
    this.#next = recorded.next();
  }

  /** Whether nothing more can be compared: there is a difference, or a recording that was cut off has been seen. */
  get isOver(): boolean {
    return this.difference !== undefined || (this.#next.done === true && !this.#isWhole);
  }

  line(now: string): void {
    if (this.isOver) return;
    const { value, done } = this.#next;
    if (done || value !== now) {
      this.#differ(done ? undefined : value, now);
      return;
    }
    this.sameLines++;
    this.#next = this.#recorded.next();
  }

  /** Ends the comparison, because the run has ended. */
  end(): void {
    if (this.isOver) return;
    const { value, done } = this.#next;
    if (!done) this.#differ(value, undefined);
  }

  #differ(recorded: string | undefined, now: string | undefined): void {
    this.difference = { line: this.sameLines + 1, recorded, now };
  }
}
