import { selects } from '../api/label-selector.ts';
import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import { isPodReady } from '../api/pod-conditions.ts';
import type { PodDisruptionBudget } from '../api/pod-disruption-budget.ts';
import type { PodState } from '../caller/cluster-view.ts';
import { observeBudget } from '../controllers/disruption/budget-status.ts';
import { groupBy } from '../lib/group-by.ts';
import { budgetOf, isSpared, needsNoBudget } from '../store/eviction.ts';
import { ApiError } from '../store/objects/api-error.ts';

interface Counted {
  readonly budget: PodDisruptionBudget;
  readonly expectedPods: number;
  readonly desiredHealthy: number;
  /** The keys of the pods that run. */
  readonly healthy: Set<string>;
}

/**
 * The PodDisruptionBudgets of a cluster in which pods are evicted and come back. A pod counts as healthy from the
 * moment when it has a node, since nobody knows how long it would take to start; a pod whose status says that it is not
 * ready does not.
 */
export class Budgets {
  readonly #byNamespace: ReadonlyMap<string, readonly PodDisruptionBudget[]>;
  readonly #counted = new Map<PodDisruptionBudget, Counted>();
  /** What covers a pod, or why that is an error, by pod: selectors are compiled anew whenever they are asked. */
  readonly #known = new Map<string, Counted | string | undefined>();

  constructor(budgets: readonly PodDisruptionBudget[], pods: readonly PodState[]) {
    this.#byNamespace = groupBy(budgets, ({ metadata }) => metadata?.namespace ?? 'default');
    if (budgets.length === 0) return;
    const podsByNamespace = groupBy(pods, ({ pod }) => pod.metadata?.namespace ?? 'default');
    for (const budget of budgets) {
      const covered = (podsByNamespace.get(budget.metadata?.namespace ?? 'default') ?? []).filter(({ pod }) =>
        selects(budget.spec?.selector, pod.metadata?.labels),
      );
      const { desiredHealthy = 0 } = observeBudget(budget, [], covered.length, 0).status;
      const healthy = new Set(covered.filter(isHealthy).map(({ pod }) => podKey(pod)));
      this.#counted.set(budget, { budget, expectedPods: covered.length, desiredHealthy, healthy });
    }
  }

  /** Why the pod must not be evicted now; null if it may. */
  refusalOf(pod: Pod): string | null {
    if (needsNoBudget(pod)) return null;
    const counted = this.#of(pod);
    if (typeof counted === 'string') return counted;
    if (counted === undefined) return null;
    const { budget, desiredHealthy, healthy, expectedPods } = counted;
    const status = { currentHealthy: healthy.size, desiredHealthy };
    if (!healthy.has(podKey(pod)) && isSpared(withoutReadiness(pod), { ...budget, status })) return null;
    if (expectedPods > 0 && healthy.size > desiredHealthy) return null;
    const name = `${budget.metadata?.namespace ?? 'default'}/${budget.metadata?.name}`;
    return `PodDisruptionBudget ${name} needs ${desiredHealthy} healthy pods and has ${healthy.size}`;
  }

  /** The pod has been evicted. */
  evicted(pod: Pod): void {
    const counted = this.#of(pod);
    if (typeof counted === 'object') counted.healthy.delete(podKey(pod));
  }

  /** The pod runs again, on another node. */
  returned(pod: Pod): void {
    const counted = this.#of(pod);
    if (typeof counted === 'object') counted.healthy.add(podKey(pod));
  }

  #of(pod: Pod): Counted | string | undefined {
    const budgets = this.#byNamespace.get(pod.metadata?.namespace ?? 'default');
    if (budgets === undefined) return undefined;
    const key = podKey(pod);
    if (this.#known.has(key)) return this.#known.get(key);
    const found = this.#find(pod, budgets);
    this.#known.set(key, found);
    return found;
  }

  #find(pod: Pod, budgets: readonly PodDisruptionBudget[]): Counted | string | undefined {
    try {
      const budget = budgetOf(pod, budgets);
      return budget && this.#counted.get(budget);
    } catch (error) {
      if (error instanceof ApiError) return error.message;
      throw error;
    }
  }
}

function isHealthy({ pod, node }: PodState): boolean {
  if (node === null || pod.metadata?.deletionTimestamp !== undefined) return false;
  return pod.status?.conditions === undefined || isPodReady(pod);
}

/** A pod that is not healthy here is not ready, whatever its status said before. */
function withoutReadiness(pod: Pod): Pod {
  const { status: _, ...others } = pod;
  return others;
}
