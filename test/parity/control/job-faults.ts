import { ApiError, internalError } from '../../../src/store/objects/api-error.ts';
import type { JobFault } from './job-case.ts';

export interface FaultableCall {
  readonly verb: JobFault['verb'];
  readonly pod?: string | undefined;
  readonly index?: number | undefined;
}

const JOB_CALLS: readonly string[] = ['updateStatus', 'getJob'];

/** Planted failures of API calls. */
export class JobFaults {
  #planted: { readonly fault: JobFault; calls: number }[] = [];

  plant(fault: JobFault): void {
    this.#planted.push({ fault, calls: 0 });
  }

  clear(): void {
    this.#planted = [];
  }

  /** @throws ApiError when a planted failure is due */
  check(call: FaultableCall): void {
    for (const planted of this.#planted) {
      const { fault } = planted;
      if (!isMatching(fault, call)) continue;
      planted.calls++;
      const { skip = 0, times = 0 } = fault;
      const isDue = planted.calls > skip && (times === 0 || planted.calls <= skip + times);
      if (isDue) throw errorOf(fault);
    }
  }
}

function isMatching(fault: JobFault, { verb, pod, index }: FaultableCall): boolean {
  if (fault.verb !== verb) return false;
  return (fault.pod === undefined || fault.pod === pod) && (fault.index === undefined || fault.index === index);
}

function errorOf({ kind, verb }: JobFault): ApiError {
  const resource = JOB_CALLS.includes(verb) ? 'jobs.batch' : 'pods';
  switch (kind) {
    case 'internal':
      return internalError('boom');
    case 'conflict': {
      const why = 'the object has been modified; please apply your changes to the latest version and try again';
      return new ApiError('Conflict', `Operation cannot be fulfilled on ${resource} "obj": ${why}`);
    }
    case 'forbidden': {
      const why = 'exceeded quota: q, requested: pods=1, used: pods=10, limited: pods=10';
      return new ApiError('Forbidden', `pods is forbidden: ${why}`);
    }
    case 'notFound':
      return new ApiError('NotFound', `${resource} "obj" not found`);
    case 'namespaceTerminating': {
      const causes = [{ reason: 'NamespaceTerminating', message: 'namespace default is being terminated' }];
      return new ApiError('Forbidden', 'pods is forbidden: unable to create new content in namespace default', causes);
    }
  }
}
