import { type Diagnosis, diagnosisOf } from '../../framework/diagnosis.ts';
import { type ExtenderCalls, withoutExtenderCalls } from '../../framework/extender-calls.ts';
import { fitErrorMessage, NO_NODES_AVAILABLE, preFilterErrorMessage } from '../../framework/fit-error.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { PostFilterAttempt, type PostFilterOutcome } from '../../framework/post-filter.ts';
import { runPostFilter } from '../../framework/runtime/run-post-filter.ts';
import type { Status } from '../../framework/status.ts';
import { combined } from '../../lib/combined.ts';
import { needsExtenders } from '../extenders/extender.ts';
import { preemptByExtenders } from '../extenders/preempt.ts';
import type { DecisionRecord, FilterRecord, ScoreRecord } from './decision-record.ts';
import { type CycleRecord, type FilterFailure, filterNodes, type PreFilterRejection } from './filter-nodes.ts';
import { filterWithExtenders } from './filter-with-extenders.ts';
import type { Profile } from './profile.ts';
import type { ScheduleResult } from './result.ts';
import { scoreWithExtenders } from './score-with-extenders.ts';

/** Who decides about which pod, and what is asked. */
interface DecisionAttempt {
  readonly profile: Profile;
  readonly pod: PodInfo;
  readonly explain: boolean;
  /** Whether to name the plugins that rejected a pod that fits nowhere. */
  readonly diagnose: boolean;
  readonly callsExtenders: boolean;
}

/**
 * THE DECISION for one pod: PreEnqueue, PreFilter and Filter, and then Score, or PostFilter if no node fits. Interested
 * extenders are called after the plugins' filters and scores. The only change is where the next search starts, and with
 * `explain` there is none.
 */
export function* decidePod(profile: Profile, pod: PodInfo, explain: boolean): ExtenderCalls<DecisionRecord> {
  const ended = beforeFilters(profile, pod, explain);
  if (ended !== null) return ended;
  const { extenders } = profile;
  // An extender that only binds cannot change the decision, but an explanation shows its scores of 0.
  const callsExtenders = explain
    ? extenders.some((extender) => extender.isInterested(pod.pod))
    : needsExtenders(extenders, pod.pod);
  const attempt = { profile, pod, explain, diagnose: true, callsExtenders };
  if (!callsExtenders) return decideAlone(attempt);
  const filtered = afterFilters(profile, yield* filterWithExtenders(profile, pod, explain), true);
  if ('end' in filtered) return filtered;
  if ('message' in filtered) return yield* noFit(attempt, filtered);
  profile.framework.activeTrace.trace?.phase('score');
  return afterScores(filtered, yield* scoreWithExtenders(profile, pod, filtered));
}

/** The decision for a pod in which no extender is interested, so that nothing has to wait. */
function decideAlone(attempt: DecisionAttempt): DecisionRecord {
  const { profile, pod, explain, diagnose } = attempt;
  const postFilters = profile.preemption && profile.framework.postFilterPlugins.length > 0;
  const record = filterNodes(profile, pod, explain);
  const filtered = afterFilters(profile, record, diagnose || postFilters);
  if ('end' in filtered) return filtered;
  if ('message' in filtered) {
    if (postFilters) return withoutExtenderCalls(noFit(attempt, filtered));
    return {
      end: 'noFit',
      by: filtered.by,
      message: filtered.message,
      postFilter: null,
      diagnosis: diagnosed(attempt, filtered),
    };
  }
  profile.framework.activeTrace.trace?.phase('score');
  return afterScores(filtered, (record as CycleRecord).score());
}

/** What ends the decision before a node is filtered; null if nothing does. */
function beforeFilters(
  { framework, cluster, asksGates }: Profile,
  pod: PodInfo,
  explain: boolean,
): DecisionRecord | null {
  const gated = explain || asksGates ? framework.runPreEnqueue(pod) : null;
  if (gated !== null) return { end: 'gated', status: gated };
  // Upstream takes a snapshot for each attempt; `explainPod` has lent one.
  if (!explain) cluster.updateSnapshot();
  return cluster.nodeCount === 0 ? { end: 'noNodes' } : null;
}

/** The rejection of a pod by all nodes. */
interface NoFit {
  readonly rejection: PreFilterRejection | FilterRecord;
  readonly by: Status | FilterRecord;
  /** The text of the event without the message of PostFilter. */
  readonly message: string;
}

/** Returns the record if there are nodes to score. `needsStatuses`: whether the statuses of nodes are read later. */
function afterFilters<T extends FilterRecord>(
  { cluster: { nodeCount } }: Profile,
  filtered: T | PreFilterRejection | FilterFailure,
  needsStatuses: boolean,
): T | NoFit | DecisionRecord {
  if ('failed' in filtered) return { end: 'failed', message: filtered.failed, filtered: null };
  if ('rejected' in filtered) {
    const { rejected } = filtered;
    if (rejected.code === 'Error') return { end: 'failed', message: rejected.reasons.join(', '), filtered: null };
    return { rejection: filtered, by: rejected, message: preFilterErrorMessage(nodeCount, rejected) };
  }
  if (filtered.feasibleCount === 0) {
    // The text can be made from the statuses, or without them.
    if (needsStatuses) filtered.nodeStatuses();
    return { rejection: filtered, by: filtered, message: fitErrorMessage(nodeCount, filtered.reasonCounts()) };
  }
  if (filtered.feasibleCount > 1) return filtered;
  const [node] = filtered.feasibleNodes();
  return node === undefined ? filtered : { end: 'onlyNode', filtered, node };
}

function afterScores(filtered: FilterRecord, scores: ScoreRecord | FilterFailure): DecisionRecord {
  return 'failed' in scores ? { end: 'failed', message: scores.failed, filtered } : { end: 'scored', filtered, scores };
}

/** Ends a decision without a feasible node, after PostFilter has looked for a node where preemption helps. */
function* noFit(attempt: DecisionAttempt, found: NoFit): ExtenderCalls<DecisionRecord> {
  const diagnosis = diagnosed(attempt, found);
  const postFilter = yield* runPostFilterPlugins(attempt, found.rejection);
  return { end: 'noFit', by: found.by, message: found.message, postFilter, diagnosis };
}

function diagnosed({ diagnose }: DecisionAttempt, { rejection }: NoFit): Diagnosis | null {
  if (!diagnose) return null;
  const statuses = rejection.nodeStatuses();
  return diagnosisOf(statuses.distinct(), rejection.limitedBy, statuses);
}

/** Returns the outcome of PostFilter; null if it is disabled. */
function* runPostFilterPlugins(
  { profile, pod, explain, callsExtenders }: DecisionAttempt,
  rejection: PreFilterRejection | FilterRecord,
): ExtenderCalls<PostFilterOutcome | null> {
  const { framework, cluster, tieBreak, draw, extenders } = profile;
  if (!profile.preemption || framework.postFilterPlugins.length === 0) return null;
  const { trace } = framework.activeTrace;
  trace?.phase('postFilter');
  const context = new PostFilterAttempt(rejection, {
    framework,
    pod,
    statuses: rejection.nodeStatuses(),
    // An explanation must not draw, since that would change the next decision.
    draw: tieBreak === 'random' && !explain ? draw : () => 0,
    explain,
    processPreemption: callsExtenders ? preemptByExtenders(extenders, cluster) : undefined,
  });
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
  /** The rejections of a pod that fits nowhere; null for any other pod, without nodes, and if nobody asked for it. */
  readonly diagnosis: Diagnosis | null;
}

/** Makes the decision, and selects the node. The caller assumes the pod there, or nominates it. */
export function* schedulePod(profile: Profile, pod: PodInfo): ExtenderCalls<Decision> {
  return logged(profile, pod, decisionOf(profile, yield* decidePod(profile, pod, false)));
}

/** As `schedulePod`, for a pod in which no extender is interested, and without a diagnosis. */
export function schedulePodAlone(profile: Profile, pod: PodInfo): Decision {
  const attempt = { profile, pod, explain: false, diagnose: false, callsExtenders: false };
  const record = beforeFilters(profile, pod, false) ?? decideAlone(attempt);
  return logged(profile, pod, decisionOf(profile, record));
}

function logged(profile: Profile, pod: PodInfo, decision: Decision): Decision {
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
      return noFitDecision(record);
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

type NoFitRecord = Pick<Extract<DecisionRecord, { end: 'noFit' }>, 'message' | 'postFilter' | 'diagnosis'>;

/** The decision for a pod that fits nowhere. */
export function noFitDecision(record: NoFitRecord): Decision {
  const { postFilter, diagnosis } = record;
  return { result: unschedulableResult(record), node: null, filtered: null, postFilter, diagnosis };
}

function unschedulableResult({ message, postFilter }: NoFitRecord): ScheduleResult {
  const result = { status: 'unschedulable', message: withPostFilter(message, postFilter) } as const;
  if (postFilter?.status.code !== 'Success' || postFilter.nominatedNodeName === null) return result;
  const { nominatedNodeName: nominatedNode, victims } = postFilter;
  return combined(result, { nominatedNode, victims: victims.map(({ key }) => key) });
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
