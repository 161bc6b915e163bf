import type { ExtenderCalls } from '../../framework/extender-calls.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { readBindingAnswer } from './answers.ts';
import type { Extender } from './extender.ts';
import { answerOf, requestTo } from './request.ts';
import { bindBody } from './request-bodies.ts';

/** What became of a binding that an extender was asked for. */
export interface ExtenderBinding {
  /** The extender's place in the configuration. */
  readonly extender: number;
  /** null: the pod is bound. */
  readonly error: string | null;
}

/**
 * Has the pod bound by the extender that binds such pods; null: there is none, or its failure does not matter, and the
 * bind plugins have to (upstream's extendersBinding).
 */
export function* bindByExtender(
  extenders: readonly Extender[],
  pod: PodInfo,
  nodeName: string,
): ExtenderCalls<ExtenderBinding | null> {
  for (const extender of extenders) {
    if (!extender.has('bind') || !extender.isInterested(pod.pod)) continue;
    const [response] = yield [requestTo(extender, 'bind', bindBody(pod, nodeName))];
    const read = answerOf(extender, 'bind', response, readBindingAnswer);
    const error = 'error' in read ? read.error : read.answer;
    if (error !== '') extender.failed('bind', error);
    if (error !== '' && extender.isIgnorable) continue;
    return { extender: extender.index, error: error === '' ? null : error };
  }
  return null;
}

/** Whether `bindByExtender` would ask anybody. */
export function isBoundByExtender(extenders: readonly Extender[], pod: PodInfo): boolean {
  return extenders.some((extender) => extender.has('bind') && extender.isInterested(pod.pod));
}
