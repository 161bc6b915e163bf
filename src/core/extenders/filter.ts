import type { Node } from '../../api/node.ts';
import type { ExtenderCalls } from '../../framework/extender-calls.ts';
import { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, unresolvable, unschedulable } from '../../framework/status.ts';
import { type FilterAnswer, type Read, readFilterAnswer } from './answers.ts';
import type { Extender } from './extender.ts';
import { callExtender } from './request.ts';
import { nodesBody } from './request-bodies.ts';

/** The nodes that pass, or the error with which the attempt fails. */
export type Filtered = { readonly nodes: readonly NodeInfo[] } | { readonly error: string };

/**
 * Calls one extender after the other with the nodes that have passed so far (upstream's findNodesThatPassExtenders).
 * Writes the status of every rejected node into `statuses`, by node name.
 */
export function* filterByExtenders(
  extenders: readonly Extender[],
  pod: PodInfo,
  feasible: readonly NodeInfo[],
  statuses: Map<string, Status>,
): ExtenderCalls<Filtered> {
  let nodes = feasible;
  for (const extender of extenders) {
    if (nodes.length === 0) break;
    if (!extender.has('filter') || !extender.isInterested(pod.pod)) continue;
    const asked = nodes;
    const read = yield* callExtender(extender, 'filter', nodesBody(extender, pod.pod, asked), (body) =>
      checkedAnswer(extender, asked, readFilterAnswer(body)),
    );
    if ('error' in read) {
      if (extender.isIgnorable) continue;
      return read;
    }
    const { failedNodes, failedAndUnresolvableNodes } = read.answer;
    for (const [name, reason] of failedAndUnresolvableNodes) statuses.set(name, unresolvable('', reason));
    for (const [name, reason] of failedNodes) {
      if (!failedAndUnresolvableNodes.has(name)) statuses.set(name, unschedulable('', reason));
    }
    nodes = read.answer.passed;
  }
  return { nodes };
}

interface CheckedAnswer extends FilterAnswer {
  readonly passed: readonly NodeInfo[];
}

/** The answer with the nodes that pass; none if it names nodes in another form than the request did. */
function checkedAnswer(extender: Extender, asked: readonly NodeInfo[], read: Read<FilterAnswer>): Read<CheckedAnswer> {
  if ('error' in read) return read;
  const { answer } = read;
  if (answer.error !== '') return { error: answer.error };
  const known = new Map(asked.map((node) => [node.name, node]));
  if (extender.isNodeCacheCapable && answer.nodeNames !== null) {
    const passed: NodeInfo[] = [];
    for (const name of answer.nodeNames) {
      const node = known.get(name);
      if (node === undefined) return { error: notAsked(extender, name) };
      passed.push(node);
    }
    return { answer: { ...answer, passed } };
  }
  const nodes = answer.nodes ?? [];
  return { answer: { ...answer, passed: nodes.map((node) => bareNode(node, known.get(node.metadata?.name ?? ''))) } };
}

function notAsked({ name }: Extender, node: string): string {
  const [by, claimed] = [JSON.stringify(name), JSON.stringify(node)];
  return `extender ${by} claims a filtered node ${claimed} which is not found in the input node list`;
}

/** The order of a node that is not in the cluster: after all others. */
const UNKNOWN = { slot: -1, order: Number.MAX_SAFE_INTEGER };

/** A node as the extender returned it, without pods and images. */
function bareNode(node: Node, { slot, order }: { slot: number; order: number } = UNKNOWN): NodeInfo {
  return new NodeInfo(slot, order, node);
}
