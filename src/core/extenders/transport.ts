import type { ExtenderCalls, ExtenderRequest, ExtenderResponse } from '../../framework/extender-calls.ts';
import { SchedulerError } from '../../framework/scheduler-error.ts';

/** Sends requests. `done` is called once, in the same turn or later, and not after `cancel`. */
export interface ExtenderTransport {
  send(request: ExtenderRequest, done: (response: ExtenderResponse) => void): Cancellable;
}

/** Work that can be given up. */
export interface Cancellable {
  cancel(): void;
}

/** The transport of a scheduler without one: the core itself opens no connection. */
export const NO_TRANSPORT: ExtenderTransport = {
  send({ url }) {
    throw new SchedulerError('NeedsExtender', `extenderTransport: nobody carries requests to the extender at ${url}`);
  },
};

/** Receives the end of the work: its result, or what it threw. */
export interface ExtenderCallsEnd<T> {
  done(result: T): void;
  failed(error: unknown): void;
}

/** Runs the work to its end. After `cancel` the work does not continue, and `end` is not called. */
export function runExtenderCalls<T>(
  work: ExtenderCalls<T>,
  transport: ExtenderTransport,
  end: ExtenderCallsEnd<T>,
): Cancellable {
  let open: Cancellable[] = [];
  let isCancelled = false;
  const goOn = (responses: readonly ExtenderResponse[]): void => {
    if (isCancelled) return;
    let step: IteratorResult<readonly ExtenderRequest[], T>;
    try {
      step = work.next(responses);
    } catch (error) {
      end.failed(error);
      return;
    }
    if (step.done) end.done(step.value);
    else {
      open = [];
      sendAll(step.value, transport, open, goOn);
    }
  };
  goOn([]);
  return {
    cancel: () => {
      isCancelled = true;
      for (const request of open) request.cancel();
    },
  };
}

/**
 * Sends the requests. If responses come at once, the work has continued, with other open requests, before this returns.
 */
function sendAll(
  requests: readonly ExtenderRequest[],
  transport: ExtenderTransport,
  open: Cancellable[],
  answered: (responses: readonly ExtenderResponse[]) => void,
): void {
  const responses: ExtenderResponse[] = new Array(requests.length);
  let missing = requests.length;
  for (const [i, request] of requests.entries()) {
    const sent = transport.send(request, (response) => {
      responses[i] = response;
      missing--;
      if (missing === 0) answered(responses);
    });
    open.push(sent);
  }
}
