import type { ExtenderTLSConfig } from '../../config/extenders.ts';
import type { ExtenderRole } from './extender.ts';

/** A POST of JSON to an extender. */
export interface ExtenderRequest {
  /** The extender's place in the configuration. */
  readonly extender: number;
  readonly role: ExtenderRole;
  readonly url: string;
  readonly body: string;
  /** For the whole exchange; 0 or less: no limit. */
  readonly timeoutMillis: number;
  readonly tls: ExtenderTLSConfig;
}

/** What came back; `error`: no answer did, in the words of Go's HTTP client. */
export type ExtenderResponse = { readonly status: number; readonly body: string } | { readonly error: string };

/** Who carries requests. `done` is called once, in the same turn or later; not after `cancel`. */
export interface ExtenderTransport {
  send(request: ExtenderRequest, done: (response: ExtenderResponse) => void): Cancellable;
}

export interface Cancellable {
  cancel(): void;
}

/**
 * Work that has to ask extenders on its way. It gives requests that are made side by side, and goes on with the answers
 * in the same order.
 */
export type Asking<T> = Generator<readonly ExtenderRequest[], T, readonly ExtenderResponse[]>;

/** What becomes of such work: its result, or what it threw. */
export interface AskingEnd<T> {
  done(result: T): void;
  failed(error: unknown): void;
}

/** Runs the work to its end. Cancelled, it is left where it is, and nobody is told. */
export function runAsking<T>(work: Asking<T>, transport: ExtenderTransport, end: AskingEnd<T>): Cancellable {
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

/** For work that has nobody to ask. */
export function withoutAsking<T>(work: Asking<T>): T {
  const step = work.next([]);
  if (!step.done) throw new Error('an extender would have to be asked');
  return step.value;
}

/** Answers may come at once: then the work has gone on, and has other open requests, before this returns. */
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
