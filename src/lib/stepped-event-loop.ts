import { delayOf, type ErrorHandler, type Timer, VirtualEventLoop } from './event-loop.ts';

/**
 * A virtual loop for work that comes from outside, such as requests over HTTP: what is due runs by itself, as soon as
 * the caller has returned, while the clock moves only by `advance` and by the runs of a virtual loop.
 */
export class SteppedEventLoop extends VirtualEventLoop {
  readonly #timers: Pick<VirtualEventLoop, 'soon'>;
  #isAwake = false;

  /** `timers`: the real loop, on which tasks that are due run. */
  constructor(timers: Pick<VirtualEventLoop, 'soon'>, startMillis: number | undefined, onError: ErrorHandler) {
    super(startMillis, onError);
    this.#timers = timers;
  }

  override after(delayMillis: number, task: () => void): Timer {
    const timer = super.after(delayMillis, task);
    if (delayOf(delayMillis) === 0) this.#wake();
    return timer;
  }

  override soon(task: () => void): void {
    super.soon(task);
    this.#wake();
  }

  /**
   * Moves the clock on, from one due task to the next. After each, input and output are served: what comes in meanwhile
   * is done at that time of the clock.
   */
  async advance(millis: number): Promise<void> {
    const endMillis = this.nowMillis() + delayOf(millis);
    for (let next = this.nextMillis; next <= endMillis; next = this.nextMillis) {
      this.runUntil(next);
      await new Promise<void>((resolve) => this.#timers.soon(resolve));
    }
    this.runUntil(endMillis);
  }

  #wake(): void {
    if (this.#isAwake) return;
    this.#isAwake = true;
    this.#timers.soon(() => {
      this.#isAwake = false;
      this.runUntil(this.nowMillis());
    });
  }
}
