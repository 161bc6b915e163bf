import type { Cycle } from '../engine/cycle/engine.ts';
import { fitErrorMessage, NO_NODES_AVAILABLE, preFilterErrorMessage } from '../framework/fit-error.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { PostFilterOutcome } from '../framework/post-filter.ts';
import type { Explanation, NodeExplanation, PreemptionExplanation } from './result.ts';
import { postFilter, type SchedulePodModules, searchWindow, withPostFilter } from './schedule-pod.ts';

/** An explanation in which nothing was found yet. */
export const NOTHING = {
  preEnqueue: null,
  preFilter: null,
  nodes: [],
  feasible: [],
  best: [],
  nodeOrder: [],
  scoringSkipped: false,
  search: null,
  preemption: null,
  message: '',
};

/** For a pod of another scheduler: nothing was looked at. */
export const NOT_RESPONSIBLE: Explanation = { ...NOTHING, status: 'notResponsible' };

/** The same steps as `schedulePod`, with everything that was found on the way. Changes nothing. */
export function explainPod(modules: SchedulePodModules, pod: PodInfo): Explanation {
  const { framework, engine, cluster, search } = modules;
  const empty: Explanation = {
    ...NOTHING,
    status: 'unschedulable',
    nodeOrder: cluster.nodeInfos().map((node) => node.name),
  };
  const preEnqueue = framework.runPreEnqueue(pod);
  if (preEnqueue !== null) return { ...empty, status: 'gated', preEnqueue, message: preEnqueue.reasons.join(', ') };
  if (cluster.nodeCount === 0) return { ...empty, message: NO_NODES_AVAILABLE };

  const cycle = engine.begin(pod);
  if (cycle.rejected !== null) {
    if (cycle.rejected.code === 'Error')
      return { ...empty, status: 'error', message: cycle.rejected.reasons.join(', ') };
    const message = preFilterErrorMessage(cluster.nodeCount, cycle.rejected);
    return { ...empty, preFilter: cycle.rejected, ...explainPostFilter(modules, pod, cycle, message) };
  }

  const window = searchWindow(modules);
  const feasibleNodes = cycle.filter(window);
  if (cycle.failure !== null) return { ...empty, status: 'error', message: cycle.failure.reasons.join(', ') };
  const nodes = cycle.feasibleNodes();
  const found = {
    ...empty,
    feasible: nodes.map((node) => node.name),
    search: {
      startIndex: window.start,
      numNodesToFind: search.window(modules.percentageOfNodesToScore, cluster.nodeCount).wanted,
      nextStartIndex: (window.start + cycle.processed) % cluster.nodeCount,
    },
  };
  if (feasibleNodes === 0) {
    const message = fitErrorMessage(cluster.nodeCount, cycle.reasonCounts());
    const explained = withoutScores(cluster.nodeInfos(), cycle);
    return { ...found, nodes: explained, ...explainPostFilter(modules, pod, cycle, message) };
  }
  if (feasibleNodes === 1) {
    const explained = withoutScores(cluster.nodeInfos(), cycle);
    return { ...found, status: 'scheduled', nodes: explained, best: found.feasible, scoringSkipped: true };
  }

  const failure = cycle.score();
  if (failure !== null) {
    const explained = withoutScores(cluster.nodeInfos(), cycle);
    return { ...found, status: 'error', nodes: explained, message: failure.reasons.join(', ') };
  }
  const bestTotal = nodes.reduce((best, node) => Math.max(best, cycle.total(node)), Number.NEGATIVE_INFINITY);
  const best = nodes.filter((node) => cycle.total(node) === bestTotal).map((node) => node.name);
  return { ...found, status: 'scheduled', nodes: withScores(cluster.nodeInfos(), nodes, cycle), best };
}

function explainPostFilter(
  modules: SchedulePodModules,
  pod: PodInfo,
  cycle: Cycle,
  filterMessage: string,
): { preemption: PreemptionExplanation | null; message: string } {
  const outcome = postFilter(modules, pod, cycle, true);
  return { preemption: explainedPostFilter(outcome), message: withPostFilter(filterMessage, outcome) };
}

export function explainedPostFilter(outcome: PostFilterOutcome | null): PreemptionExplanation | null {
  if (outcome === null) return null;
  const { status, preemption } = outcome;
  const report = preemption ?? {
    potentialNodes: [],
    numCandidates: 0,
    candidates: [],
    nodeStatus: {},
    nominatedTies: [],
    nominatedNode: null,
    victims: [],
  };
  return { status: status.code, message: status.reasons.join(', '), ...report };
}

/** Nodes that the search did not come to are left out. */
function withoutScores(all: readonly NodeInfo[], cycle: Cycle): NodeExplanation[] {
  const feasible = new Set(cycle.feasibleNodes());
  const rejections = new Map(cycle.rejections());
  return all.flatMap((node) => {
    const rejected = rejections.get(node) ?? null;
    return rejected !== null || feasible.has(node) ? [{ node: node.name, rejected, scores: [], total: null }] : [];
  });
}

function withScores(all: readonly NodeInfo[], feasible: readonly NodeInfo[], cycle: Cycle): NodeExplanation[] {
  const plugins = cycle.pluginScores();
  const scored = new Map(feasible.map((node) => [node.name, { node, total: cycle.total(node) }]));
  return withoutScores(all, cycle).map((explanation) => {
    const found = scored.get(explanation.node);
    if (found === undefined) return explanation;
    const scores = plugins.map(({ plugin, weight, raw, normalized }) => {
      const score = normalized(found.node);
      // A negative weight makes -0 of 0.
      return { plugin, raw: raw(found.node), normalized: score, weighted: score * weight + 0 };
    });
    return { ...explanation, scores, total: found.total };
  });
}
