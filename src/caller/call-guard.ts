import type { ExtenderCalls, ExtenderResponse } from '../framework/extender-calls.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';
import { asSchedulerError } from './call-checks.ts';

/**
 * Lets one call in at a time. A plugin, a tracer or a logger may read the scheduler that waits for its answer; a change
 * in the middle of a decision would leave a result about a cluster that does not exist.
 */
export class CallGuard {
  #isBusy = false;
  #isEnded = false;

  /** Lets no call in any more; returns false if that was so before. Errors: Conflict within another call. */
  end(): boolean {
    if (this.#isEnded) return false;
    this.run(() => {
      this.#isEnded = true;
    });
    return true;
  }

  /**
   * Makes the call; what a caller can cause is thrown as a SchedulerError. Errors: Conflict within another call; Closed
   * after the end.
   */
  run<T>(call: () => T): T {
    if (this.#isEnded) throw new SchedulerError('Closed', 'the scheduler has been disposed of');
    if (this.#isBusy) {
      throw new SchedulerError('Conflict', 'a plugin, tracer or logger has called the scheduler that waits for it');
    }
    this.#isBusy = true;
    try {
      return call();
    } catch (error) {
      throw asSchedulerError(error);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Makes each step of the work a call of its own; others may come while an extender answers. */
  *steps<T>(work: ExtenderCalls<T>): ExtenderCalls<T> {
    let responses: readonly ExtenderResponse[] = [];
    try {
      for (;;) {
        const given = responses;
        const step = this.run(() => work.next(given));
        if (step.done) return step.value;
        responses = yield step.value;
      }
    } finally {
      // Work that is aborted ends its attempt.
      work.return(undefined as T);
    }
  }
}
