import { type Diagnosis, diagnosisOf } from '../../framework/diagnosis.ts';
import type { ExtenderCalls } from '../../framework/extender-calls.ts';
import { fitErrorMessage, NO_NODES_AVAILABLE, preFilterErrorMessage } from '../../framework/fit-error.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { NodeToStatus, PostFilterContext, PostFilterOutcome } from '../../framework/post-filter.ts';
import { runPostFilter } from '../../framework/runtime/run-post-filter.ts';
import type { Status } from '../../framework/status.ts';
import { needsExtenders } from '../extenders/extender.ts';
import { preemptByExtenders } from '../extenders/preempt.ts';
import type { DecisionRecord, FilterRecord } from './decision-record.ts';
import { CycleRecord, filterNodes, type PreFilterRejection } from './filter-nodes.ts';
import { filterWithExtenders } from './filter-with-extenders.ts';
import type { Profile } from './profile.ts';
import type { ScheduleResult } from './result.ts';
import { scoreWithExtenders } from './score-with-extenders.ts';

/**
 * THE DECISION for one pod: PreEnqueue, PreFilter and Filter, and then Score, or PostFilter if no node fits. Interested
 * extenders are called after the plugins' filters and scores. The only change is where the next search starts, and with
 * `explain` there is none.
 */
export function* decidePod(profile: Profile, pod: PodInfo, explain: boolean): ExtenderCalls<DecisionRecord> {
  const { framework, cluster } = profile;
  const gated = explain || profile.asksGates ? framework.runPreEnqueue(pod) : null;
  if (gated !== null) return { end: 'gated', status: gated };
  // Upstream takes a snapshot for each attempt; `explainPod` has lent one.
  if (!explain) cluster.updateSnapshot();
  const { nodeCount } = cluster;
  if (nodeCount === 0) return { end: 'noNodes' };

  const { extenders } = profile;
  // An extender that only binds cannot change the decision, but an explanation shows its scores of 0.
  const callsExtenders = explain
    ? extenders.some((extender) => extender.isInterested(pod.pod))
    : needsExtenders(extenders, pod.pod);
  const attempt = { profile, pod, explain, callsExtenders };
  const filtered = attempt.callsExtenders
    ? yield* filterWithExtenders(profile, pod, explain)
    : filterNodes(profile, pod, explain);
  if ('failed' in filtered) return { end: 'failed', message: filtered.failed, filtered: null };
  if ('rejected' in filtered) {
    const { rejected } = filtered;
    if (rejected.code === 'Error') return { end: 'failed', message: rejected.reasons.join(', '), filtered: null };
    return yield* noFit(attempt, filtered, rejected, preFilterErrorMessage(nodeCount, rejected));
  }
  if (filtered.feasibleCount === 0) {
    return yield* noFit(attempt, filtered, filtered, fitErrorMessage(nodeCount, filtered.reasonCounts()));
  }
  if (filtered.feasibleCount === 1) {
    const [node] = filtered.feasibleNodes();
    if (node !== undefined) return { end: 'onlyNode', filtered, node };
  }

  framework.activeTrace.trace?.phase('score');
  const scores = filtered instanceof CycleRecord ? filtered.score() : yield* scoreWithExtenders(profile, pod, filtered);
  if ('failed' in scores) return { end: 'failed', message: scores.failed, filtered };
  return { end: 'scored', filtered, scores };
}

interface DecisionAttempt {
  readonly profile: Profile;
  readonly pod: PodInfo;
  readonly explain: boolean;
  readonly callsExtenders: boolean;
}

/** Ends a decision without a feasible node, after PostFilter has looked for a node where preemption helps. */
function* noFit(
  attempt: DecisionAttempt,
  rejection: PreFilterRejection | FilterRecord,
  by: Status | FilterRecord,
  message: string,
): ExtenderCalls<DecisionRecord> {
  const statuses = rejection.nodeStatuses();
  const diagnosis = diagnosisOf(statuses.distinct(), rejection.limitedBy, statuses);
  const postFilter = yield* runPostFilterPlugins(attempt, rejection, statuses);
  return { end: 'noFit', by, message, postFilter, diagnosis };
}

/** Returns the outcome of PostFilter; null if it is disabled. */
function* runPostFilterPlugins(
  { profile, pod, explain, callsExtenders }: DecisionAttempt,
  rejection: PreFilterRejection | FilterRecord,
  statuses: NodeToStatus,
): ExtenderCalls<PostFilterOutcome | null> {
  const { framework, cluster, tieBreak, draw, extenders } = profile;
  if (!profile.preemption || framework.postFilterPlugins.length === 0) return null;
  const { trace } = framework.activeTrace;
  trace?.phase('postFilter');
  const context: PostFilterContext = {
    framework,
    // A getter, because to compute the state the cycle may count all pods.
    get state() {
      return rejection.state;
    },
    podState: rejection.podState,
    pod,
    statuses,
    // An explanation must not draw, since that would change the next decision.
    draw: tieBreak === 'random' && !explain ? draw : () => 0,
    explain,
    tallied: rejection.tallied,
    ...(callsExtenders && { processPreemption: preemptByExtenders(extenders, cluster) }),
  };
  return yield* runPostFilter(framework.postFilterPlugins, context, trace);
}

/** The decision for one pod, as schedulers need it. */
export interface Decision {
  readonly result: ScheduleResult;
  readonly node: NodeInfo | null;
  /** The record of the filters if a node was chosen; null otherwise. */
  readonly filtered: Pick<FilterRecord, 'state' | 'podState'> | null;
  /** The nomination and the victims for a pod that fits nowhere; null if PostFilter did not run. */
  readonly postFilter: PostFilterOutcome | null;
  /** The rejections of a pod that fits nowhere; null for any other pod, and if there is no node. */
  readonly diagnosis: Diagnosis | null;
}

/** Makes the decision, and selects the node. The caller assumes the pod there, or nominates it. */
export function* schedulePod(profile: Profile, pod: PodInfo): ExtenderCalls<Decision> {
  const decision = decisionOf(profile, yield* decidePod(profile, pod, false));
  const { logger } = profile.framework;
  if (logger.isEnabled('debug')) logger.debug('decided', { pod: pod.key, ...decision.result });
  return decision;
}

function decisionOf(profile: Profile, record: DecisionRecord): Decision {
  switch (record.end) {
    case 'gated':
      return notPlaced({ status: 'gated', plugin: record.status.plugin, reasons: record.status.reasons });
    case 'noNodes':
      return notPlaced({ status: 'unschedulable', message: NO_NODES_AVAILABLE });
    case 'failed':
      return notPlaced({ status: 'error', message: record.message });
    case 'noFit':
      return { ...notPlaced(unschedulableResult(record)), postFilter: record.postFilter, diagnosis: record.diagnosis };
    case 'onlyNode':
      return placed(record.filtered, record.node, { score: null, feasibleNodes: 1, ties: 1 });
    case 'scored': {
      const { filtered, scores } = record;
      profile.framework.activeTrace.trace?.phase('select');
      const { node, total, ties } = scores.select(profile.tieBreak, profile.draw);
      return placed(filtered, node, { score: total, feasibleNodes: filtered.feasibleCount, ties });
    }
  }
}

/** The text of the event: the message of the filters, and then that of PostFilter. */
export function withPostFilter(message: string, outcome: PostFilterOutcome | null): string {
  const added = outcome?.status.reasons.join(', ') ?? '';
  return added === '' ? message : `${message} ${added}`;
}

function unschedulableResult({ message, postFilter }: Extract<DecisionRecord, { end: 'noFit' }>): ScheduleResult {
  const result = { status: 'unschedulable', message: withPostFilter(message, postFilter) } as const;
  if (postFilter?.status.code !== 'Success' || postFilter.nominatedNodeName === null) return result;
  const { nominatedNodeName: nominatedNode, victims } = postFilter;
  return { ...result, nominatedNode, victims: victims.map(({ key }) => key) };
}

function placed(
  filtered: FilterRecord,
  node: NodeInfo,
  detail: { score: number | null; feasibleNodes: number; ties: number },
): Decision {
  const result = { status: 'scheduled', node: node.name, ...detail } as const;
  return { result, node, filtered, postFilter: null, diagnosis: null };
}

function notPlaced(result: ScheduleResult): Decision {
  return { result, node: null, filtered: null, postFilter: null, diagnosis: null };
}
