import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { TallyContext } from '../../framework/post-filter.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
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
import type { KeptRows } from './kept-rows.ts';
import type { KeptSignatures } from './kept-signatures.ts';
import { canKeepStatuses, type KeptStatuses } from './kept-statuses.ts';
import { NOTHING_NOMINATED, type NominatedVerdicts } from './nominated-nodes.ts';
import type { NominationMasks } from './nomination-masks.ts';
import type { PodSignatureStore } from './pod-signatures.ts';
import { tallyContext } from './tally-context.ts';

export interface PlainRefusalsModules {
  readonly framework: Framework;
  readonly cluster: ClusterState;
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
 * attempt come last, so that they cannot matter then, and no cycle is needed. Nor is it where kernels count what rules
 * reject of the nodes that are left, or where nominated pods take these.
 */
export class PlainRefusals implements Refusals {
  readonly #modules: PlainRefusalsModules;
  /** 1 for nodes that topology rules leave, once some were asked. */
  #left: Column<'i32'> | null = null;

  constructor(modules: PlainRefusalsModules) {
    this.#modules = modules;
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
    const { framework, kernels, cluster, columns, plans, index, kept, dropStale } = this.#modules;
    if (!index.isOn || cluster.nodeCount === 0) return null;
    dropStale();
    const signature = this.#signatureOf(pod);
    // The first refusal is that of a cycle, which then begins to keep the reasons.
    const statuses = signature && kept.rowsOf(signature).statuses;
    if (!statuses || columns.isInexact || signature.isInexact) return null;
    const plan = plans.planOf(pod);
    if (plan === BROKEN_PLAN || !canKeepStatuses(framework, signature, plan)) return null;
    const rows = this.#rowsOf(signature);
    if (rows === null) return null;
    const isAsked = signature.attemptFilters.size > 0;
    const nominated = this.#nominatedFor(signature, pod, plan);
    if (nominated === null) return null;
    const isLeft = rows.feasibleCount > takenFrom(rows, nominated);
    if (isLeft && (isAsked || !plan?.filters)) return null;
    const { state, preFilter } = isAsked ? runPreFilter(framework, cluster, pod) : signature;
    if (preFilter.rejected !== null || preFilter.nodeNames !== null) return null;
    const { slotCount } = cluster;
    statuses.sync(rows.feasible.values, slotCount, nominated);
    let groups = statuses.current;
    let byRules: ReadonlyMap<Status, number> | null = NO_COUNTS;
    if (isLeft && plan !== null) {
      this.#left ??= columns.table.add('i32', 'nodes that rules leave');
      // PostFilter needs the status of each node.
      const marked = isOver ? null : statuses.groups(slotCount, null);
      const mark = marked === null ? undefined : (slot: number, status: Status) => marked.set(slot, status);
      byRules = plan.countRejections(kernels, rows, this.#left, slotCount, mark);
      if (byRules === null) return null;
      groups = marked ?? groups;
    }
    // A cycle has what dry runs need where filters were asked in this attempt.
    const tally = isAsked ? () => null : () => tallyContext(framework, signature, plan, null);
    return new KeptAnswer(statuses, groups, statuses.text(byRules), state, tally);
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
