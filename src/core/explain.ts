import type { Cycle } from './engine/engine.ts';
import { fitErrorMessage, NO_NODES_AVAILABLE, preFilterErrorMessage } from './framework/fit-error.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { PodInfo } from './framework/pod-info.ts';
import type { Explanation, NodeExplanation } from './result.ts';
import type { SchedulePodModules } from './schedule-pod.ts';

/** The same steps as `schedulePod`, with everything that was found on the way. Changes nothing. */
export function explainPod({ framework, engine, cluster }: SchedulePodModules, pod: PodInfo): Explanation {
  const empty: Explanation = {
    status: 'unschedulable',
    preEnqueue: null,
    preFilter: null,
    nodes: [],
    feasible: [],
    best: [],
    nodeOrder: cluster.nodeInfos().map((node) => node.name),
    scoringSkipped: false,
    message: '',
  };
  const preEnqueue = framework.runPreEnqueue(pod);
  if (preEnqueue !== null) return { ...empty, status: 'gated', preEnqueue, message: preEnqueue.reasons.join(', ') };
  if (cluster.nodeCount === 0) return { ...empty, message: NO_NODES_AVAILABLE };

  const cycle = engine.begin(pod);
  if (cycle.rejected !== null) {
    if (cycle.rejected.code === 'Error')
      return { ...empty, status: 'error', message: cycle.rejected.reasons.join(', ') };
    const message = preFilterErrorMessage(cluster.nodeCount, cycle.rejected);
    return { ...empty, preFilter: cycle.rejected, message };
  }

  const feasibleNodes = cycle.filter();
  const nodes = cycle.feasibleNodes();
  const found = { ...empty, feasible: nodes.map((node) => node.name) };
  if (feasibleNodes === 0) {
    const message = fitErrorMessage(cluster.nodeCount, cycle.reasonCounts());
    return { ...found, nodes: withoutScores(cluster.nodeInfos(), cycle), message };
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

function withoutScores(all: readonly NodeInfo[], cycle: Cycle): NodeExplanation[] {
  const rejections = new Map(cycle.rejections());
  return all.map((node) => ({ node: node.name, rejected: rejections.get(node) ?? null, scores: [], total: null }));
}

function withScores(all: readonly NodeInfo[], feasible: readonly NodeInfo[], cycle: Cycle): NodeExplanation[] {
  const totals = new Map(feasible.map((node) => [node, cycle.total(node)]));
  const plugins = cycle.pluginScores();
  const rejections = new Map(cycle.rejections());
  return all.map((node) => {
    const total = totals.get(node);
    if (total === undefined)
      return { node: node.name, rejected: rejections.get(node) ?? null, scores: [], total: null };
    const scores = plugins.map((scores) => {
      const normalized = scores.normalized(node);
      const weighted = normalized * scores.weight;
      return { plugin: scores.plugin, raw: scores.raw(node), normalized, weighted };
    });
    return { node: node.name, rejected: null, scores, total };
  });
}
