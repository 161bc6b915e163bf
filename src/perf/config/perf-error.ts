import { CodedError } from '../../lib/errors.ts';

/**
 *   InvalidPerfConfig   a benchmark file, or a template that it names, cannot be used; the message says file and field
 *   WorkloadFailed      a workload could not be run to its end
 *   Interrupted         the user has asked for the end
 */
export type PerfErrorCode = 'InvalidPerfConfig' | 'WorkloadFailed' | 'Interrupted';

export class PerfError extends CodedError<PerfErrorCode> {}
