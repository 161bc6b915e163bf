import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import { CodedError } from '../lib/errors.ts';

/**
 * The code of an error to which a caller of the library can react. Nothing has been changed when it is thrown.
 *
 *   AlreadyExists   a node or pod of this name is known already
 *   NotFound        the node or pod to change or remove is not known
 *   Invalid         an object that the API server would refuse, or an argument of the wrong type; the message names the
 *                   field
 *   NeedsExtender   an HTTP extender is interested in the pod, and only the methods that end in Async call it
 */
export type SchedulerErrorCode = 'AlreadyExists' | 'NotFound' | 'Invalid' | 'NeedsExtender';

export class SchedulerError extends CodedError<SchedulerErrorCode> {}

export function needsExtender(pod: Pod, method: string): SchedulerError {
  return new SchedulerError('NeedsExtender', `pod ${podKey(pod)}: an HTTP extender has to be asked: use ${method}`);
}
