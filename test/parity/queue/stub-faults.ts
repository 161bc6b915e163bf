import { ApiError, type ApiReason } from '../../../src/store/objects/api-error.ts';
import type { RecordedFault } from './queue-case.ts';

interface Fault extends RecordedFault {
  left: number;
}

/** Calls of the API that are to fail. */
export class StubFaults {
  readonly #faults: Fault[] = [];

  add(fault: RecordedFault): void {
    this.#faults.push({ ...fault, left: fault.times });
  }

  /** The error of the next fault that matches the call, which uses it up once; null: the call goes through. */
  take(verb: string, resource: string, name: string): Error | null {
    const fault = this.#faults.find(
      (each) => each.left > 0 && each.verb === verb && each.resource === resource && (!each.name || each.name === name),
    );
    if (fault === undefined) return null;
    fault.left--;
    return errorOf(fault.error, verb, resource, name);
  }
}

function errorOf(error: string, verb: string, resource: string, name: string): Error {
  const known = ERRORS[error];
  if (known === undefined) return new Error(error === 'context' ? 'context deadline exceeded' : error);
  const [reason, message] = known(verb, resource, name);
  return new ApiError(reason, message);
}

type ErrorText = (verb: string, resource: string, name: string) => readonly [ApiReason, string];

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

const ERRORS: Readonly<Record<string, ErrorText>> = {
  conflict: (_verb, resource, name) => [
    'Conflict',
    `Operation cannot be fulfilled on ${resource} "${name}": ${MODIFIED}`,
  ],
  notFound: (_verb, resource, name) => ['NotFound', `${resource} "${name}" not found`],
  timeout: () => ['Timeout', 'Timeout: request timed out'],
  serverTimeout: (verb, resource) => [
    'Timeout',
    `The ${verb} operation against ${resource} could not be completed at this time, please try again.`,
  ],
  internal: () => ['InternalError', 'Internal error occurred: etcdserver: leader changed'],
  forbidden: (_verb, resource, name) => ['Forbidden', `${resource} "${name}" is forbidden: not allowed`],
  unavailable: () => ['ServiceUnavailable', 'the server is currently unable to handle the request'],
};
