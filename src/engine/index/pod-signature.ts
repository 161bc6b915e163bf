import { isScalarResourceName } from '../../api/resources.ts';
import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { AllocationForm, BalanceForm, ResourceFilterForm } from '../../framework/column-forms.ts';
import { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Framework, PreFilterOutcome, WeightedScorePlugin } from '../../framework/runtime/framework.ts';
import type { Status } from '../../framework/status.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import { amountOf, podRequestOf } from '../../plugins/node-resources/resource-amounts.ts';
import type { NodeVerdicts } from '../verdicts/node-verdicts.ts';
import type { CountedColumnSets } from './counted-columns.ts';
import { ResourceEntries, type ResourceEntry } from './resource-entries.ts';
import type { SignatureTotals } from './signature-totals.ts';

/** Everything about a pod that filtering and scoring can see; identical pods share one. */
export interface PodSignature {
  readonly id: number;
  /** The pod that the signature was made from. */
  readonly pod: PodInfo;
  readonly verdicts: NodeVerdicts;
  /** The key under which the verdicts are shared. */
  readonly verdictsKey: string;
  readonly state: CycleState;
  readonly preFilter: PreFilterOutcome;
  /**
   * The names of the plugins that read the cluster to filter nodes for such pods. The members of the signature are made
   * without them; they take part in every attempt, with a state of their own.
   */
  readonly attemptFilters: ReadonlySet<string>;
  /** The result of PreScore; null if it depends on the cluster, so that PreScore runs in every cycle. */
  readonly preScore: PreScoreOutcome | null;
  /** The names of the resources that the filter compares, in the order of `filterEntries`: 'pods' first. */
  readonly filterResources: readonly string[];
  readonly filterEntries: ResourceEntries;
  readonly fitScoreEntries: ResourceEntries;
  readonly balancedEntries: ResourceEntries;
  /** Whether some request is beyond 2^53, so that kernels cannot compute with it. */
  readonly isInexact: boolean;
  /** The `ColumnTable.version` for which the entries hold. */
  tableVersion: number;
  /** The signature's totals in the index; undefined if there are none now, null if there can be none. */
  totals: SignatureTotals | null | undefined;
  /** Whether its memory was given back, so that it must be looked up again. */
  isReleased: boolean;
  /** The run in which the signature itself was last looked up. */
  lastRun: number;
  /** Who remembers the signature, and forgets it when it is released. */
  holder: SignatureHolder | null;
}

export interface SignatureHolder {
  signature: PodSignature | null;
}

export interface PreScoreOutcome {
  /** The Error status if scoring fails, for example on a malformed preferred term. */
  readonly failure: Status | null;
  readonly scores: readonly WeightedScorePlugin[];
}

/** Runs PreFilter without these plugins and those that a plan replaces; Filter skips all of them. */
export function runPreFilter(
  framework: Framework,
  cluster: ClusterState,
  pod: PodInfo,
  without: ReadonlySet<string> | null = null,
): Pick<PodSignature, 'state' | 'preFilter'> {
  const state = new CycleState();
  const { topologyPlugins } = framework;
  const except = without?.size ? new Set([...topologyPlugins, ...without]) : topologyPlugins;
  const preFilter = framework.runPreFilter(state, pod, cluster, except);
  for (const name of except) state.skipFilter.add(name);
  return { state, preFilter };
}

/** Runs PreScore without the plugins that a topology plan replaces, which would count every pod again. */
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
  readonly #counted: CountedColumnSets;

  constructor(memory: SharedMemory, columns: NodeColumns, counted: CountedColumnSets) {
    this.#memory = memory;
    this.#columns = columns;
    this.#counted = counted;
  }

  /** Returns no resources if no plugin filters by them. */
  filterResources(pod: PodInfo, form: ResourceFilterForm | undefined): string[] {
    return form === undefined ? [] : ['pods', ...form.filteredResources(pod)];
  }

  /** `names`: what `filterResources` returned for the pod. */
  filter(pod: PodInfo, names: readonly string[], form?: ResourceFilterForm): ResourceEntries {
    const { requests } = pod.requirements;
    const entries = names.map((name) => {
      const isBacked = form?.isBackedByDevices?.(name) ?? false;
      const { allocatable, requested } = isBacked
        ? this.#columns.resourceOrDevices(name)
        : this.#columns.resource(name);
      return { allocatable, requested, podRequest: name === 'pods' ? 1 : amountOf(requests, name), weight: 0 };
    });
    return new ResourceEntries(this.#memory, entries);
  }

  fitScore(pod: PodInfo, form: AllocationForm | undefined): ResourceEntries {
    return new ResourceEntries(this.#memory, this.#scoreEntries(pod, form, true));
  }

  balanced(pod: PodInfo, form: BalanceForm | undefined): ResourceEntries {
    return new ResourceEntries(this.#memory, this.#scoreEntries(pod, form, false));
  }

  #scoreEntries(pod: PodInfo, form: AllocationForm | BalanceForm | undefined, nonZero: boolean): ResourceEntry[] {
    const { nonZeroMilliCPU, nonZeroMemoryBytes } = this.#columns.fixed;
    if (form === undefined) return [];
    const { resources, counted: source } = form;
    const entries: ResourceEntry[] = [];
    for (const { name, weight } of resources) {
      const podRequest = podRequestOf(pod, name, nonZero);
      // A scored resource named 'pods' is unknown to upstream, but here the name has a column, which counts pods.
      if (name === 'pods') continue;
      // An extended resource that the pod does not request is not scored.
      if (podRequest === 0 && isScalarResourceName(name)) continue;
      if (isScalarResourceName(name) && source?.backs(name)) {
        const counted = this.#counted.of(name, source);
        const { allocatable, requested } = counted;
        entries.push({ allocatable, requested, podRequest, weight, counted });
        continue;
      }
      const { allocatable, requested: charged } = this.#columns.resource(name);
      const nonZeroRequested = name === 'cpu' ? nonZeroMilliCPU : name === 'memory' ? nonZeroMemoryBytes : charged;
      entries.push({ allocatable, requested: nonZero ? nonZeroRequested : charged, podRequest, weight });
    }
    return entries;
  }
}

/**
 * Writes the addresses of columns again if some were moved since, and brings up to date what scores count elsewhere;
 * `version` is that of the columns' table. Returns whether scores count anything elsewhere.
 */
export function renewEntries(signature: PodSignature, version: number): boolean {
  const { filterEntries, fitScoreEntries, balancedEntries } = signature;
  if (signature.tableVersion !== version) {
    filterEntries.write();
    fitScoreEntries.write();
    balancedEntries.write();
    signature.tableVersion = version;
  }
  const isFitCounted = fitScoreEntries.syncCounted();
  return balancedEntries.syncCounted() || isFitCounted;
}

/**
 * Frees the signature's resource entries. Its verdicts are shared with other signatures, and its totals belong to the
 * index, which releases them before.
 */
export function releaseSignature(signature: PodSignature): void {
  signature.filterEntries.release();
  signature.fitScoreEntries.release();
  signature.balancedEntries.release();
  signature.isReleased = true;
  if (signature.holder?.signature === signature) signature.holder.signature = null;
}
