import type { Explanation, PreemptionExplanation } from '../../core/decision/result.ts';
import type { PreemptionCandidate } from '../../framework/preemption-report.ts';
import { groupBy } from '../../lib/group-by.ts';
import { whole } from '../../lib/shown-count.ts';
import { formatColumns } from '../text/columns.ts';
import { statusText } from '../text/status-text.ts';
import type { ExplanationFormat } from './explanation-format.ts';

/**
 * The result of preemption: the nominated node, every candidate with its victims, and why the other nodes are no
 * candidates. The nominated node comes first, then candidates, then the reasons that hold for most nodes.
 */
export function formatPreemption(
  { nodes, nodeOrder }: Explanation,
  { status, message, potentialNodes, candidates, nodeStatus, nominatedNode, victims }: PreemptionExplanation,
  { hasAllNodes, width }: ExplanationFormat,
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
    if (candidate !== undefined) return { node, ...candidateRow(candidate, nominatedNode) };
    const why = nodeStatus[node];
    if (why !== undefined) return { node, rank: 0, cells: ['no', '-', statusText(why)] };
    const rejected = rejections.get(node) ?? null;
    const reason = `evictions would not help: ${rejected === null ? 'not filtered' : statusText(rejected)}`;
    return { node, rank: 0, cells: ['no', '-', reason] };
  });
  rows.sort((a, b) => b.rank - a.rank);
  const titles = ['CANDIDATE', 'PDB VIOLATIONS', 'VICTIMS OR REASON'];
  if (hasAllNodes) {
    return `${text}\n${formatColumns(
      ['NODE', ...titles],
      rows.map(({ node, cells }) => [node, ...cells]),
      { width },
    )}`;
  }
  const groups = [...groupBy(rows, ({ cells }) => cells.join('\0')).values()];
  groups.sort((a, b) => (b[0]?.rank ?? 0) - (a[0]?.rank ?? 0) || b.length - a.length);
  const grouped = groups.map((group) => [whole(group.length), group[0]?.node ?? '', ...(group[0]?.cells ?? [])]);
  return `${text}\n${formatColumns(['NODES', 'EXAMPLE', ...titles], grouped, { width })}`;
}

function candidateRow({ node, victims, pdbViolations }: PreemptionCandidate, nominatedNode: string | null) {
  const isNominated = node === nominatedNode;
  const cells = [isNominated ? 'nominated' : 'yes', String(pdbViolations), victims.join(', ')];
  return { rank: isNominated ? 2 : 1, cells };
}
