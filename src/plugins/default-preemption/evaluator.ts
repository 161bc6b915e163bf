import type { ExtenderCalls } from '../../framework/extender-calls.ts';
import { fitErrorMessage } from '../../framework/fit-error.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodNominator, Snapshot } from '../../framework/plugin.ts';
import { notHelped, type PostFilterContext, type PostFilterOutcome } from '../../framework/post-filter.ts';
import type { PreemptionCandidate, PreemptionReport } from '../../framework/preemption-report.ts';
import { errorStatus, type Status, unschedulable } from '../../framework/status.ts';
import { type Candidate, type CandidateLimits, CandidateList, candidateOf, numCandidates } from './candidates.ts';
import { DisruptionBudgets } from './disruption-budgets.ts';
import { type DryRun, type DryRunMemory, objectDryRun, tallyDryRun } from './dry-run.ts';
import { LowestPriorities, NeededDryRun } from './needed-dry-run.ts';
import { everPicked, leastHarmful } from './pick-node.ts';

const NO_CANDIDATE_LEFT = 'no candidate node for preemption';
const NOT_HELPFUL = 'Preemption is not helpful for scheduling';

/** Nodes that were dry run, and what came of it. */
interface Found {
  readonly candidates: readonly Candidate[];
  /** The nodes that are none, and side by side why. */
  readonly others: readonly NodeInfo[];
  readonly statuses: readonly Status[];
}

/** Finds the node where making room for a pod does the least harm (upstream's preemption.go). Changes nothing. */
export class Evaluator {
  readonly #plugin: string;
  readonly #snapshot: Snapshot & PodNominator;
  readonly #limits: CandidateLimits;
  readonly #budgets: DisruptionBudgets;
  readonly #memory: DryRunMemory = [];
  readonly #lowest = new LowestPriorities();

  constructor(plugin: string, snapshot: Snapshot & PodNominator, limits: CandidateLimits) {
    this.#plugin = plugin;
    this.#snapshot = snapshot;
    this.#limits = limits;
    this.#budgets = new DisruptionBudgets(snapshot.objects);
  }

  /** For a pod that may preempt. */
  *preempt(context: PostFilterContext): ExtenderCalls<PostFilterOutcome> {
    const potential = context.statuses.nodesWithCode('Unschedulable');
    const limit = numCandidates(potential.length, this.#limits);
    const dryRun = this.#dryRun(context);
    // Upstream starts anywhere; so do we when ties are drawn, and otherwise at the first node.
    const offset = potential.length > 0 ? context.draw(potential.length) : 0;
    const found = walk(dryRun, potential, offset, limit);
    if (found.candidates.length === 0) return this.#explained(context, this.#noCandidate(found), dryRun, limit, null);
    const left = yield* processed(context, found.candidates);
    const [outcome, candidates] =
      'error' in left
        ? [notHelped(errorStatus(this.#plugin, left.error)), null]
        : [this.#nominated(left.candidates, context), left.candidates];
    return this.#explained(context, outcome, dryRun, limit, candidates);
  }

  /** `left`: the candidates after the extenders; null when it did not come to that. */
  #explained(
    { explain, processPreemption, statuses }: PostFilterContext,
    outcome: PostFilterOutcome,
    dryRun: DryRun,
    limit: number,
    left: readonly Candidate[] | null,
  ): PostFilterOutcome {
    if (!explain) return outcome;
    const asked = processPreemption === undefined ? null : left;
    return {
      ...outcome,
      preemption: this.#report(dryRun, statuses.nodesWithCode('Unschedulable'), limit, outcome, asked),
    };
  }

  #dryRun(context: PostFilterContext): DryRun {
    return new NeededDryRun(context.pod.priority, this.#lowest, () => {
      const { framework, state, pod, numeric } = context;
      const filters = framework.activeFilters(state);
      const modules = { framework, nominator: this.#snapshot, budgets: this.#budgets, state, filters, pod };
      return (numeric ? tallyDryRun(modules, this.#memory) : null) ?? objectDryRun(modules);
    });
  }

  #nominated(candidates: readonly Candidate[], { draw }: PostFilterContext): PostFilterOutcome {
    const ties = leastHarmful(candidates);
    const best = ties[ties.length > 1 ? draw(ties.length) : 0];
    if (best === undefined) return notHelped(unschedulable(this.#plugin, NO_CANDIDATE_LEFT));
    const status: Status = { code: 'Success', reasons: [], plugin: this.#plugin };
    return { status, nominatedNodeName: best.node.name, victims: best.victims, preemption: null };
  }

  #noCandidate({ statuses }: Found): PostFilterOutcome {
    const failures = statuses.filter(({ code }) => code === 'Error');
    if (failures.length > 0) return notHelped(errorStatus(this.#plugin, aggregated(failures)));
    const status = unschedulable(this.#plugin, this.#message(statuses));
    return { status, nominatedNodeName: '', victims: [], preemption: null };
  }

  #message(statuses: readonly Status[]): string {
    const counts = new Map<string, number>();
    const count = (reason: string, by: number): void => void counts.set(reason, (counts.get(reason) ?? 0) + by);
    for (const { reasons } of statuses) for (const reason of reasons) count(reason, 1);
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
    const { candidates, others, statuses } = walk(dryRun, potential, 0, Number.POSITIVE_INFINITY);
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
      nodeStatus: Object.fromEntries(others.flatMap(({ name }, i) => (statuses[i] ? [[name, statuses[i]]] : []))),
      nominatedTies: outcome.nominatedNodeName
        ? everPicked(left ?? candidates, limit).map(({ node }) => node.name)
        : [],
      nominatedNode: outcome.nominatedNodeName || null,
      victims: outcome.victims.map(({ key }) => key),
    };
  }
}

/** Dry runs node after node from the offset on, wrapping round, until enough candidates are found. */
function walk(dryRun: DryRun, potential: readonly NodeInfo[], offset: number, limit: number): Found {
  const list = new CandidateList(limit);
  const others: NodeInfo[] = [];
  const statuses: Status[] = [];
  for (let i = 0; i < potential.length && !list.isComplete; i++) {
    const at = offset + i;
    const node = potential[at < potential.length ? at : at - potential.length];
    if (node === undefined) break;
    const result = dryRun.run(node);
    if ('victims' in result) {
      list.add(result);
    } else {
      others.push(node);
      statuses.push(result);
    }
  }
  return { candidates: list.all(), others, statuses };
}

/** Several errors as one text, each once (upstream's NewAggregate). */
function aggregated(failures: readonly Status[]): string {
  const texts = [...new Set(failures.map(({ reasons }) => reasons.join(', ')))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

/** The candidates as extenders leave them. */
function* processed(
  { processPreemption, pod }: PostFilterContext,
  candidates: readonly Candidate[],
): ExtenderCalls<{ readonly candidates: readonly Candidate[] } | { readonly error: string }> {
  if (processPreemption === undefined) return { candidates };
  const left = yield* processPreemption(pod, candidates);
  if ('error' in left) return left;
  return {
    candidates: left.candidates.map(({ node, victims, pdbViolations }) => candidateOf(node, victims, pdbViolations)),
  };
}
