import type { Cycle, DrawTie, Engine, TieBreak } from '../engine/cycle/engine.ts';
import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import { type Diagnosis, diagnosisOf } from '../framework/diagnosis.ts';
import { fitErrorMessage, NO_NODES_AVAILABLE, preFilterErrorMessage } from '../framework/fit-error.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { NodeSearch, SearchWindow } from '../framework/node-search.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { type NodeToStatus, type PostFilterOutcome, runPostFilter } from '../framework/post-filter.ts';
import type { Framework } from '../framework/runtime/framework.ts';
import type { Status } from '../framework/status.ts';
import type { Extender } from './extenders/extender.ts';
import { type Asking, withoutAsking } from './extenders/transport.ts';
import type { ScheduleResult } from './result.ts';

export interface SchedulePodModules {
  readonly framework: Framework;
  readonly engine: Engine;
  readonly cluster: ClusterState;
  readonly search: NodeSearch;
  /** 0 adapts to the size of the cluster, 100 looks at every node. */
  readonly percentageOfNodesToScore: number;
  readonly tieBreak: TieBreak;
  readonly draw: DrawTie;
  /** Whether PostFilter runs for a pod that fits nowhere. */
  readonly preemption: boolean;
  /** Whether PreEnqueue is part of a decision; false: a queue has asked. Default true. */
  readonly asksGates?: boolean;
  /** In the order in which they are asked. Those that are interested in a pod have to be: `schedulePod` asks nobody. */
  readonly extenders: readonly Extender[];
}

export interface Decision {
  readonly result: ScheduleResult;
  readonly node: NodeInfo | null;
  /** What PostFilter found for a pod that fits nowhere; null when it did not run. */
  readonly postFilter: PostFilterOutcome | null;
  /** The attempt that chose the node; null when none was chosen. */
  readonly cycle: Pick<Cycle, 'state'> | null;
  /** Who rejected a pod that fits nowhere; null for any other, and where there is no node. */
  readonly diagnosis: Diagnosis | null;
}

/**
 * THE DECISION, for one pod: gates, encode and PreFilter, filter, score, select; or, when no node fits, PostFilter.
 * Changes nothing; the caller assumes the pod on the node, or nominates it.
 */
export function schedulePod(modules: SchedulePodModules, pod: PodInfo): Decision {
  const { framework, engine, cluster, search } = modules;
  const { watch } = framework;

  const gated = gateOf(modules, pod);
  if (gated !== null) return notPlaced({ status: 'gated', plugin: gated.plugin, reasons: gated.reasons });
  if (cluster.nodeCount === 0) return notPlaced({ status: 'unschedulable', message: NO_NODES_AVAILABLE });

  const cycle = engine.begin(pod);
  if (cycle.rejected !== null) {
    if (cycle.rejected.code === 'Error') return failed(cycle.rejected.reasons);
    return noFit(modules, pod, cycle, preFilterErrorMessage(cluster.nodeCount, cycle.rejected));
  }

  watch.trace?.phase('filter');
  const feasibleNodes = cycle.filter(searchWindow(modules));
  search.advance(cycle.processed, cluster.nodeCount);
  if (cycle.failure !== null) return failed(cycle.failure.reasons);
  if (feasibleNodes === 0) {
    return noFit(modules, pod, cycle, fitErrorMessage(cluster.nodeCount, cycle.reasonCounts()));
  }
  if (feasibleNodes === 1) {
    const [node] = cycle.feasibleNodes();
    if (node !== undefined) return placed(cycle, node, { score: null, feasibleNodes, ties: 1 });
  }

  watch.trace?.phase('score');
  const failure = cycle.score();
  if (failure !== null) return failed(failure.reasons);

  watch.trace?.phase('select');
  const { node, total, ties } = cycle.select(modules.tieBreak, modules.draw);
  return placed(cycle, node, { score: total, feasibleNodes, ties });
}

/** The PreEnqueue plugin that holds the pod back; null lets it in. */
export function gateOf({ framework, asksGates }: SchedulePodModules, pod: PodInfo): Status | null {
  return asksGates === false ? null : framework.runPreEnqueue(pod);
}

/** Where nobody scores, and no extender filters, the first feasible node is as good as any. */
export function searchWindow(modules: SchedulePodModules): SearchWindow {
  const { search, framework, percentageOfNodesToScore, cluster, extenders } = modules;
  const window = search.window(percentageOfNodesToScore, cluster.nodeCount);
  const isScored = framework.scorePlugins.length > 0 || extenders.some((each) => each.has('prioritize'));
  return isScored || extenders.some((each) => each.has('filter')) ? window : { ...window, wanted: 1 };
}

/** PostFilter for a pod that was rejected everywhere; null when it is switched off. */
export function postFilter(
  modules: SchedulePodModules,
  pod: PodInfo,
  cycle: Cycle,
  explain: boolean,
): PostFilterOutcome | null {
  if (!runsPostFilter(modules)) return null;
  const failed = { pod, state: cycle.state, statuses: cycle.nodeStatuses() };
  return withoutAsking(askingPostFilter({ ...modules, extenders: [] }, failed, explain));
}

export function runsPostFilter({ framework, preemption }: SchedulePodModules): boolean {
  return preemption && framework.postFilterPlugins.length > 0;
}

/** An attempt that found no node. */
export interface FailedAttempt {
  readonly pod: PodInfo;
  /** As PreFilter left it. */
  readonly state: CycleState;
  readonly statuses: NodeToStatus;
}

/** PostFilter, with extenders that have a word about preemption. */
export function askingPostFilter(
  modules: SchedulePodModules,
  failed: FailedAttempt,
  explain: boolean,
): Asking<PostFilterOutcome> {
  const { framework, engine, tieBreak, draw, extenders } = modules;
  framework.watch.trace?.phase('postFilter');
  return runPostFilter(framework.postFilterPlugins, {
    ...failed,
    framework,
    // To explain must not use up draws: the next decision would be another.
    draw: tieBreak === 'random' && !explain ? draw : () => 0,
    explain,
    numeric: engine.name !== 'reference',
    extenders,
  });
}

/** The event's text: what the filters said, then what PostFilter adds. */
export function withPostFilter(message: string, outcome: PostFilterOutcome | null): string {
  const added = outcome?.status.reasons.join(', ') ?? '';
  return added === '' ? message : `${message} ${added}`;
}

function noFit(modules: SchedulePodModules, pod: PodInfo, cycle: Cycle, filterMessage: string): Decision {
  const statuses = cycle.nodeStatuses();
  const diagnosis = diagnosisOf(statuses.distinct(), cycle.limitedBy, statuses);
  return unschedulableDecision(filterMessage, postFilter(modules, pod, cycle, false), diagnosis);
}

/** What follows for a pod that fits nowhere from what PostFilter found. */
export function unschedulableDecision(
  filterMessage: string,
  outcome: PostFilterOutcome | null,
  diagnosis: Diagnosis | null,
): Decision {
  const message = withPostFilter(filterMessage, outcome);
  if (outcome?.status.code !== 'Success' || outcome.nominatedNodeName === null) {
    return { result: { status: 'unschedulable', message }, node: null, postFilter: outcome, cycle: null, diagnosis };
  }
  const nominatedNode = outcome.nominatedNodeName;
  const victims = outcome.victims.map(({ key }) => key);
  return {
    result: { status: 'unschedulable', message, nominatedNode, victims },
    node: null,
    postFilter: outcome,
    cycle: null,
    diagnosis,
  };
}

export function placed(
  cycle: Pick<Cycle, 'state'>,
  node: NodeInfo,
  detail: { score: number | null; feasibleNodes: number; ties: number },
): Decision {
  return {
    result: { status: 'scheduled', node: node.name, ...detail },
    node,
    postFilter: null,
    cycle,
    diagnosis: null,
  };
}

export function notPlaced(result: ScheduleResult): Decision {
  return { result, node: null, postFilter: null, cycle: null, diagnosis: null };
}

export function failed(reasons: readonly string[]): Decision {
  return notPlaced({ status: 'error', message: reasons.join(', ') });
}
