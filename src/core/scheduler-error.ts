import { CodedError } from '../lib/errors.ts';

/**
 * What a caller of the library can react to; nothing has been changed when one is thrown.
 *
 *   AlreadyExists   a node or pod of this name is known already
 *   NotFound        the node or pod to change or remove is not known
 *   Invalid         an object that the API server would refuse; the message names the field
 */
export type SchedulerErrorCode = 'AlreadyExists' | 'NotFound' | 'Invalid';

export class SchedulerError extends CodedError<SchedulerErrorCode> {}
