import type { SkippingEventLoop } from '../../lib/skipping-event-loop.ts';
import { PerfError } from '../config/perf-error.ts';

/** The real time between two pauses. */
const PAUSE_EVERY_MILLIS = 50;

/** Gives way to other work: serving metrics, drawing progress. Returns whether the user has asked for the end. */
export type Pause = () => Promise<boolean>;

/** Runs the loop while an operation waits. */
export class Driver {
  readonly #loop: SkippingEventLoop;
  readonly #pause: Pause | undefined;
  readonly #endMillis: number;
  #nextPauseMillis: number;

  /** Without `pause`, a wait is never interrupted. After `workMillisMax` of work, everything is aborted. */
  constructor(loop: SkippingEventLoop, pause?: Pause, workMillisMax = Number.POSITIVE_INFINITY) {
    this.#loop = loop;
    this.#pause = pause;
    this.#endMillis = loop.workedMillis() + workMillisMax;
    this.#nextPauseMillis = loop.workedMillis() + PAUSE_EVERY_MILLIS;
  }

  /**
   * Runs until `isDone`, which is asked after every task, or until the time limit on the loop's clock. Returns whether
   * it is done.
   *
   * @throws PerfError when everything is aborted
   */
  async until(isDone: () => boolean, limitMillis: number): Promise<boolean> {
    const loop = this.#loop;
    const endMillis = loop.nowMillis() + limitMillis;
    while (!isDone()) {
      if (loop.nextMillis > endMillis || !loop.step()) return false;
      const workedMillis = loop.lastWorkedMillis;
      if (workedMillis >= this.#endMillis) throw new PerfError('WorkloadFailed', 'takes too long');
      if (this.#pause !== undefined && workedMillis >= this.#nextPauseMillis) {
        if (await this.#pause()) throw new PerfError('Interrupted', 'interrupted');
        this.#nextPauseMillis = loop.workedMillis() + PAUSE_EVERY_MILLIS;
      }
    }
    return true;
  }

  /** Runs the loop for this time. */
  async sleep(millis: number): Promise<void> {
    let isOver = false;
    this.#loop.after(millis, () => {
      isOver = true;
    });
    await this.until(() => isOver, Number.POSITIVE_INFINITY);
  }
}
