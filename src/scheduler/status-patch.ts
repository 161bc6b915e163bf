import type { Pod, PodCondition, PodStatus } from '../api/pod.ts';
import { withPodCondition } from '../api/pod-conditions.ts';
import { statusPatch } from '../api/pod-status-patch.ts';
import { type Awaiting, awaited } from '../lib/maybe-promise.ts';
import { ApiError } from '../store/objects/api-error.ts';
import type { SchedulerApi } from './scheduler-api.ts';

export interface StatusChange {
  /** The new condition; its `observedGeneration` follows from the pod. */
  readonly condition?: Omit<PodCondition, 'lastProbeTime' | 'lastTransitionTime' | 'observedGeneration'>;
  /** The new nomination: '' clears it, and undefined leaves it unchanged. */
  readonly nominatedNodeName?: string | undefined;
}

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
  const after = changedStatus(pod, change, nowMillis);
  const body = after === null ? undefined : statusPatch(pod.status ?? {}, after);
  if (body === undefined) return false;
  for (let tries = 1; ; tries++) {
    try {
      yield* awaited(api.patchPodStatus(namespace, name, { status: body }));
      return true;
    } catch (error) {
      if (tries === TRIES || !(error instanceof ApiError) || !RETRIABLE.has(error.reason)) throw error;
    }
  }
}

/** Returns the status after the change; null if neither the condition nor the nomination changes. */
function changedStatus(pod: Pod, { condition, nominatedNodeName }: StatusChange, nowMillis: number): PodStatus | null {
  const { status = {}, metadata } = pod;
  const isNominated = nominatedNodeName !== undefined && nominatedNodeName !== (status.nominatedNodeName ?? '');
  if (!isNominated && (condition === undefined || hasCondition(pod, condition))) return null;
  const { nominatedNodeName: kept, ...others } = status;
  const nodeName = isNominated ? nominatedNodeName : kept;
  const next = nodeName ? { ...others, nominatedNodeName: nodeName } : others;
  if (condition === undefined) return next;
  const observedGeneration = metadata?.generation || undefined;
  return withPodCondition(next, { ...condition, observedGeneration }, nowMillis);
}

/** Whether the pod has the condition already, perhaps with an earlier generation. */
function hasCondition({ status }: Pod, { type, ...wanted }: NonNullable<StatusChange['condition']>): boolean {
  const known = status?.conditions?.find((condition) => condition.type === type);
  if (known === undefined || known.status !== wanted.status) return false;
  return (known.reason ?? '') === (wanted.reason ?? '') && (known.message ?? '') === (wanted.message ?? '');
}
