import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import { CodedError } from '../lib/errors.ts';

/**
 * The code of an error to which a caller of the library can react. Nothing has been changed when it is thrown.
 *
 *   AlreadyExists        a node or pod of this name is known already
 *   NotFound             the node, pod or object to change or remove is not known
 *   Invalid              an object that the API server would refuse, or a wrong argument or option; the message names
 *                        the field
 *   NeedsExtender        an HTTP extender is interested in the pod, and only the methods that end in Async call it
 *   Conflict             the pod, or the node that was chosen for it, changed while an extender answered; or a plugin
 *                        changes the scheduler that waits for its answer
 *   Aborted              the caller's AbortSignal has ended the decision
 *   DeadlineExceeded     the deadline of the decision has passed
 *   Closed               the scheduler was closed meanwhile, or has been disposed of
 *   Expired              a reader of changes is too far behind
 *   OutOfMemory          the memory of the kernels is used up
 *   UnsupportedVersion   the bytes of a snapshot are of another version
 */
export type SchedulerErrorCode =
  | 'AlreadyExists'
  | 'NotFound'
  | 'Invalid'
  | 'NeedsExtender'
  | 'Conflict'
  | 'Aborted'
  | 'DeadlineExceeded'
  | 'Closed'
  | 'Expired'
  | 'OutOfMemory'
  | 'UnsupportedVersion';

export class SchedulerError extends CodedError<SchedulerErrorCode> {
  override readonly name = 'SchedulerError';
}

export function needsExtender(pod: Pod, method: string): SchedulerError {
  return new SchedulerError('NeedsExtender', `pod ${podKey(pod)}: an HTTP extender has to be asked: use ${method}`);
}
