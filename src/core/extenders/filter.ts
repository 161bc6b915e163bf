import type { Node } from '../../api/node.ts';
import type { ExtenderCalls } from '../../framework/extender-calls.ts';
import { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, unresolvable, unschedulable } from '../../framework/status.ts';
import { type FilterAnswer, type Read, readFilterAnswer } from './answers.ts';
import type { Extender } from './extender.ts';
import { answerOf, requestTo } from './request.ts';
import { nodesBody } from './request-bodies.ts';

/** The nodes that are left, or why the attempt fails. */
export type Filtered = { readonly nodes: readonly NodeInfo[] } | { readonly error: string };

/**
 * Asks one extender after the other which of the nodes may take the pod (upstream's findNodesThatPassExtenders). Writes
 * what they say of the others, by node name.
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
    const [response] = yield [requestTo(extender, 'filter', nodesBody(extender, pod.pod, nodes))];
    const read = verdictOf(extender, nodes, answerOf(extender, 'filter', response, readFilterAnswer));
    if ('error' in read) {
      extender.failed('filter', read.error);
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

interface Verdict extends FilterAnswer {
  readonly passed: readonly NodeInfo[];
}

/** An answer in another form than was asked for leaves no node. */
function verdictOf(extender: Extender, asked: readonly NodeInfo[], read: Read<FilterAnswer>): Read<Verdict> {
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

/** Behind all nodes that were ever learned of. */
const UNKNOWN = { slot: -1, order: Number.MAX_SAFE_INTEGER };

/** A node as the extender describes it: without the pods and the images that the scheduler knows to be there. */
function bareNode(node: Node, { slot, order }: { slot: number; order: number } = UNKNOWN): NodeInfo {
  return new NodeInfo(slot, order, node);
}
