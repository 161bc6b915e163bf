import type { ExtenderCalls } from '../../framework/extender-calls.ts';
import { type ExtenderTransport, NO_TRANSPORT, runExtenderCalls } from './transport.ts';

/** Runs work that calls extenders one after the other, in the order of the calls of `run`. */
export class ExtenderTurns {
  readonly #transport: ExtenderTransport;
  #last: Promise<unknown> = Promise.resolve();

  constructor(transport: ExtenderTransport = NO_TRANSPORT) {
    this.#transport = transport;
  }

  /** Runs the work. The promise rejects with what `begin` or the work throws; later work runs all the same. */
  run<T>(begin: () => ExtenderCalls<T>): Promise<T> {
    const turn = this.#last.then(
      () =>
        new Promise<T>((resolve, reject) =>
          runExtenderCalls(begin(), this.#transport, { done: resolve, failed: reject }),
        ),
    );
    this.#last = turn.catch(() => {});
    return turn;
  }
}
