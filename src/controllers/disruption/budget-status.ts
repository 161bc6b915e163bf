import type { Pod } from '../../api/pod.ts';
import { isPodReady } from '../../api/pod-conditions.ts';
import { disruptionConditions, type PodDisruptionBudget } from '../../api/pod-disruption-budget.ts';
import { millisOfTime, timeAtMillis } from '../../api/time.ts';

type BudgetStatus = NonNullable<PodDisruptionBudget['status']>;

/** A granted eviction that has not been carried out within this time counts as given up. Upstream: DeletionTimeout. */
const DISRUPTION_MILLIS = 2 * 60_000;

export interface ObservedBudget {
  readonly status: BudgetStatus;
  /** When the next granted eviction counts as given up; undefined if none is pending. */
  readonly recheckMillis: number | undefined;
}

/**
 * Computes the status of a budget. `expectedPods`: the number of pods that their owners want in total.
 *
 * Upstream: trySync, countHealthyPods and updatePdbStatus in pkg/controller/disruption/disruption.go.
 */
export function observeBudget(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  expectedPods: number,
  nowMillis: number,
): ObservedBudget {
  const { disrupted, recheckMillis } = openDisruptions(budget, pods, nowMillis);
  const isHealthy = (pod: Pod): boolean =>
    pod.metadata?.deletionTimestamp === undefined && !Object.hasOwn(disrupted, nameOf(pod)) && isPodReady(pod);
  const currentHealthy = pods.filter(isHealthy).length;
  const desiredHealthy = desiredHealthyOf(budget, expectedPods);
  const left = currentHealthy - desiredHealthy;
  const disruptionsAllowed = expectedPods <= 0 || left <= 0 ? 0 : left;
  const counts = { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods };
  return {
    status: {
      ...counts,
      ...(Object.keys(disrupted).length > 0 && { disruptedPods: disrupted }),
      observedGeneration: budget.metadata?.generation,
      conditions: disruptionConditions(
        budget,
        disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods',
        '',
        timeAtMillis(nowMillis),
      ),
    },
    recheckMillis,
  };
}

/**
 * The status that allows nothing, while the number of expected pods is unknown. As upstream, it is that of the
 * generation before. Upstream: failSafe.
 */
export function failSafe({ metadata, status }: PodDisruptionBudget, message: string, nowMillis: number): BudgetStatus {
  const observed = { metadata: { ...metadata, generation: status?.observedGeneration }, status };
  const conditions = disruptionConditions(observed, 'SyncFailed', message, timeAtMillis(nowMillis));
  return { ...status, disruptionsAllowed: 0, conditions };
}

/** Whether the number of expected pods is what their owners want; otherwise it is that of the existing ones. */
export function expectedByOwners({ spec }: PodDisruptionBudget): boolean {
  return spec?.maxUnavailable !== undefined || typeof spec?.minAvailable === 'string';
}

function desiredHealthyOf({ spec }: PodDisruptionBudget, expectedPods: number): number {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable !== undefined) return Math.max(0, expectedPods - scaled(maxUnavailable, expectedPods));
  return minAvailable === undefined ? 0 : scaled(minAvailable, expectedPods);
}

/** Resolves a number, or a percentage (`50%`), which is rounded up. */
function scaled(value: number | string, total: number): number {
  return typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) * total) / 100);
}

function openDisruptions({ status }: PodDisruptionBudget, pods: readonly Pod[], nowMillis: number) {
  const disrupted: Record<string, string | Date> = {};
  let recheckMillis: number | undefined;
  for (const pod of pods) {
    const name = nameOf(pod);
    const granted = status?.disruptedPods?.[name];
    if (granted === undefined || pod.metadata?.deletionTimestamp !== undefined) continue;
    const endMillis = millisOfTime(granted) + DISRUPTION_MILLIS;
    if (endMillis < nowMillis) continue;
    disrupted[name] = granted;
    recheckMillis = Math.min(recheckMillis ?? endMillis, endMillis);
  }
  return { disrupted, recheckMillis };
}

function nameOf({ metadata }: Pod): string {
  return metadata?.name ?? '';
}
