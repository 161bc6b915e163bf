/** Upstream: pkg/registry/core/pod/storage/eviction.go. */

import { selects } from '../api/label-selector.ts';
import type { Pod } from '../api/pod.ts';
import { isFinalPhase, isPodReady } from '../api/pod-conditions.ts';
import { disruptionConditions, type PodDisruptionBudget } from '../api/pod-disruption-budget.ts';
import { type ApiError, forbidden, internalError, tooManyRequests } from './objects/api-error.ts';

type BudgetStatus = NonNullable<PodDisruptionBudget['status']>;

/** The most evictions that may be granted before the disruption controller has seen them. */
const DISRUPTED_PODS_MAX = 2000;

const VIOLATION = "Cannot evict pod as it would violate the pod's disruption budget.";

/** Whether no budget has to be asked: evicting a pod that has not started, or has ended, disrupts nothing. */
export function needsNoBudget({ metadata, status }: Pod): boolean {
  const phase = status?.phase;
  return isFinalPhase(phase) || phase === 'Pending' || metadata?.deletionTimestamp !== undefined;
}

/**
 * The budget that covers the pod, if any. A budget without a selector covers no pod, one with an empty selector covers
 * all pods of the namespace. @throws ApiError InternalError, when several budgets cover the pod
 */
export function budgetOf(pod: Pod, budgets: Iterable<PodDisruptionBudget>): PodDisruptionBudget | undefined {
  const matching = [...budgets].filter(({ spec }) => selects(spec?.selector, pod.metadata?.labels));
  if (matching.length < 2) return matching[0];
  throw internalError(
    'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
  );
}

/**
 * Whether a pod that is not ready may be evicted without spending the budget: when enough other pods are healthy, or
 * when the budget always allows it.
 */
export function isSpared(pod: Pod, { spec, status }: PodDisruptionBudget): boolean {
  if (isPodReady(pod)) return false;
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

/** The budget with one allowed disruption less. @throws ApiError TooManyRequests, Forbidden */
export function spend(budget: PodDisruptionBudget, podName: string, now: string): PodDisruptionBudget {
  const { metadata = {}, status = {} } = budget;
  const { name = '', generation = 0 } = metadata;
  const { disruptionsAllowed = 0, disruptedPods = {} } = status;
  if ((status.observedGeneration ?? 0) < generation) {
    throw violation(`The disruption budget ${name} is still being processed by the server.`);
  }
  if (disruptionsAllowed < 0) throw forbidden('poddisruptionbudgets', name, 'pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > DISRUPTED_PODS_MAX) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden('poddisruptionbudgets', name, why);
  }
  if (disruptionsAllowed === 0) throw violation(`The disruption budget ${name} ${whyNone(status)}`);
  const left = disruptionsAllowed - 1;
  const spent = { ...status, disruptionsAllowed: left, disruptedPods: { ...disruptedPods, [podName]: now } };
  return {
    ...budget,
    status: left > 0 ? spent : { ...spent, conditions: disruptionConditions(budget, 'InsufficientPods', '', now) },
  };
}

/** Why a budget allows nothing; counts are not to be trusted if the controller could not compute them. */
function whyNone({ conditions, desiredHealthy = 0, currentHealthy = 0 }: BudgetStatus): string {
  const why = conditions?.find(({ type, status, message }) => {
    return type === 'DisruptionAllowed' && status === 'False' && message;
  });
  const text = 'does not allow evicting pods currently';
  if (why?.reason === 'SyncFailed') return `${text} because it failed sync: ${why.message}`;
  if (currentHealthy <= desiredHealthy)
    return `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  return why === undefined ? text : `${text} (${why.reason}): ${why.message}`;
}

export const EVICTED = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
} as const;

function violation(message: string): ApiError {
  return tooManyRequests(VIOLATION, [{ reason: 'DisruptionBudget', message }]);
}
