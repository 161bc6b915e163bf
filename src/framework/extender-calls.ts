import type { ExtenderTLSConfig } from '../config/extenders.ts';

/** The requests that an extender may handle. */
export type ExtenderRole = 'filter' | 'prioritize' | 'preempt' | 'bind';

/** A POST request with a JSON body to an extender. */
export interface ExtenderRequest {
  /** The extender's position in the configuration. */
  readonly extender: number;
  readonly role: ExtenderRole;
  readonly url: string;
  readonly body: string;
  /** The time limit of the whole exchange; none if it is 0 or less. */
  readonly timeoutMillis: number;
  readonly tls: ExtenderTLSConfig;
}

/** The response, or the error of Go's HTTP client if there is none. */
export type ExtenderResponse = { readonly status: number; readonly body: string } | { readonly error: string };

/**
 * Work that may call extenders. It yields requests that are sent together, and continues with the responses in the same
 * order. Work that calls no extender yields nothing.
 */
export type ExtenderCalls<T> = Generator<readonly ExtenderRequest[], T, readonly ExtenderResponse[]>;

/** Runs work that calls no extender. */
export function withoutExtenderCalls<T>(work: ExtenderCalls<T>): T {
  const step = work.next([]);
  if (!step.done) throw new Error('the work calls an extender, but nobody carries its requests');
  return step.value;
}
