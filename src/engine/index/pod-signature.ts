import { isScalarResourceName } from '../../api/resources.ts';
import type { AllocationForm, BalanceForm, ResourceFilterForm, ResourceSpec } from '../../framework/column-forms.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Framework, PreFilterOutcome, WeightedScorePlugin } from '../../framework/runtime/framework.ts';
import type { Status } from '../../framework/status.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import { amountOf, podRequestOf } from '../../plugins/node-resources/resource-amounts.ts';
import type { NodeVerdicts } from '../verdicts/node-verdicts.ts';
import { ResourceEntries, type ResourceEntry } from './resource-entries.ts';
import type { SignatureTotals } from './signature-totals.ts';

/** Everything about a pod that filtering and scoring can see; identical pods share one. */
export interface PodSignature {
  /** The pod that the signature was made from. */
  readonly pod: PodInfo;
  readonly verdicts: NodeVerdicts;
  readonly state: CycleState;
  readonly preFilter: PreFilterOutcome;
  /** What PreScore said, once for the signature; null when it depends on the cluster and runs in every cycle. */
  readonly preScore: PreScoreOutcome | null;
  /** Resources that the filter compares, by name, beside their entries: 'pods' first. */
  readonly filterResources: readonly string[];
  readonly filterEntries: ResourceEntries;
  readonly fitScoreEntries: ResourceEntries;
  readonly balancedEntries: ResourceEntries;
  /** A request beyond 2^53: kernels must not be asked. */
  readonly isInexact: boolean;
  /** `ColumnTable.version` for which the entries hold. */
  tableVersion: number;
  /** Where the signature index keeps its totals; undefined: nowhere now, null: it never will. */
  totals: SignatureTotals | null | undefined;
  /** Its memory was given back: who still knows it must look for another. */
  isReleased: boolean;
}

export interface PreScoreOutcome {
  /** An Error status: scoring fails (a preferred term that does not parse). */
  readonly failure: Status | null;
  readonly scores: readonly WeightedScorePlugin[];
}

/** Without the plugins for which a topology plan speaks: their PreScore would count every pod again. */
export function runPreScore(
  framework: Framework,
  state: CycleState,
  pod: PodInfo,
  nodes: readonly NodeInfo[],
): PreScoreOutcome {
  const failure = framework.runPreScore(state, pod, nodes, framework.topologyPlugins);
  return { failure, scores: failure === null ? framework.activeScores(state) : [] };
}

export class ResourceEntryBuilder {
  readonly #memory: SharedMemory;
  readonly #columns: NodeColumns;

  constructor(memory: SharedMemory, columns: NodeColumns) {
    this.#memory = memory;
    this.#columns = columns;
  }

  /** None when no plugin filters by them. */
  filterResources(pod: PodInfo, form: ResourceFilterForm | undefined): string[] {
    return form === undefined ? [] : ['pods', ...form.filteredResources(pod)];
  }

  filter(pod: PodInfo, form: ResourceFilterForm | undefined): ResourceEntries {
    const { requests } = pod.requirements;
    return this.#build(
      this.filterResources(pod, form).map((name) => ({
        ...this.#columns.resource(name),
        podRequest: name === 'pods' ? 1 : amountOf(requests, name),
        weight: 0,
      })),
    );
  }

  fitScore(pod: PodInfo, form: AllocationForm | undefined): ResourceEntries {
    return this.#build(this.#scoreEntries(pod, form?.resources ?? [], true));
  }

  balanced(pod: PodInfo, form: BalanceForm | undefined): ResourceEntries {
    return this.#build(this.#scoreEntries(pod, form?.resources ?? [], false));
  }

  #scoreEntries(pod: PodInfo, resources: readonly ResourceSpec[], nonZero: boolean): ResourceEntry[] {
    const { nonZeroMilliCPU, nonZeroMemoryBytes } = this.#columns.fixed;
    return resources.flatMap(({ name, weight }) => {
      const podRequest = podRequestOf(pod, name, nonZero);
      // Its column counts pods; as a name among scored resources it means nothing, and no node has any.
      if (name === 'pods') return [];
      // An extended resource that the pod does not ask for plays no part.
      if (podRequest === 0 && isScalarResourceName(name)) return [];
      const { allocatable, requested } = this.#columns.resource(name);
      if (nonZero && name === 'cpu') return [{ allocatable, requested: nonZeroMilliCPU, podRequest, weight }];
      if (nonZero && name === 'memory') return [{ allocatable, requested: nonZeroMemoryBytes, podRequest, weight }];
      return [{ allocatable, requested, podRequest, weight }];
    });
  }

  #build(entries: readonly ResourceEntry[]): ResourceEntries {
    return new ResourceEntries(this.#memory, entries);
  }
}

/**
 * Gives up what the signature holds of the kernels' memory, but its verdicts, which others share, and its totals
 * column.
 */
export function releaseSignature(signature: PodSignature): void {
  signature.filterEntries.release();
  signature.fitScoreEntries.release();
  signature.balancedEntries.release();
  signature.isReleased = true;
}
