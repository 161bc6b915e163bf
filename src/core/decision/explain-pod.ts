import type { ExtenderCalls } from '../../framework/extender-calls.ts';
import { NO_NODES_AVAILABLE } from '../../framework/fit-error.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { PostFilterOutcome } from '../../framework/post-filter.ts';
import type { Status } from '../../framework/status.ts';
import { combined } from '../../lib/combined.ts';
import type { DecisionRecord, FilterRecord, ScoreRecord } from './decision-record.ts';
import type { Profile } from './profile.ts';
import type { Explanation, ExtenderScore, NodeExplanation, PluginScore, PreemptionExplanation } from './result.ts';
import { decidePod, withPostFilter } from './schedule-pod.ts';

/** An explanation without any details. */
const NOTHING = {
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

/** The explanation for a pod of another scheduler. */
export const NOT_RESPONSIBLE: Explanation = { ...NOTHING, status: 'notResponsible' };

/** Returns all details of the decision for the pod, and changes nothing. */
export function* explainPod(profile: Profile, pod: PodInfo): ExtenderCalls<Explanation> {
  profile.cluster.lendSnapshot();
  const record = yield* decidePod(profile, pod, true);
  const nodeOrder = profile.cluster.nodeInfos().map(({ name }) => name);
  return combined(combined(NOTHING, { nodeOrder }), explained(profile, pod, record));
}

type Part = Partial<Explanation> & Pick<Explanation, 'status'>;

function explained(profile: Profile, pod: PodInfo, record: DecisionRecord): Part {
  switch (record.end) {
    case 'gated':
      return { status: 'gated', preEnqueue: record.status, message: record.status.reasons.join(', ') };
    case 'noNodes':
      return { status: 'unschedulable', message: NO_NODES_AVAILABLE };
    case 'failed': {
      const { filtered, message } = record;
      return { status: 'error', message, ...(filtered !== null && foundNodes(profile, pod, filtered, null)) };
    }
    case 'noFit': {
      const { by, postFilter } = record;
      const found = 'feasibleCount' in by ? foundNodes(profile, pod, by, null) : { preFilter: by };
      const message = withPostFilter(record.message, postFilter);
      return { status: 'unschedulable', ...found, message, preemption: explainedPostFilter(postFilter) };
    }
    case 'onlyNode': {
      const found = foundNodes(profile, pod, record.filtered, null);
      return { status: 'scheduled', ...found, best: found.feasible, scoringSkipped: true };
    }
    case 'scored': {
      const { filtered, scores } = record;
      return { status: 'scheduled', ...foundNodes(profile, pod, filtered, scores), best: bestNodes(filtered, scores) };
    }
  }
}

function bestNodes(filtered: FilterRecord, scores: ScoreRecord): string[] {
  const nodes = filtered.feasibleNodes();
  const best = nodes.reduce((most, node) => Math.max(most, scores.total(node)), Number.NEGATIVE_INFINITY);
  return nodes.filter((node) => scores.total(node) === best).map(({ name }) => name);
}

function foundNodes(
  { cluster, search, percentageOfNodesToScore, framework }: Profile,
  pod: PodInfo,
  filtered: FilterRecord,
  scores: ScoreRecord | null,
): Pick<Explanation, 'nodes' | 'feasible' | 'search'> {
  const { window, processed } = filtered;
  const { nodeCount } = cluster;
  return {
    nodes: explainedNodes(cluster.nodeInfos(), filtered, scores, detailsBy(framework, pod)),
    feasible: filtered.feasibleNodes().map(({ name }) => name),
    search: {
      startIndex: window.start,
      numNodesToFind: search.window(percentageOfNodesToScore, nodeCount).wanted,
      nextStartIndex: (window.start + processed) % nodeCount,
    },
  };
}

/** The nodes that the search reached, in snapshot order, and then those that only an extender named. */
function explainedNodes(
  all: readonly NodeInfo[],
  filtered: FilterRecord,
  scores: ScoreRecord | null,
  detailsOf: DetailsOf,
): NodeExplanation[] {
  const rejections = filtered.rejections();
  const feasible = new Map(filtered.feasibleNodes().map((node) => [node.name, node]));
  const scoresOf = scores === null ? () => UNSCORED : nodeScoresOf(scores);
  const infos = new Map(all.map((info) => [info.name, info]));
  const names = new Set([...all.map(({ name }) => name), ...feasible.keys(), ...rejections.keys()]);
  return [...names].flatMap((name): NodeExplanation[] => {
    const node = feasible.get(name);
    if (node !== undefined) return [{ node: name, rejected: null, ...scoresOf(node) }];
    const rejected = rejections.get(name);
    if (rejected === undefined) return [];
    const details = detailsOf(rejected, infos.get(name));
    return [{ node: name, rejected, ...(details.length > 0 && { details }), scores: [], total: null }];
  });
}

type DetailsOf = (rejected: Status, node: NodeInfo | undefined) => readonly string[];

/** What the rejecting plugin says in detail. */
function detailsBy({ filterPlugins }: Profile['framework'], pod: PodInfo): DetailsOf {
  const plugins = new Map(filterPlugins.map((plugin) => [plugin.name, plugin]));
  return ({ plugin = '' }, node) =>
    node === undefined ? [] : (plugins.get(plugin)?.rejectionDetails?.(pod, node) ?? []);
}

type NodeScoresPart = Pick<NodeExplanation, 'scores' | 'extenderScores' | 'total'>;

const UNSCORED: NodeScoresPart = { scores: [], total: null };

function nodeScoresOf(scores: ScoreRecord): (node: NodeInfo) => NodeScoresPart {
  const plugins = scores.pluginScores();
  return (node) => {
    const byPlugin = plugins.map(({ plugin, weight, raw, normalized }): PluginScore => {
      const score = normalized(node);
      // Adding 0 makes 0 of -0, the product of 0 and a negative weight.
      return { plugin, raw: raw(node), normalized: score, weighted: score * weight + 0 };
    });
    const extenderScores = scores.extenderScores?.flatMap((given): ExtenderScore[] => {
      const weighted = given.scores.get(node.name);
      return weighted === undefined ? [] : [{ extender: given.extender, weighted: Number(weighted) }];
    });
    return { scores: byPlugin, ...(extenderScores && { extenderScores }), total: scores.total(node) };
  };
}

function explainedPostFilter(outcome: PostFilterOutcome | null): PreemptionExplanation | null {
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
