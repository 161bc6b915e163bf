import type { JobStatus } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { messageOf } from '../../../src/controllers/job/sync-error.ts';
import type { Observation } from './job-case.ts';

/** Longer lists are recorded as their length. */
const LIST_MAX = 40;

/** What the controller asked of the API in one sync; pods by name. */
export class ApiCalls {
  readonly created: Pod[] = [];
  createFailed = 0;
  readonly deleted: string[] = [];
  readonly deleteFailed: string[] = [];
  readonly finalizerRemoved: string[] = [];
  readonly patchFailed: string[] = [];
  readonly adopted: string[] = [];
  readonly released: string[] = [];
  readonly statusWrites: { readonly status: JobStatus; readonly error?: unknown }[] = [];

  /** `isDetailed`: all created pods are shown in full. */
  observed(isDetailed: boolean): Observation {
    return {
      ...this.#observedCreations(isDetailed),
      ...(this.createFailed > 0 && { createFailedCount: this.createFailed }),
      ...observedNames('deleted', this.deleted),
      ...observedNames('deleteFailed', this.deleteFailed),
      ...observedNames('finalizerRemoved', this.finalizerRemoved),
      ...observedNames('patchFailed', this.patchFailed),
      ...observedNames('adopted', this.adopted),
      ...observedNames('released', this.released),
      ...(this.statusWrites.length > 0 && { statusWrites: this.statusWrites.map(observedWrite) }),
    };
  }

  #observedCreations(isDetailed: boolean): Observation {
    if (this.created.length === 0) return {};
    const sorted = this.created.toSorted((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1));
    const shown = sorted.length > LIST_MAX ? [...sorted.slice(0, 2), ...sorted.slice(-2)] : sorted;
    const created = shown.map((pod, position) => observedCreation(pod, isDetailed || position === 0));
    return { createdCount: sorted.length, created };
  }
}

function observedCreation({ metadata, spec }: Pod, isDetailed: boolean): Observation {
  const { name, generateName, annotations, labels, finalizers, ownerReferences } = metadata ?? {};
  const env = spec?.containers?.[0]?.env;
  return {
    ...{ name, generateName },
    ...(annotations && { annotations }),
    ...(spec?.hostname && { hostname: spec.hostname }),
    ...(isDetailed && { labels, finalizers, ownerReferences, restartPolicy: spec?.restartPolicy }),
    ...(isDetailed && env && { env }),
  };
}

function observedNames(field: string, names: readonly string[]): Observation {
  if (names.length === 0) return {};
  return names.length > LIST_MAX ? { [`${field}Count`]: names.length } : { [field]: names.toSorted() };
}

function observedWrite({ status, error }: ApiCalls['statusWrites'][number]): Observation {
  const { uncountedTerminatedPods: uncounted, ...rest } = status;
  const uids = {
    ...observedUids('succeeded', uncounted?.succeeded ?? []),
    ...observedUids('failed', uncounted?.failed ?? []),
  };
  return {
    status: { ...rest, ...(uncounted && { uncountedTerminatedPods: uids }) },
    ...(error !== undefined && { error: messageOf(error) }),
  };
}

function observedUids(field: string, uids: readonly string[]): Observation {
  if (uids.length === 0) return {};
  return uids.length > LIST_MAX ? { [`${field}Count`]: uids.length } : { [field]: uids.toSorted() };
}
