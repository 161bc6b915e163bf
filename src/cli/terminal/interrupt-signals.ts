import { RealClock } from '../../lib/clock.ts';
import type { InterruptSignal } from './terminal.ts';

const SIGNALS: readonly InterruptSignal[] = ['SIGINT', 'SIGTERM'];
/**
 * A signal that follows another within this time is the same one: Ctrl-C goes to all processes of the terminal, and
 * `npx` passes it on to its child, too.
 */
const REPEAT_MILLIS = 500;

/** The signals by which this process is asked to end. */
export class InterruptSignals {
  readonly #clock = new RealClock();
  readonly #listeners = new Set<() => void>();
  #firstMillis: number | undefined;
  /** The first signal that a listener was called for. */
  first: InterruptSignal | undefined;

  /** Calls back at the first signal; a second one ends the process at once. Returns a function that stops listening. */
  listen(listener: () => void): () => void {
    if (this.#listeners.size === 0) for (const signal of SIGNALS) process.on(signal, this.#onSignal);
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      // After a signal its repetition must not end the process while that prints what there is.
      if (this.#listeners.size === 0 && this.#firstMillis === undefined) this.#stop();
    };
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    const nowMillis = this.#clock.nowMillis();
    if (this.#firstMillis === undefined) {
      this.#firstMillis = nowMillis;
      this.first = signal as InterruptSignal;
      for (const listener of [...this.#listeners]) listener();
    } else if (nowMillis - this.#firstMillis >= REPEAT_MILLIS) {
      this.#stop();
      process.kill(process.pid, signal);
    }
  };

  #stop(): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }
}
