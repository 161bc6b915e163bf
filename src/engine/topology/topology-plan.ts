import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { TopologyForm } from '../../framework/column-forms.ts';
import type { Status } from '../../framework/status.ts';
import type { Trace } from '../../framework/tracing/tracer.ts';
import type { Kernels } from '../../kernels/abi.ts';
import type { Column } from '../../memory/column-table.ts';
import type { Verdict } from '../verdicts/verdict-table.ts';
import type { AffinityPlan } from './affinity-plan.ts';
import { PlanTallies } from './plan-tallies.ts';
import type { PlannedPlugin, PlannedPlugins } from './planned-plugins.ts';
import type { SpreadPlan } from './spread-plan.ts';
import type { DomainRule, TopologyRules } from './topology-rules.ts';
import type { TopologyScratch } from './topology-scratch.ts';

/** The members of both kinds of plans that filters need. */
type FilterPlan = Pick<SpreadPlan, 'filters' | 'rules'> & {
  filter(kernels: Kernels, feasible: Column<'i32'>, slots: number): void;
};

/** A plan whose rejections have names. */
type NamingPlan<V> = FilterPlan & {
  filter(kernels: Kernels, feasible: Column<'i32'>, slots: number, onRejected: (violation: V) => void): void;
  violation(slot: number): V | null;
};

/** The nodes that the rows of a signature accept. */
interface AcceptedNodes {
  readonly feasible: Column<'i32'>;
  readonly feasibleCount: number;
}

interface PlannedFilter {
  readonly name: string;
  readonly position: number;
  readonly plan: FilterPlan;
  /** The rejection of the node at the slot; null if the plan accepts it. */
  rejection(slot: number): Verdict | null;
  /** As `filter` of the plan, with a call for the rejections of each step. */
  filterBySteps(kernels: Kernels, feasible: Column<'i32'>, slots: number, onRejected: (status: Status) => void): void;
}

/** The plans of topology spread and inter-pod affinity for one pod signature; null for a plan without any rule. */
export class TopologyPlan {
  readonly #spread: SpreadPlan | null;
  readonly #affinity: AffinityPlan | null;
  readonly #filters: readonly PlannedFilter[];
  /** The same in filter order. */
  readonly #inOrder: readonly PlannedFilter[];
  readonly #plugins: PlannedPlugins;
  #rules: TopologyRules | null = null;
  #rulesVersion = 0;
  /** The first position of a plan among the framework's filters; Infinity without any. */
  readonly firstPosition: number;

  constructor(spread: SpreadPlan | null, affinity: AffinityPlan | null, plugins: PlannedPlugins) {
    this.#spread = spread;
    this.#affinity = affinity;
    this.#plugins = plugins;
    this.#filters = [
      ...plannedFilters(plugins.spread, plugins.spread?.form.rejections, spread),
      ...plannedFilters(plugins.affinity, plugins.affinity?.form.rejections, affinity),
    ];
    this.#inOrder = this.#filters.toSorted((a, b) => a.position - b.position);
    this.firstPosition = this.#inOrder[0]?.position ?? Number.POSITIVE_INFINITY;
  }

  /** Whether the counters cannot express the constraints for the labels that nodes have now. */
  isAmbiguous(nodeCount: number): boolean {
    return this.#spread?.isAmbiguous(nodeCount) ?? false;
  }

  /** Takes over the labels that the pod's namespace has now. */
  followNamespace(objects: ClusterObjects): void {
    this.#affinity?.followNamespace(objects);
  }

  /** The rules and scores of the plans. */
  rules(kernels: Kernels): TopologyRules {
    const version = this.#affinity?.version ?? 0;
    const keyless = this.#spread?.keyless ?? 'none';
    if (this.#rules === null || this.#rulesVersion !== version || this.#rules.keyless !== keyless) {
      this.#rulesVersion = version;
      const rules: DomainRule[] = [];
      for (const { plan } of this.#filters) rules.push(...plan.rules(kernels));
      this.#rules = {
        rules,
        spread: this.#spread?.scores() ?? [],
        keyless,
        affinity: this.#affinity?.scores() ?? [],
        kept: null,
      };
    }
    return this.#rules;
  }

  /** Tallies for dry runs, which are valid until something changes. */
  tallies(): PlanTallies {
    return new PlanTallies(this, this.#spread, this.#affinity, this.#plugins);
  }

  /** Whether some plan has a rule; must be read before `filter`. */
  get filters(): boolean {
    return this.#filters.some(({ plan }) => plan.filters);
  }

  /** Clears `feasible` where a constraint or term rejects the node. */
  filter(kernels: Kernels, feasible: Column<'i32'>, slots: number, trace: Trace | null): void {
    for (const { name, plan } of this.#filters) {
      trace?.startPlugin('filter', name);
      plan.filter(kernels, feasible, slots);
      trace?.end();
    }
  }

  /**
   * As `filter`, in `work`, for the nodes that rows of a signature accept. Returns how many have each status: that of
   * the first rejection in filter order; null if some node is left. `mark` is told the status of each such slot. To ask
   * about thousands of nodes one by one takes much longer.
   */
  countRejections(
    kernels: Kernels,
    rows: AcceptedNodes,
    work: Column<'i32'>,
    slots: number,
    mark?: (slot: number, status: Status) => void,
  ): Map<Status, number> | null {
    const counts = new Map<Status, number>();
    work.values.set(rows.feasible.values.subarray(0, slots));
    const unmarked = mark === undefined ? null : work.values.slice(0, slots);
    let left = rows.feasibleCount;
    const onRejected = (status: Status): void => {
      const now = kernels.countFeasible(work.pointer, 0, slots);
      if (now === left) return;
      counts.set(status, (counts.get(status) ?? 0) + left - now);
      left = now;
      if (unmarked !== null) markRejected(unmarked, work.values, (slot) => mark?.(slot, status));
    };
    for (const filter of this.#inOrder) filter.filterBySteps(kernels, work, slots, onRejected);
    return left === 0 ? counts : null;
  }

  /** The first rejection of the node in filter order; null if all plans accept it. */
  rejection(slot: number): Verdict | null {
    let first: Verdict | null = null;
    for (const filter of this.#filters) {
      const rejection = filter.rejection(slot);
      if (rejection !== null && (first === null || rejection.position < first.position)) first = rejection;
    }
    return first;
  }

  /** Fills the scratch columns with a plugin's scores; returns false if the plugin is skipped for this pod. */
  score(
    { kind }: TopologyForm,
    kernels: Kernels,
    scratch: TopologyScratch,
    feasible: Column<'i32'>,
    slots: number,
  ): boolean {
    const plan = kind === 'spread' ? this.#spread : this.#affinity;
    return plan?.score(kernels, scratch, feasible, slots) ?? false;
  }
}

/** Marks the slots that have become infeasible since the last call. */
function markRejected(unmarked: Int32Array, feasible: Int32Array, mark: (slot: number) => void): void {
  for (let slot = 0; slot < unmarked.length; slot++) {
    if (unmarked[slot] === 0 || feasible[slot] !== 0) continue;
    unmarked[slot] = 0;
    mark(slot);
  }
}

/** A list of one element; empty without a plan, and for a plugin that does not filter. */
function plannedFilters<V extends string>(
  plugin: PlannedPlugin<TopologyForm> | undefined,
  statuses: Readonly<Record<V, Status>> | undefined,
  plan: NamingPlan<V> | null,
): PlannedFilter[] {
  if (plugin === undefined || statuses === undefined || plan === null || plugin.position < 0) return [];
  const { name, position } = plugin;
  const verdicts = new Map<V, Verdict>();
  const rejection = (slot: number): Verdict | null => {
    const violation = plan.violation(slot);
    if (violation === null) return null;
    let verdict = verdicts.get(violation);
    if (verdict === undefined) {
      verdict = { status: statuses[violation], position };
      verdicts.set(violation, verdict);
    }
    return verdict;
  };
  const filterBySteps: PlannedFilter['filterBySteps'] = (kernels, feasible, slots, onRejected) =>
    plan.filter(kernels, feasible, slots, (violation) => onRejected(statuses[violation]));
  return [{ name, position, plan, rejection, filterBySteps }];
}
