import type { ExtenderCalls } from '../../framework/extender-calls.ts';
import {
  type Cancellable,
  type ExtenderTransport,
  NO_TRANSPORT,
  runExtenderCalls,
} from '../../framework/extender-transport.ts';
import { SchedulerError } from '../../framework/scheduler-error.ts';
import { isTimeout } from '../../lib/abort.ts';

/**
 * Runs work that calls extenders one after the other, in the order of the calls of `run`. Work that is aborted is ended
 * at once, whether it runs or waits.
 */
export class ExtenderTurns {
  readonly #transport: ExtenderTransport;
  /** Ends the work that runs or waits. */
  readonly #open = new Set<(error: SchedulerError) => void>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(transport: ExtenderTransport = NO_TRANSPORT) {
    this.#transport = transport;
  }

  /**
   * Runs the work. The promise rejects with what `begin` or the work throws; later work runs all the same. Errors:
   * Aborted, DeadlineExceeded, Closed.
   */
  run<T>(begin: () => ExtenderCalls<T>, signal?: AbortSignal): Promise<T> {
    let running: (Cancellable & { readonly end: () => void }) | null = null;
    let isEnded = false;
    const work = new Promise<T>((resolve, reject) => {
      const close = (): void => {
        isEnded = true;
        this.#open.delete(fail);
        signal?.removeEventListener('abort', abort);
        running?.end();
      };
      const fail = (error: unknown): void => {
        if (isEnded) return;
        running?.cancel();
        close();
        reject(error);
      };
      const abort = (): void => fail(abortError(signal as AbortSignal));
      this.#open.add(fail);
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort);
      const start = (): void => {
        if (isEnded) return;
        try {
          const calls = begin();
          const done = (result: T): void => {
            if (isEnded) return;
            close();
            resolve(result);
          };
          const end = (): void => void calls.return(undefined as T);
          const { cancel } = runExtenderCalls(calls, this.#transport, { done, failed: fail });
          if (!isEnded) running = { cancel, end };
        } catch (error) {
          fail(error);
        }
      };
      this.#last.then(start);
    });
    const turn = work.catch(() => {});
    // The next turn begins when this one has ended, and its own predecessors have.
    this.#last = this.#last.then(() => turn);
    return work;
  }

  /** Rejects what runs and what waits. Errors of those: Closed. */
  close(): void {
    for (const fail of [...this.#open]) fail(new SchedulerError('Closed', 'the scheduler was closed meanwhile'));
  }
}

function abortError(signal: AbortSignal): SchedulerError {
  return isTimeout(signal)
    ? new SchedulerError('DeadlineExceeded', 'the decision was not made in time')
    : new SchedulerError('Aborted', 'the caller has aborted the decision');
}
