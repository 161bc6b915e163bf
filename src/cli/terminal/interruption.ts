import { RealClock } from '../../lib/clock.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import type { Terminal } from './terminal.ts';

/** The time between two turns of the event loop, which a person does not notice. */
const TURN_MILLIS = 50;

/** Ctrl-C came before there was anything to print. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Says whether the user has asked for the end, to work that does not return to the event loop by itself. */
export class Interruption {
  readonly #clock = new RealClock();
  readonly #release: () => void;
  #isAsked = false;
  #lastTurn = 0;

  constructor(terminal: Pick<Terminal, 'onInterrupt'>) {
    this.#release = terminal.onInterrupt(() => {
      this.#isAsked = true;
    });
  }

  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** Lets signals come through when it is time. Returns whether the end was asked for. */
  async pause(): Promise<boolean> {
    const now = this.#clock.nowMillis();
    if (now - this.#lastTurn >= TURN_MILLIS) {
      await new Promise<void>(nextTurn);
      this.#lastTurn = this.#clock.nowMillis();
    }
    return this.#isAsked;
  }

  /** Throws `Interrupted` when the end was asked for. */
  check(): void {
    if (this.#isAsked) throw new Interrupted();
  }

  /** From here on Ctrl-C ends the process at once. */
  release(): void {
    this.#release();
  }
}
