import type { PostRequest, PostResponse } from '../lib/http-poster.ts';

/** The requests that an extender may handle. */
export type ExtenderRole = 'filter' | 'prioritize' | 'preempt' | 'bind';

/** A request to an extender. */
export interface ExtenderRequest extends PostRequest {
  /** The extender's position in the configuration. */
  readonly extender: number;
  readonly role: ExtenderRole;
}

/** The answer of an extender over HTTP. */
export type ExtenderResponse = PostResponse;

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
