import { compileLabelSelector, SELECT_EVERYTHING, SELECT_NOTHING, type Selector } from '../../api/label-selector.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

const KIND = 'PodDisruptionBudget';

interface Budget {
  readonly selector: Selector;
  readonly disruptionsAllowed: number;
  /** The names of pods whose eviction the API server has counted already. */
  readonly disruptedPods: ReadonlySet<string>;
}

/** The cluster's PodDisruptionBudgets, compiled again whenever one changes. */
export class DisruptionBudgets {
  readonly #objects: ClusterObjects;
  #byNamespace = new Map<string, Budget[]>();
  #version = -1;

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
  }

  /** A number that every change of a budget changes. */
  get version(): number {
    return this.#objects.version(KIND);
  }

  /**
   * Splits the pods into those that violate a budget when all are evicted in this order, and the others (upstream's
   * filterPodsWithPDBViolation). Both groups keep the order.
   */
  split(pods: readonly PodInfo[]): Readonly<Record<'violating' | 'nonViolating', readonly PodInfo[]>> {
    this.#compile();
    if (this.#byNamespace.size === 0) return { violating: [], nonViolating: pods };
    const evictions = new Map<Budget, number>();
    const violating: PodInfo[] = [];
    const nonViolating: PodInfo[] = [];
    for (const pod of pods) {
      let isViolating = false;
      for (const budget of this.#matching(pod)) {
        const count = (evictions.get(budget) ?? 0) + 1;
        evictions.set(budget, count);
        if (count > budget.disruptionsAllowed) isViolating = true;
      }
      (isViolating ? violating : nonViolating).push(pod);
    }
    return { violating, nonViolating };
  }

  #matching({ namespace, name, pod }: PodInfo): Budget[] {
    const labels = pod.metadata?.labels;
    // No budget applies to a pod without labels, whatever its selector is.
    if (labels === undefined || labels === null || Object.keys(labels).length === 0) return [];
    const budgets = this.#byNamespace.get(namespace) ?? [];
    return budgets.filter(({ selector, disruptedPods }) => selector.matches(labels) && !disruptedPods.has(name));
  }

  #compile(): void {
    if (this.#version === this.version) return;
    this.#byNamespace = new Map();
    for (const { metadata, spec, status } of this.#objects.list(KIND)) {
      const selector = compileLabelSelector(spec?.selector);
      // Selectors that are malformed, missing or empty select no pod.
      if ('error' in selector || selector === SELECT_NOTHING || selector === SELECT_EVERYTHING) continue;
      const namespace = metadata?.namespace || 'default';
      const budgets = this.#byNamespace.get(namespace) ?? [];
      budgets.push({
        selector,
        disruptionsAllowed: status?.disruptionsAllowed ?? 0,
        disruptedPods: new Set(Object.keys(status?.disruptedPods ?? {})),
      });
      this.#byNamespace.set(namespace, budgets);
    }
    this.#version = this.version;
  }
}
