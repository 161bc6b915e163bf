import type { SkippingEventLoop } from '../../../lib/skipping-event-loop.ts';

/** Real time that passes between two pauses. */
const PAUSE_EVERY_MILLIS = 50;

/** Lets others have a turn: whoever serves metrics, draws progress or hears of Ctrl-C. */
export type Pause = () => Promise<void>;

/** Runs the loop while an operation waits. */
export class Driver {
  readonly #loop: SkippingEventLoop;
  readonly #pause: Pause | undefined;
  #nextPauseMillis: number;

  /** Without `pause` a wait lasts to its end. */
  constructor(loop: SkippingEventLoop, pause?: Pause) {
    this.#loop = loop;
    this.#pause = pause;
    this.#nextPauseMillis = loop.workedMillis() + PAUSE_EVERY_MILLIS;
  }

  /** Until it is done, asked after every task, or so much time has passed on the loop's clock. Returns whether it is. */
  async until(isDone: () => boolean, limitMillis: number): Promise<boolean> {
    const loop = this.#loop;
    const endMillis = loop.nowMillis() + limitMillis;
    while (!isDone()) {
      if (loop.nextMillis > endMillis) return false;
      loop.step();
      if (this.#pause !== undefined && loop.workedMillis() >= this.#nextPauseMillis) {
        await this.#pause();
        this.#nextPauseMillis = loop.workedMillis() + PAUSE_EVERY_MILLIS;
      }
    }
    return true;
  }

  /** Lets so much time pass. */
  async sleep(millis: number): Promise<void> {
    let isOver = false;
    this.#loop.after(millis, () => {
      isOver = true;
    });
    await this.until(() => isOver, Number.POSITIVE_INFINITY);
  }
}
