import type { ExtenderCalls } from '../../framework/extender-calls.ts';
import { type ExtenderTransport, NO_TRANSPORT, runExtenderCalls } from './transport.ts';

/** Runs work that calls extenders one piece after the other, in the order in which it comes. */
export class ExtenderTurns {
  readonly #transport: ExtenderTransport;
  #last: Promise<unknown> = Promise.resolve();

  constructor(transport: ExtenderTransport = NO_TRANSPORT) {
    this.#transport = transport;
  }

  /** What `begin` throws, or its work, is the promise's rejection; the next has its turn all the same. */
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
