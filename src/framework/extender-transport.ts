import type { ExtenderCalls, ExtenderRequest, ExtenderResponse } from './extender-calls.ts';
import { SchedulerError } from './scheduler-error.ts';

/**
 * Sends requests. `done` is called once, in the same turn or later, and not after `cancel`. What `send` throws is an
 * error of that request alone, unless it is a SchedulerError, which ends the work.
 */
export interface ExtenderTransport {
  send(request: ExtenderRequest, done: (response: ExtenderResponse) => void): Cancellable;
}

/** A request that can be given up. */
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

/**
 * Runs the work to its end. After `cancel` the work does not continue, and `end` is not called. A transport comes from
 * the caller, who may keep its contract or not: further answers to a request count for nothing, and one that cannot be
 * cancelled is left alone.
 */
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
    if (step.done) {
      end.done(step.value);
      return;
    }
    open = [];
    try {
      sendAll(step.value, transport, open, goOn);
    } catch (error) {
      cancel();
      // What the work has begun is undone before somebody hears of the error.
      work.return(undefined as T);
      end.failed(error);
    }
  };
  const cancel = (): void => {
    isCancelled = true;
    for (const request of open) cancelQuietly(request);
  };
  goOn([]);
  return { cancel };
}

/** Cancels the request. If that fails, the others are to be cancelled all the same. */
function cancelQuietly(request: Cancellable | undefined): void {
  try {
    request?.cancel();
  } catch {
    // The answer to a cancelled request is wanted by nobody, so its failure harms nobody.
  }
}

/** Sends the requests. If responses come at once, the work has continued, with other requests, before this returns. */
function sendAll(
  requests: readonly ExtenderRequest[],
  transport: ExtenderTransport,
  open: Cancellable[],
  answered: (responses: readonly ExtenderResponse[]) => void,
): void {
  const responses: ExtenderResponse[] = new Array(requests.length);
  let missing = requests.length;
  for (const [i, request] of requests.entries()) {
    let isAnswered = false;
    const answer = (response: ExtenderResponse): void => {
      if (isAnswered) return;
      isAnswered = true;
      responses[i] = response;
      missing--;
      if (missing === 0) answered(responses);
    };
    try {
      open.push(transport.send(request, answer));
    } catch (error) {
      if (error instanceof SchedulerError) throw error;
      answer({ error: error instanceof Error ? error.message : String(error) });
    }
  }
}
