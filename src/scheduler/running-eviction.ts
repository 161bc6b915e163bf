/**
 * The steps of an eviction. It yields undefined where others may write before it goes on, and the promise of an answer
 * that comes later.
 */
export type EvictionSteps<T = void> = Generator<Promise<unknown> | undefined, T, unknown>;

type Step = IteratorResult<Promise<unknown> | undefined, void>;

/**
 * An eviction that has begun. Whoever began it says how far it goes at a time, as long as its writes are answered at
 * once; after an answer that comes later it goes on to its end by itself.
 */
export class RunningEviction {
  readonly #steps: EvictionSteps;
  #isWaiting = false;

  constructor(steps: EvictionSteps) {
    this.#steps = steps;
  }

  advance(steps: number): void {
    for (let i = 0; i < steps; i++) if (!this.#take(() => this.#steps.next())) return;
  }

  /** Goes on to the end, or to the next answer that comes later. */
  finish(): void {
    while (this.#take(() => this.#steps.next()));
  }

  /** Takes a step. Returns whether the next one can be taken now. */
  #take(step: () => Step): boolean {
    if (this.#isWaiting) return false;
    const { done, value } = step();
    if (done) return false;
    if (value === undefined) return true;
    this.#isWaiting = true;
    value.then(
      (answer) => this.#goOn(() => this.#steps.next(answer)),
      (error: unknown) => this.#goOn(() => this.#steps.throw(error)),
    );
    return false;
  }

  #goOn(step: () => Step): void {
    this.#isWaiting = false;
    if (this.#take(step)) this.finish();
  }
}
