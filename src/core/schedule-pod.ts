import type { ClusterState } from './cache/cluster-state.ts';
import type { Engine } from './engine/engine.ts';
import { fitErrorMessage, NO_NODES_AVAILABLE, preFilterErrorMessage } from './framework/fit-error.ts';
import type { Framework } from './framework/framework.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { PodInfo } from './framework/pod-info.ts';
import type { ScheduleResult } from './result.ts';

export interface SchedulePodModules {
  readonly framework: Framework;
  readonly engine: Engine;
  readonly cluster: ClusterState;
  /** Picks one of n equally good nodes: 0 is the one that was learned of first. */
  readonly draw: (ties: number) => number;
}

export interface Decision {
  readonly result: ScheduleResult;
  readonly node: NodeInfo | null;
}

/**
 * THE DECISION, for one pod: gates, encode and PreFilter, filter, score, select. Changes nothing; the caller assumes
 * the pod on the node.
 */
export function schedulePod(modules: SchedulePodModules, pod: PodInfo): Decision {
  const { framework, engine, cluster, draw } = modules;

  const gated = framework.runPreEnqueue(pod);
  if (gated !== null) return notPlaced({ status: 'gated', plugin: gated.plugin, reasons: gated.reasons });
  if (cluster.nodeCount === 0) return notPlaced({ status: 'unschedulable', message: NO_NODES_AVAILABLE });

  const cycle = engine.begin(pod);
  if (cycle.rejected !== null) {
    if (cycle.rejected.code === 'Error') return failed(cycle.rejected.reasons);
    return notPlaced({ status: 'unschedulable', message: preFilterErrorMessage(cluster.nodeCount, cycle.rejected) });
  }

  const feasibleNodes = cycle.filter();
  if (feasibleNodes === 0) {
    return notPlaced({ status: 'unschedulable', message: fitErrorMessage(cluster.nodeCount, cycle.reasonCounts()) });
  }
  if (feasibleNodes === 1) {
    const [node] = cycle.feasibleNodes();
    if (node !== undefined) return placed(node, { score: null, feasibleNodes, ties: 1 });
  }

  const failure = cycle.score();
  if (failure !== null) return failed(failure.reasons);

  const { node, total, ties } = cycle.select(draw);
  return placed(node, { score: total, feasibleNodes, ties });
}

function placed(node: NodeInfo, detail: { score: number | null; feasibleNodes: number; ties: number }): Decision {
  return { result: { status: 'scheduled', node: node.name, ...detail }, node };
}

function notPlaced(result: ScheduleResult): Decision {
  return { result, node: null };
}

function failed(reasons: readonly string[]): Decision {
  return notPlaced({ status: 'error', message: reasons.join(', ') });
}
