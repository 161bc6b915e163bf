import type { Explanation, PreemptionExplanation } from '../../core/decision/result.ts';
import type { PreemptionCandidate } from '../../framework/preemption-report.ts';
import { formatColumns } from '../text/columns.ts';
import { statusText } from '../text/status-text.ts';

/**
 * The result of preemption: the nominated node, every candidate with its victims, and why the other nodes are no
 * candidates.
 */
export function formatPreemption(
  { nodes, nodeOrder }: Explanation,
  { status, message, potentialNodes, candidates, nodeStatus, nominatedNode, victims }: PreemptionExplanation,
): string {
  const lines = [`Preemption: ${status}`];
  if (message !== '') lines.push(message);
  if (nominatedNode !== null) lines.push(`Nominated: ${nominatedNode}; victims in order: ${victims.join(', ')}`);
  const text = `${lines.join('\n')}\n`;
  if (potentialNodes.length === 0) return text;

  const rejections = new Map(nodes.map(({ node, rejected }) => [node, rejected]));
  const byNode = new Map(candidates.map((candidate) => [candidate.node, candidate]));
  const rows = nodeOrder.map((node) => {
    const candidate = byNode.get(node);
    if (candidate !== undefined) return candidateRow(candidate, nominatedNode);
    const why = nodeStatus[node];
    if (why !== undefined) return [node, 'no', '-', statusText(why)];
    const rejected = rejections.get(node) ?? null;
    return [node, 'no', '-', `evictions would not help: ${rejected === null ? 'not filtered' : statusText(rejected)}`];
  });
  return `${text}\n${formatColumns(['NODE', 'CANDIDATE', 'PDB VIOLATIONS', 'VICTIMS OR REASON'], rows)}`;
}

function candidateRow({ node, victims, pdbViolations }: PreemptionCandidate, nominatedNode: string | null): string[] {
  return [node, node === nominatedNode ? 'nominated' : 'yes', String(pdbViolations), victims.join(', ')];
}
