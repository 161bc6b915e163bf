import type { CycleState } from '../../framework/cycle-state.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { TallyContext } from '../../framework/post-filter.ts';
import type { Status } from '../../framework/status.ts';
import type { Kernels } from '../../kernels/abi.ts';
import type { Column } from '../../memory/column-table.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';
import type { Refusal, Refusals } from '../cycle/engine.ts';
import type { NodeStatuses, SlotGroups } from '../cycle/node-statuses.ts';
import { type PodSignature, renewEntries, runPreFilter } from '../index/pod-signature.ts';
import type { SignatureIndex } from '../index/signature-index.ts';
import type { TopologyPlan } from '../topology/topology-plan.ts';
import { BROKEN_PLAN, type TopologyPlans } from '../topology/topology-plans.ts';
import type { Verdict } from '../verdicts/verdict-table.ts';
import { AttemptFilters, namesMoreNodes } from './attempt-filters.ts';
import type { ColumnCycleModules } from './column-cycle-modules.ts';
import type { KeptRows } from './kept-rows.ts';
import type { KeptSignatures } from './kept-signatures.ts';
import { canKeepStatuses, KeptStatuses } from './kept-statuses.ts';
import { NOTHING_NOMINATED, type NominatedVerdicts } from './nominated-nodes.ts';
import type { NominationMasks } from './nomination-masks.ts';
import type { PodSignatureStore } from './pod-signatures.ts';
import { Shortages } from './shortages.ts';
import { tallyContext } from './tally-context.ts';

export interface PlainRefusalsModules
  extends Pick<
    ColumnCycleModules,
    'framework' | 'cluster' | 'attributes' | 'looks' | 'rejections' | 'resourceKernels'
  > {
  readonly kernels: Kernels;
  readonly columns: NodeColumns;
  readonly plans: TopologyPlans;
  readonly signatures: PodSignatureStore;
  readonly kept: KeptSignatures;
  readonly nominations: NominationMasks;
  readonly index: Pick<SignatureIndex, 'isOn'>;
  readonly needsMethods: (pod: PodInfo) => boolean;
  readonly dropStale: () => void;
}

const INFEASIBLE = 0;
const NO_COUNTS: ReadonlyMap<Status, number> = new Map();

/**
 * Answers to pods whom what is kept for their signature rejects on every node: verdicts and resources, whose reasons
 * follow the nodes that have changed since the last such pod. Topology rules and filters that are asked in every
 * attempt come last, so that they cannot matter then, and no cycle is needed. Nor is it where these reject the nodes
 * that are left, or where nominated pods take these.
 */
export class PlainRefusals implements Refusals {
  readonly #modules: PlainRefusalsModules;
  readonly #shortages: Shortages;
  readonly #fitPosition: number;
  /** What kernels have written last; null until they are asked. */
  #work: Column<'i32'> | null = null;
  #asked: AttemptFilters | null = null;

  constructor(modules: PlainRefusalsModules) {
    this.#modules = modules;
    this.#shortages = new Shortages(modules.resourceKernels, () => this.#column);
    this.#fitPosition = modules.framework.filterPlugins.findIndex((plugin) => plugin.resourceFilter !== undefined);
  }

  get #column(): Column<'i32'> {
    this.#work ??= this.#modules.columns.table.add('i32', 'nodes that are left');
    return this.#work;
  }

  /** The signature of a pod for which columns are kept; null for any other pod. */
  #signatureOf(pod: PodInfo): PodSignature | null {
    const { signatures, needsMethods } = this.#modules;
    const signature = needsMethods(pod) ? undefined : signatures.get(pod.requirements);
    return signature?.preScore ? signature : null;
  }

  likenessOf(pod: PodInfo): object | null {
    const signature = this.#signatureOf(pod);
    if (signature === null || signature.attemptFilters.size > 0) return null;
    const plan = this.#modules.plans.planOf(pod);
    return plan === BROKEN_PLAN ? null : (plan ?? signature);
  }

  of(pod: PodInfo, isOver: boolean): Refusal | null {
    const { framework, cluster, columns, plans, index, dropStale } = this.#modules;
    if (!index.isOn || cluster.nodeCount === 0) return null;
    dropStale();
    const signature = this.#signatureOf(pod);
    if (signature === null || columns.isInexact || signature.isInexact) return null;
    const plan = plans.planOf(pod);
    if (plan === BROKEN_PLAN || !canKeepStatuses(framework, signature, plan)) return null;
    const isAsked = signature.attemptFilters.size > 0;
    const attempt = isAsked ? { ...signature, pod, ...runPreFilter(framework, cluster, pod) } : signature;
    const { rejected, nodeNames } = attempt.preFilter;
    if (rejected !== null || nodeNames !== null || namesMoreNodes(attempt, signature)) return null;
    const rows = this.#rowsOf(signature);
    const nominated = rows && this.#nominatedFor(signature, pod, plan);
    if (rows === null || nominated === null) return null;
    const isLeft = rows.feasibleCount > takenFrom(rows, nominated);
    // Until one pod was refused, most of them fit where filters are asked, and a cycle would ask them once more.
    if (isLeft && (isAsked ? cluster.hasNominations || rows.statuses === null : !plan?.filters)) return null;
    const { slotCount } = cluster;
    rows.statuses ??= new KeptStatuses(cluster, this.#shortages, this.#fitPosition, signature);
    const { statuses } = rows;
    statuses.sync(rows.feasible.values, slotCount, nominated);
    if (!isLeft) {
      const tally = () => tallyContext(framework, attempt, plan, this.#beginAsking(attempt));
      return new KeptAnswer(statuses, statuses.current, statuses.text(NO_COUNTS), attempt.state, tally);
    }
    // PostFilter needs the status of each node.
    const marked = isOver ? null : statuses.groups(slotCount, null);
    const asked = this.#beginAsking(attempt);
    const counts = this.#countRejections(rows, asked, plan, marked);
    if (counts === null) return null;
    const tally = () => tallyContext(framework, attempt, plan, asked);
    return new KeptAnswer(statuses, marked ?? statuses.current, statuses.text(counts), attempt.state, tally);
  }

  /** Begins to ask the filters of this attempt; null if there are none. */
  #beginAsking(attempt: PodSignature): AttemptFilters | null {
    if (attempt.attemptFilters.size === 0) return null;
    this.#asked ??= new AttemptFilters(this.#modules);
    return this.#asked.begin(attempt) ? this.#asked : null;
  }

  /**
   * Counts the nodes that filters of this attempt and the plan reject, of those that the rows accept, by status, and
   * marks them. Returns null if some node is left, or only a cycle can tell.
   */
  #countRejections(
    rows: KeptRows,
    asked: AttemptFilters | null,
    plan: TopologyPlan | null,
    marked: SlotGroups | null,
  ): ReadonlyMap<Status, number> | null {
    const { kernels, cluster } = this.#modules;
    const { slotCount } = cluster;
    const mark = marked === null ? undefined : (slot: number, status: Status) => marked.set(slot, status);
    const left = this.#column;
    if (asked === null) return plan?.filters ? plan.countRejections(kernels, rows, left, slotCount, mark) : null;
    const { values } = left;
    values.set(rows.feasible.values.subarray(0, slotCount));
    // Without rules the first node that passes ends the search.
    const wanted = plan?.filters ? cluster.nodeCount : 0;
    const passed = asked.filter(values, rows.feasibleCount, { start: 0, wanted }, () => values);
    if (passed === null || (passed > 0 && !plan?.filters)) return null;
    const accepted = { feasible: left, feasibleCount: passed };
    const counts = passed > 0 ? (plan?.countRejections(kernels, accepted, left, slotCount, mark) ?? null) : new Map();
    if (counts === null) return null;
    for (const slot of asked.rejectedSlots) {
      const { status, position } = asked.rejection(slot) as Verdict;
      // Rules that come before the filter may reject the node, too.
      if (plan !== null && position >= plan.firstPosition) return null;
      counts.set(status, (counts.get(status) ?? 0) + 1);
      mark?.(slot, status);
    }
    return counts;
  }

  /** The verdicts where other pods are nominated; null if they hold for this attempt alone, or a cycle has to tell. */
  #nominatedFor(signature: PodSignature, pod: PodInfo, plan: TopologyPlan | null): NominatedVerdicts | null {
    const { cluster, nominations } = this.#modules;
    if (!cluster.hasNominations) return NOTHING_NOMINATED;
    const nominated = plan === null ? nominations.verdictsOf(signature, pod, plan) : null;
    return nominated?.epoch === 0 ? null : nominated;
  }

  /** The rows of the signature, brought up to date; null if they do not tell which nodes it fits. */
  #rowsOf(signature: PodSignature): KeptRows | null {
    const { cluster, columns, kept } = this.#modules;
    signature.verdicts.sync();
    // Columns do not hold scores that count anything elsewhere, and a plugin that failed ends the attempt.
    if (signature.verdicts.hasFailed || renewEntries(signature, columns.table.version)) return null;
    const rows = kept.rowsOf(signature);
    rows.sync(signature, cluster.slotCount);
    return rows;
  }
}

/** How many nodes nominated pods take of those that the rows accept. */
function takenFrom({ feasible, feasibleCount }: KeptRows, { verdicts }: NominatedVerdicts): number {
  if (feasibleCount === 0) return 0;
  let taken = 0;
  for (const slot of verdicts.slots) if (verdicts.at(slot) !== null && feasible.values[slot] !== INFEASIBLE) taken++;
  return taken;
}

/** A rejection by all nodes. What dry runs of preemption need is made when it is read. */
class KeptAnswer implements Refusal {
  readonly message: string;
  readonly state: CycleState;
  readonly #statuses: KeptStatuses;
  readonly #groups: SlotGroups;
  readonly #tally: () => TallyContext | null;
  #tallied: TallyContext | null | undefined;

  constructor(
    statuses: KeptStatuses,
    groups: SlotGroups,
    message: string,
    state: CycleState,
    tally: () => TallyContext | null,
  ) {
    this.message = message;
    this.state = state;
    this.#statuses = statuses;
    this.#groups = groups;
    this.#tally = tally;
  }

  get podState(): CycleState {
    return this.state;
  }

  get hasCandidates(): boolean {
    return this.#groups.has('Unschedulable');
  }

  get tallied(): TallyContext | null {
    if (this.#tallied === undefined) this.#tallied = this.#tally();
    return this.#tallied;
  }

  nodeStatuses(): NodeStatuses {
    return this.#statuses.nodeStatuses(this.#groups);
  }
}
