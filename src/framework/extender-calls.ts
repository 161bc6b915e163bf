import type { ExtenderTLSConfig } from '../config/extenders.ts';

/** What an extender may be asked to do. */
export type ExtenderRole = 'filter' | 'prioritize' | 'preempt' | 'bind';

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

/**
 * Work that may call extenders on its way. It yields requests that are made side by side, and continues with the
 * responses in the same order. Work that calls nobody yields nothing.
 */
export type ExtenderCalls<T> = Generator<readonly ExtenderRequest[], T, readonly ExtenderResponse[]>;

/** Runs work that has no extender to call. */
export function withoutExtenderCalls<T>(work: ExtenderCalls<T>): T {
  const step = work.next([]);
  if (!step.done) throw new Error('the work calls an extender, but nobody carries its requests');
  return step.value;
}
