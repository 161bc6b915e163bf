import type { ExtenderCalls } from '../../framework/extender-calls.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { readBindingAnswer } from './answers.ts';
import type { Extender } from './extender.ts';
import { callExtender } from './request.ts';
import { bindBody } from './request-bodies.ts';

/** The result of a binding by an extender. */
export interface ExtenderBinding {
  /** The extender's position in the configuration. */
  readonly extender: number;
  /** null if the pod is bound. */
  readonly error: string | null;
}

/**
 * Lets the first interested extender with a bind verb bind the pod (upstream's extendersBinding). Returns null if there
 * is none, or if it is ignorable and failed: then the Bind plugins bind the pod.
 */
export function* bindByExtender(
  extenders: readonly Extender[],
  pod: PodInfo,
  nodeName: string,
): ExtenderCalls<ExtenderBinding | null> {
  for (const extender of extenders) {
    if (!extender.has('bind') || !extender.isInterested(pod.pod)) continue;
    const read = yield* callExtender(extender, 'bind', bindBody(pod, nodeName), readBindingAnswer);
    const error = 'error' in read ? read.error : null;
    if (error === null || !extender.isIgnorable) return { extender: extender.index, error };
  }
  return null;
}

/** Whether `bindByExtender` calls an extender for the pod. */
export function isBoundByExtender(extenders: readonly Extender[], pod: PodInfo): boolean {
  return extenders.some((extender) => extender.has('bind') && extender.isInterested(pod.pod));
}
