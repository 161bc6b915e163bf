import { type Asking, type ExtenderTransport, runAsking } from './transport.ts';

/** Runs work that asks extenders one piece after the other, in the order in which it comes. */
export class AskingTurns {
  readonly #transport: ExtenderTransport;
  #last: Promise<unknown> = Promise.resolve();

  constructor(transport: ExtenderTransport) {
    this.#transport = transport;
  }

  /** What `begin` throws, or its work, is the promise's rejection; the next has its turn all the same. */
  run<T>(begin: () => Asking<T>): Promise<T> {
    const turn = this.#last.then(
      () => new Promise<T>((resolve, reject) => runAsking(begin(), this.#transport, { done: resolve, failed: reject })),
    );
    this.#last = turn.catch(() => {});
    return turn;
  }
}
