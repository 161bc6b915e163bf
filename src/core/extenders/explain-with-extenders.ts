import { NO_NODES_AVAILABLE } from '../../framework/fit-error.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, unresolvable } from '../../framework/status.ts';
import { explainedPostFilter, NOTHING } from '../explain.ts';
import type { Explanation, ExtenderScore, NodeExplanation, PluginScore } from '../result.ts';
import { type SchedulePodModules, withPostFilter } from '../schedule-pod.ts';
import { type Attempt, attemptWithExtenders, type ExtendedScores } from './schedule-with-extenders.ts';
import type { Search } from './search.ts';
import type { Asking } from './transport.ts';

/** The same steps as `schedulePodWithExtenders`, with everything that was found on the way. Changes nothing. */
export function* explainWithExtenders(modules: SchedulePodModules, pod: PodInfo): Asking<Explanation> {
  const attempt = yield* attemptWithExtenders(modules, pod, true);
  const nodeOrder = modules.cluster.nodeInfos().map(({ name }) => name);
  return { ...NOTHING, nodeOrder, ...explained(modules, attempt) };
}

type Part = Partial<Explanation> & Pick<Explanation, 'status'>;

function explained(modules: SchedulePodModules, attempt: Attempt): Part {
  switch (attempt.end) {
    case 'gated':
      return { status: 'gated', preEnqueue: attempt.status, message: attempt.status.reasons.join(', ') };
    case 'noNodes':
      return { status: 'unschedulable', message: NO_NODES_AVAILABLE };
    case 'failed': {
      const { search, message } = attempt;
      return { status: 'error', message, ...(search !== null && foundBy(modules, search, null)) };
    }
    case 'noFit': {
      const { by, postFilter } = attempt;
      const found = 'feasible' in by ? foundBy(modules, by, null) : { preFilter: by };
      const message = withPostFilter(attempt.message, postFilter);
      return { status: 'unschedulable', ...found, message, preemption: explainedPostFilter(postFilter) };
    }
    case 'single': {
      const found = foundBy(modules, attempt.search, null);
      return { status: 'scheduled', ...found, best: found.feasible, scoringSkipped: true };
    }
    case 'scored': {
      const { search, scores } = attempt;
      const total = scores.totals.reduce((most, value) => (value > most ? value : most), Number.NEGATIVE_INFINITY);
      const best = search.feasible.filter((_, i) => scores.totals[i] === total).map(({ name }) => name);
      return { status: 'scheduled', ...foundBy(modules, search, scores), best };
    }
  }
}

function foundBy(
  { cluster, search: nodeSearch, percentageOfNodesToScore }: SchedulePodModules,
  search: Search,
  scores: ExtendedScores | null,
): Pick<Explanation, 'nodes' | 'feasible' | 'search'> {
  const { window, processed, feasible } = search;
  const { nodeCount } = cluster;
  return {
    nodes: nodesOf(cluster.nodeInfos(), search, scores),
    feasible: feasible.map(({ name }) => name),
    search: {
      startIndex: window.start,
      numNodesToFind: nodeSearch.window(percentageOfNodesToScore, nodeCount).wanted,
      nextStartIndex: (window.start + processed) % nodeCount,
    },
  };
}

const DROPPED = unresolvable('');

/** Known nodes in snapshot order, then those that only an extender knows. */
function nodesOf(
  all: readonly NodeInfo[],
  { feasible, statuses, dropped }: Search,
  scores: ExtendedScores | null,
): NodeExplanation[] {
  const rejections = new Map<string, Status>([...dropped.map((name) => [name, DROPPED] as const), ...statuses]);
  const positions = new Map(feasible.map(({ name }, i) => [name, i]));
  const names = new Set([...all.map(({ name }) => name), ...positions.keys(), ...rejections.keys()]);
  return [...names].flatMap((node): NodeExplanation[] => {
    const position = positions.get(node);
    if (position !== undefined) return [{ node, rejected: null, ...scoresOf(feasible, position, scores) }];
    const rejected = rejections.get(node);
    return rejected === undefined ? [] : [{ node, rejected, scores: [], total: null }];
  });
}

function scoresOf(
  feasible: readonly NodeInfo[],
  position: number,
  scores: ExtendedScores | null,
): Pick<NodeExplanation, 'scores' | 'extenderScores' | 'total'> {
  const node = feasible[position];
  if (scores === null || node === undefined) return { scores: [], total: null };
  const byPlugin = scores.plugins.pluginScores().map(({ plugin, weight, raw, normalized }): PluginScore => {
    const score = normalized(node);
    // A negative weight makes -0 of 0.
    return { plugin, raw: raw(node), normalized: score, weighted: score * weight + 0 };
  });
  const extenderScores = scores.extenders.flatMap((given): ExtenderScore[] => {
    const weighted = given.scores.get(node.name);
    return weighted === undefined ? [] : [{ extender: given.extender, weighted: Number(weighted) }];
  });
  return { scores: byPlugin, extenderScores, total: Number(scores.totals[position] ?? 0) };
}
