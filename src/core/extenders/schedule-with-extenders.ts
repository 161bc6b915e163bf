import { NodeScores, selectNode } from '../../engine/cycle/node-scores.ts';
import { type Diagnosis, diagnosisOf } from '../../framework/diagnosis.ts';
import { fitErrorMessage, NO_NODES_AVAILABLE, preFilterErrorMessage } from '../../framework/fit-error.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { PostFilterOutcome } from '../../framework/post-filter.ts';
import type { Status } from '../../framework/status.ts';
import { add, type Int64 } from '../../lib/int64.ts';
import {
  askingPostFilter,
  type Decision,
  type FailedAttempt,
  failed,
  gateOf,
  notPlaced,
  placed,
  runsPostFilter,
  type SchedulePodModules,
  unschedulableDecision,
} from '../schedule-pod.ts';
import { type ExtenderScores, extenderTotal, prioritizeByExtenders } from './prioritize.ts';
import { NamedStatuses, type PreFilterRejection, reasonCounts, type Search, searchNodes } from './search.ts';
import type { Asking } from './transport.ts';

/** How an attempt ended, with everything that was found on the way. */
export type Attempt =
  | { readonly end: 'gated'; readonly status: Status }
  | { readonly end: 'noNodes' }
  /** `search`: when it was scoring that failed. */
  | { readonly end: 'failed'; readonly message: string; readonly search: Search | null }
  | {
      readonly end: 'noFit';
      readonly by: Status | Search;
      readonly message: string;
      readonly postFilter: Outcome;
      readonly diagnosis: Diagnosis;
    }
  /** The only feasible node is taken unscored. */
  | { readonly end: 'single'; readonly search: Search }
  | { readonly end: 'scored'; readonly search: Search; readonly scores: ExtendedScores };

type Outcome = PostFilterOutcome | null;

/** Scores of plugins and extenders; totals by position in `plugins.nodes`. */
export interface ExtendedScores {
  readonly plugins: NodeScores;
  readonly extenders: readonly ExtenderScores[];
  readonly totals: readonly Int64[];
}

/**
 * THE DECISION for a pod in which extenders are interested: the steps of `schedulePod`, and after filter and score the
 * extenders have their say. Changes nothing but where the next search starts.
 */
export function* schedulePodWithExtenders(modules: SchedulePodModules, pod: PodInfo): Asking<Decision> {
  const attempt = yield* attemptWithExtenders(modules, pod, false);
  switch (attempt.end) {
    case 'gated':
      return notPlaced({ status: 'gated', plugin: attempt.status.plugin, reasons: attempt.status.reasons });
    case 'noNodes':
      return notPlaced({ status: 'unschedulable', message: NO_NODES_AVAILABLE });
    case 'failed':
      return failed([attempt.message]);
    case 'noFit':
      return unschedulableDecision(attempt.message, attempt.postFilter, attempt.diagnosis);
    default:
      return select(modules, attempt);
  }
}

function select(
  { tieBreak, draw }: SchedulePodModules,
  attempt: Extract<Attempt, { search: Search; end: 'single' | 'scored' }>,
): Decision {
  const { feasible } = attempt.search;
  if (attempt.end === 'single') {
    const [node] = feasible;
    if (node !== undefined) return placed(attempt.search, node, { score: null, feasibleNodes: 1, ties: 1 });
    return failed(['no node is left']);
  }
  const { node, total, ties } = selectNode(feasible, attempt.scores.totals, tieBreak, draw);
  return placed(attempt.search, node, { score: total, feasibleNodes: feasible.length, ties });
}

/** `explain`: somebody only wants to know; nothing changes. */
export function* attemptWithExtenders(modules: SchedulePodModules, pod: PodInfo, explain: boolean): Asking<Attempt> {
  const { cluster } = modules;
  const status = gateOf(modules, pod);
  if (status !== null) return { end: 'gated', status };
  const { nodeCount } = cluster;
  if (nodeCount === 0) return { end: 'noNodes' };

  const search = yield* searchNodes(modules, pod, explain);
  if ('rejected' in search) return yield* rejectedByPreFilter(modules, pod, search.rejected, explain);
  if ('failed' in search) return { end: 'failed', message: search.failed, search: null };
  if (search.feasible.length === 0) {
    const statuses = new NamedStatuses(cluster, search.statuses);
    const postFilter = yield* runPostFilter(modules, { pod, state: search.state, statuses }, explain);
    const message = fitErrorMessage(nodeCount, reasonCounts(search.statuses));
    const diagnosis = diagnosisOf(statuses.distinct(), search.limitedBy, statuses);
    return { end: 'noFit', by: search, message, postFilter, diagnosis };
  }
  if (search.feasible.length === 1) return { end: 'single', search };
  return yield* score(modules, pod, search);
}

/** The same word on every node. */
function* rejectedByPreFilter(
  modules: SchedulePodModules,
  pod: PodInfo,
  { status, state, limitedBy }: PreFilterRejection,
  explain: boolean,
): Asking<Attempt> {
  const { cluster } = modules;
  if (status.code === 'Error') return { end: 'failed', message: status.reasons.join(', '), search: null };
  const message = preFilterErrorMessage(cluster.nodeCount, status);
  const everywhere = new Map(cluster.nodeInfos().map(({ name }) => [name, status]));
  const statuses = new NamedStatuses(cluster, everywhere);
  const postFilter = yield* runPostFilter(modules, { pod, state, statuses }, explain);
  const diagnosis = diagnosisOf([status], limitedBy, statuses);
  return { end: 'noFit', by: status, message, postFilter, diagnosis };
}

function* runPostFilter(modules: SchedulePodModules, attempt: FailedAttempt, explain: boolean): Asking<Outcome> {
  return runsPostFilter(modules) ? yield* askingPostFilter(modules, attempt, explain) : null;
}

/** PreScore and Score by the plugins' own methods: extenders may have described nodes anew. */
function* score({ framework, extenders }: SchedulePodModules, pod: PodInfo, search: Search): Asking<Attempt> {
  const { feasible } = search;
  const plugins = new NodeScores(framework, search.state.clone(), pod, feasible);
  const failure = plugins.run();
  if (failure !== null) return { end: 'failed', message: failure.reasons.join(', '), search };
  const given = yield* prioritizeByExtenders(extenders, pod, feasible);
  const totals = feasible.map(({ name }, i) => add(plugins.totals[i] ?? 0, extenderTotal(given, name)));
  return { end: 'scored', search, scores: { plugins, extenders: given, totals } };
}
