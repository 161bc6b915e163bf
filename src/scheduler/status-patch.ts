import type { Pod } from '../api/pod.ts';
import { statusPatch } from '../api/pod-status-patch.ts';
import type { Awaiting } from '../lib/maybe-promise.ts';
import { ApiError } from '../store/objects/api-error.ts';
import type { SchedulerApi } from './scheduler-api.ts';
import { changedStatus, isNews, type StatusChange, storedOutcome } from './status-change.ts';

/** The number of tries, as in upstream's retry.DefaultBackoff. */
const TRIES = 4;
const RETRIABLE: ReadonlySet<string> = new Set(['Conflict', 'InternalError', 'ServiceUnavailable']);

/**
 * Patches the pod's status with the change; makes no call if the pod has it already. Retriable errors are retried at
 * once. Returns whether a call was made. @throws ApiError, the error of the last try
 */
export function* patchPodStatus(
  api: SchedulerApi,
  pod: Pod,
  change: StatusChange,
  nowMillis: number,
): Awaiting<boolean> {
  const { namespace = 'default', name = '' } = pod.metadata ?? {};
  if (!isNews(pod, change)) return false;
  const outcome = storedOutcome(pod, change, nowMillis);
  const isKnown = outcome !== undefined && change.condition !== undefined;
  const patch = isKnown ? latePatch(pod, change, nowMillis) : { status: bodyOf(pod, change, nowMillis) };
  if (!isKnown && patch.status === undefined) return false;
  for (let tries = 1; ; tries++) {
    try {
      const patched = api.patchPodStatus(namespace, name, patch, outcome);
      if (patched instanceof Promise) yield patched;
      return true;
    } catch (error) {
      if (tries === TRIES || !(error instanceof ApiError) || !RETRIABLE.has(error.reason)) throw error;
    }
  }
}

function bodyOf(pod: Pod, change: StatusChange, nowMillis: number): object | undefined {
  if (change.condition === undefined) return { nominatedNodeName: change.nominatedNodeName || null };
  return statusPatch(pod.status ?? {}, changedStatus(pod, change, nowMillis));
}

/** The patch of a stored pod, made when it is read: a store that knows the outcome does not read it. */
function latePatch(pod: Pod, change: StatusChange, nowMillis: number): { readonly status: object | undefined } {
  let body: object | undefined;
  return {
    get status() {
      body ??= bodyOf(pod, change, nowMillis);
      return body;
    },
  };
}
