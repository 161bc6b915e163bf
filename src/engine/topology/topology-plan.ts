import type { AffinityForm, SpreadForm, TopologyForm } from '../../framework/column-forms.ts';
import type { Status } from '../../framework/status.ts';
import type { Trace } from '../../framework/tracing/tracer.ts';
import type { Kernels } from '../../kernels/abi.ts';
import type { Column } from '../../memory/column-table.ts';
import type { AffinityPlan } from './affinity-plan.ts';
import type { SpreadPlan } from './spread-plan.ts';
import type { TopologyRules } from './topology-rules.ts';
import type { TopologyScratch } from './topology-scratch.ts';

/** A plugin that leaves its work to a plan. */
export interface PlannedPlugin<Form extends TopologyForm> {
  readonly name: string;
  readonly form: Form;
  /** Where it stands among the framework's filters; -1 when it does not filter. */
  readonly position: number;
}

/** undefined: no plugin of the profile brings such rules. */
export interface PlannedPlugins {
  readonly spread: PlannedPlugin<SpreadForm> | undefined;
  readonly affinity: PlannedPlugin<AffinityForm> | undefined;
}

/** Where the two plugins stand among the framework's filters. */
interface TopologyPositions {
  readonly spread: number;
  readonly affinity: number;
}

/**
 * What topology spread and inter-pod affinity have to say of one pod signature; null where a plugin has nothing to say.
 */
export class TopologyPlan {
  readonly #spread: SpreadPlan | null;
  readonly #affinity: AffinityPlan | null;
  readonly #plugins: PlannedPlugins;
  readonly #positions: TopologyPositions;
  #rules: TopologyRules | null = null;
  #rulesSize = 0;

  constructor(spread: SpreadPlan | null, affinity: AffinityPlan | null, plugins: PlannedPlugins) {
    this.#spread = spread;
    this.#affinity = affinity;
    this.#plugins = plugins;
    this.#positions = { spread: plugins.spread?.position ?? -1, affinity: plugins.affinity?.position ?? -1 };
  }

  /** The counters cannot speak for the nodes as they are labelled now. */
  isAmbiguous(nodeCount: number): boolean {
    return this.#spread?.isAmbiguous(nodeCount) ?? false;
  }

  /** What the plan asks of nodes; null when that cannot be said by counts of domains. */
  rules(kernels: Kernels): TopologyRules | null {
    if (this.#spread?.isPartial) return null;
    const size = this.#affinity?.size ?? 0;
    if (this.#rules === null || this.#rulesSize !== size) {
      const { spread, affinity } = this.#positions;
      this.#rulesSize = size;
      this.#rules = {
        rules: [
          ...(spread >= 0 && this.#spread !== null ? this.#spread.rules(kernels) : []),
          ...(affinity >= 0 && this.#affinity !== null ? this.#affinity.rules() : []),
        ],
        spread: this.#spread?.scores() ?? [],
        affinity: this.#affinity?.scores() ?? [],
      };
    }
    return this.#rules;
  }

  /** Where in filter order the first of the two stands. */
  get firstPosition(): number {
    const { spread, affinity } = this.#positions;
    return Math.min(spread < 0 ? Number.POSITIVE_INFINITY : spread, affinity < 0 ? Number.POSITIVE_INFINITY : affinity);
  }

  /** Whether there is anything to check; after this, `filter` may be called. */
  get filters(): boolean {
    const { spread, affinity } = this.#positions;
    return (spread >= 0 && this.#spread?.filters === true) || (affinity >= 0 && this.#affinity?.filters === true);
  }

  /** Clears `feasible` where a constraint or term rejects. */
  filter(kernels: Kernels, feasible: Column<'i32'>, slots: number, trace: Trace | null): void {
    if (this.#positions.spread >= 0 && this.#spread !== null) {
      trace?.startPlugin('filter', this.#plugins.spread?.name ?? '');
      this.#spread.filter(kernels, feasible, slots);
      trace?.end();
    }
    if (this.#positions.affinity >= 0 && this.#affinity !== null) {
      trace?.startPlugin('filter', this.#plugins.affinity?.name ?? '');
      this.#affinity.filter(kernels, feasible, slots);
      trace?.end();
    }
  }

  /** Who rejects the node, and where in the filter order; null when neither does. */
  rejection(slot: number): Rejection | null {
    const { spread, affinity } = this.#plugins;
    const spreadViolation = spread === undefined || spread.position < 0 ? null : this.#spread?.violation(slot);
    const affinityViolation = affinity === undefined || affinity.position < 0 ? null : this.#affinity?.violation(slot);
    const bySpread = spread && spreadViolation && rejected(spread.form.statusOf(spreadViolation), spread.position);
    const byAffinity =
      affinity && affinityViolation && rejected(affinity.form.statusOf(affinityViolation), affinity.position);
    if (!bySpread || !byAffinity) return bySpread || byAffinity || null;
    return bySpread.position < byAffinity.position ? bySpread : byAffinity;
  }

  /** Fills the scratch columns with a plugin's scores; false when it is skipped for this pod. */
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

interface Rejection {
  readonly status: Status;
  readonly position: number;
}

function rejected(status: Status, position: number): Rejection {
  return { status, position };
}
