import type { ExtenderCalls } from '../../framework/extender-calls.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { MAX_NODE_SCORE } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { add, type Int64, multiply } from '../../lib/int64.ts';
import { readPriorities } from './answers.ts';
import type { Extender } from './extender.ts';
import { answerOf, requestTo } from './request.ts';
import { nodesBody } from './request-bodies.ts';

/** The highest score of an extender; that of a plugin is 100. */
const MAX_EXTENDER_PRIORITY = 10;
const SCALE = MAX_NODE_SCORE / MAX_EXTENDER_PRIORITY;

/** The scores that one extender adds to the totals, by node name. */
export interface ExtenderScores {
  readonly extender: string;
  readonly scores: ReadonlyMap<string, Int64>;
}

/**
 * Calls all extenders together for scores of the nodes (upstream's prioritizeNodes). An extender that fails adds
 * nothing. Scores are not clamped, and several scores of one node add up.
 */
export function* prioritizeByExtenders(
  extenders: readonly Extender[],
  pod: PodInfo,
  nodes: readonly NodeInfo[],
): ExtenderCalls<readonly ExtenderScores[]> {
  const interested = extenders.filter((extender) => extender.isInterested(pod.pod));
  const asked = interested.filter((extender) => extender.has('prioritize')).sort((a, b) => a.index - b.index);
  const requests = asked.map((extender) => requestTo(extender, 'prioritize', nodesBody(extender, pod.pod, nodes)));
  const responses = requests.length > 0 ? yield requests : [];
  return interested.flatMap((extender) => {
    const { name, weight } = extender;
    if (!extender.has('prioritize')) return [{ extender: name, scores: zeros(nodes) }];
    const read = answerOf(extender, 'prioritize', responses[asked.indexOf(extender)], readPriorities);
    if ('error' in read) {
      extender.failed('prioritize', read.error);
      return [];
    }
    const scores = new Map<string, Int64>();
    for (const { host, score } of read.answer) {
      const weighted = multiply(multiply(score, weight), SCALE);
      scores.set(host, add(scores.get(host) ?? 0, weighted));
    }
    return [{ extender: name, scores }];
  });
}

function zeros(nodes: readonly NodeInfo[]): Map<string, Int64> {
  return new Map(nodes.map(({ name }) => [name, 0]));
}

/** The sum of all extenders' scores of a node. */
export function extenderTotal(scores: readonly ExtenderScores[], nodeName: string): Int64 {
  return scores.reduce<Int64>((sum, each) => add(sum, each.scores.get(nodeName) ?? 0), 0);
}
