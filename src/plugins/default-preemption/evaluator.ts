import type { ExtenderCalls } from '../../framework/extender-calls.ts';
import { fitErrorMessage } from '../../framework/fit-error.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PluginCluster } from '../../framework/plugin-definition.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import {
  notHelped,
  type PostFilterContext,
  type PostFilterOutcome,
  type Standing,
  type TallyContext,
} from '../../framework/post-filter.ts';
import type { PreemptionCandidate, PreemptionReport } from '../../framework/preemption-report.ts';
import { answersOnePod } from '../../framework/runtime/tallied-filters.ts';
import { SlotAnswers } from '../../framework/slot-answers.ts';
import { errorStatus, type Status, unschedulable } from '../../framework/status.ts';
import type { DefaultPreemptionArgs } from './args.ts';
import { type Candidate, CandidateList, candidateOf, numCandidates } from './candidates.ts';
import { DisruptionBudgets } from './disruption-budgets.ts';
import {
  type DryRun,
  DryRunMemory,
  lazyDryRun,
  lazySharedDryRun,
  objectDryRun,
  sharedDryRun,
  type TallyDryRunOptions,
  tallyDryRun,
} from './dry-run.ts';
import { type CandidateSearch, KeptCandidates } from './kept-candidates.ts';
import { everPicked, inNodeOrder, leastHarmful } from './pick-node.ts';

const NONE: readonly never[] = [];
const NOWHERE: ReadonlySet<number> = new Set();
const NO_CANDIDATE_LEFT = 'no candidate node for preemption';
const NOT_HELPFUL = 'Preemption is not helpful for scheduling';

/** The results of a dry run on several nodes. */
interface DryRunResults {
  readonly candidates: readonly Candidate[];
  /** The nodes that are no candidates, with the reason. */
  readonly statuses: readonly (readonly [NodeInfo, Status])[];
}

/** Finds the node on which preemption does the least harm (upstream's preemption.go), without evicting anything. */
export class Evaluator {
  readonly #plugin: string;
  readonly #snapshot: PluginCluster;
  readonly #limits: DefaultPreemptionArgs;
  readonly #budgets: DisruptionBudgets;
  readonly #memory = new DryRunMemory();
  readonly #kept = new KeptCandidates();
  /** The last message that named no error. */
  #lastMessage: { readonly of: readonly Status[]; readonly nodeCount: number; readonly text: string } | null = null;

  constructor(plugin: string, snapshot: PluginCluster, limits: DefaultPreemptionArgs) {
    this.#plugin = plugin;
    this.#snapshot = snapshot;
    this.#limits = limits;
    this.#budgets = new DisruptionBudgets(snapshot.objects);
  }

  /** The pod must be eligible to preempt others. */
  *preempt(context: PostFilterContext): ExtenderCalls<PostFilterOutcome> {
    const { statuses, draw, explain, processPreemption } = context;
    const potential = statuses.listWithCode('Unschedulable');
    if (potential.length === 0 && !explain) return this.#noCandidate(NONE);
    const limit = numCandidates(potential.length, this.#limits);
    const dryRun = this.#dryRun(context);
    // Upstream starts at a random node; `draw` returns 0 where ties are not drawn.
    const offset = potential.length > 0 ? draw(potential.length) : 0;
    const kept = potential.slots === undefined ? null : this.#keptResults(context, dryRun);
    if (potential.slots !== undefined && kept !== null) {
      const { shared, topology, own } = kept;
      const search = { offset, limit, shared, topology, own, ownSlots: this.#ownSlots(context.pod) };
      const found = this.#kept.find(context.pod, this.#budgets.version, potential.slots, search);
      if (found.count === 0) return this.#noCandidate(found.statuses);
      return this.#nominated(found.inNodeOrder(found.count > 1 ? draw(found.count) : 0));
    }
    const found = dryRunPreemption(dryRun, (visit) => potential.walk(offset, visit), limit);
    const left = found.candidates.length === 0 ? found : yield* processed(context, found.candidates);
    const outcome = this.#outcome(found, left, draw);
    if (!explain) return outcome;
    const wereAsked = processPreemption !== undefined && left !== found && !('error' in left);
    const processedCandidates = wereAsked ? left.candidates : null;
    return {
      ...outcome,
      preemption: this.#report(dryRun, statuses.nodesWithCode('Unschedulable'), limit, outcome, processedCandidates),
    };
  }

  /**
   * What a search for the best candidates asks if results hold, until the node changes, for all pods with the same
   * requirements and priority, apart from what is known of this one. Null if they do not, or if more is asked for.
   */
  #keptResults(
    context: PostFilterContext,
    dryRun: DryRun,
  ): Pick<CandidateSearch, 'shared' | 'topology' | 'own'> | null {
    const { explain, processPreemption, tallied, pod } = context;
    if (explain || processPreemption !== undefined || tallied === null) return null;
    const { filters, standing, topology } = tallied;
    const shared = lazySharedDryRun(pod.priority, this.#memory, () =>
      sharedDryRun(this.#tallyOptions(context, tallied), this.#memory),
    );
    const own = filters.filter(answersOnePod);
    if (own.length === 0) return { shared, topology, own: null };
    if (!standing) return null;
    const expectant = own.some(({ tally }) => tally !== undefined) ? this.#slotsWithNominations() : NOWHERE;
    const standingOf = (slot: number): Standing => (expectant.has(slot) ? 'unknown' : standing.of(slot));
    return { shared, topology, own: { standing: expectant.size > 0 ? new SlotAnswers(standingOf) : standing, dryRun } };
  }

  /** The nodes on which pods are expected, of which filters that count pods have to know. */
  #slotsWithNominations(): ReadonlySet<number> {
    const slots = new Set<number>();
    for (const { name } of this.#snapshot.nominations()) {
      const node = this.#snapshot.node(name);
      if (node !== undefined) slots.add(node.slot);
    }
    return slots;
  }

  #ownSlots(pod: PodInfo): readonly number[] {
    const names = this.#snapshot.nominatedNodesOf(pod);
    if (names.length === 0) return NONE;
    return names.flatMap((name) => this.#snapshot.node(name)?.slot ?? []);
  }

  /** `left`: the candidates that the extenders left, or the error of an extender. */
  #outcome(found: DryRunResults, left: Processed, draw: PostFilterContext['draw']): PostFilterOutcome {
    if (found.candidates.length === 0) return this.#noCandidate(found.statuses.map(([, status]) => status));
    if ('error' in left) return notHelped(errorStatus(this.#plugin, left.error));
    const ties = leastHarmful(left.candidates);
    return this.#nominated(inNodeOrder(ties, ties.length > 1 ? draw(ties.length) : 0));
  }

  #dryRun(context: PostFilterContext): DryRun {
    return lazyDryRun(context.pod.priority, this.#memory, () => {
      const { framework, tallied } = context;
      if (tallied !== null) return tallyDryRun(this.#tallyOptions(context, tallied), this.#memory);
      const { state, pod } = context;
      const options = { framework, nominator: this.#snapshot, budgets: this.#budgets, pod };
      return objectDryRun({ ...options, state, filters: framework.activeFilters(state) });
    });
  }

  /** Property by property, because an object literal of two spread objects is slow to make. */
  #tallyOptions(
    { pod }: PostFilterContext,
    { state, filters, topology, standing = null }: TallyContext,
  ): TallyDryRunOptions {
    return { nominator: this.#snapshot, budgets: this.#budgets, pod, state, filters, topology, standing };
  }

  #nominated(best: Candidate | undefined): PostFilterOutcome {
    if (best === undefined) return notHelped(unschedulable(this.#plugin, NO_CANDIDATE_LEFT));
    const status: Status = { code: 'Success', reasons: [], plugin: this.#plugin };
    return { status, nominatedNodeName: best.node.name, victims: best.victims, preemption: null };
  }

  #noCandidate(all: readonly Status[]): PostFilterOutcome {
    const { nodeCount } = this.#snapshot;
    if (this.#lastMessage?.of !== all || this.#lastMessage.nodeCount !== nodeCount) {
      const failures = all.filter(({ code }) => code === 'Error');
      if (failures.length > 0) return notHelped(errorStatus(this.#plugin, aggregated(failures)));
      this.#lastMessage = { of: all, nodeCount, text: this.#message(all) };
    }
    const status = unschedulable(this.#plugin, this.#lastMessage.text);
    return { status, nominatedNodeName: '', victims: [], preemption: null };
  }

  #message(statuses: readonly Status[]): string {
    const counts = new Map<string, number>();
    const count = (reason: string, by: number): void => void counts.set(reason, (counts.get(reason) ?? 0) + by);
    // Most nodes share one status, so that reasons are counted once for all that follow each other.
    for (let i = 0, first = 0; i < statuses.length; i++) {
      const status = statuses[i] as Status;
      if (statuses[i + 1] === status) continue;
      for (const reason of status.reasons) count(reason, i + 1 - first);
      first = i + 1;
    }
    const others = this.#snapshot.nodeCount - statuses.length;
    if (others > 0) count(NOT_HELPFUL, others);
    return fitErrorMessage(this.#snapshot.nodeCount, counts);
  }

  #report(
    dryRun: DryRun,
    potential: readonly NodeInfo[],
    limit: number,
    outcome: PostFilterOutcome,
    left: readonly Candidate[] | null,
  ): PreemptionReport {
    const all: Walk = (visit) => potential.every(visit);
    const { candidates, statuses } = dryRunPreemption(dryRun, all, Number.POSITIVE_INFINITY);
    const positions = new Map(potential.map((node, position) => [node, position]));
    const position = (node: NodeInfo): number => positions.get(node) ?? 0;
    const reported = (list: readonly Candidate[]): PreemptionCandidate[] =>
      list
        .toSorted((a, b) => position(a.node) - position(b.node))
        .map(({ node, victims, pdbViolations }) => ({
          node: node.name,
          victims: victims.map(({ key }) => key),
          pdbViolations,
        }));
    return {
      potentialNodes: potential.map(({ name }) => name),
      numCandidates: limit,
      candidates: reported(candidates),
      ...(left !== null && { extenderCandidates: reported(left) }),
      nodeStatus: Object.fromEntries(statuses.map(([{ name }, status]) => [name, status])),
      nominatedTies: outcome.nominatedNodeName
        ? everPicked(left ?? candidates, limit).map(({ node }) => node.name)
        : [],
      nominatedNode: outcome.nominatedNodeName || null,
      victims: outcome.victims.map(({ key }) => key),
    };
  }
}

/** Visits nodes one after the other until `visit` returns false. */
type Walk = (visit: (node: NodeInfo) => boolean) => void;

/** Dry runs node after node until enough candidates are found (upstream's DryRunPreemption). */
function dryRunPreemption(dryRun: DryRun, walk: Walk, limit: number): DryRunResults {
  const list = new CandidateList(limit);
  const statuses: (readonly [NodeInfo, Status])[] = [];
  walk((node) => {
    const result = dryRun(node);
    if ('victims' in result) list.add(result);
    else statuses.push([node, result]);
    return !list.isComplete;
  });
  return { candidates: list.all(), statuses };
}

/** The texts of all errors, each once (upstream's NewAggregate). */
function aggregated(failures: readonly Status[]): string {
  const texts = [...new Set(failures.map(({ reasons }) => reasons.join(', ')))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

/** The candidates that remain after the extenders; `error` ends the preemption. */
type Processed = { readonly candidates: readonly Candidate[] } | { readonly error: string };

function* processed(
  { processPreemption, pod }: PostFilterContext,
  candidates: readonly Candidate[],
): ExtenderCalls<Processed> {
  if (processPreemption === undefined) return { candidates };
  const left = yield* processPreemption(pod, candidates);
  if ('error' in left) return left;
  return {
    candidates: left.candidates.map(({ node, victims, pdbViolations }) => candidateOf(node, victims, pdbViolations)),
  };
}
