import type { Explanation, NodeExplanation } from '../../core/decision/result.ts';
import { groupBy } from '../../lib/group-by.ts';
import { whole } from '../../lib/shown-count.ts';
import { formatColumns } from '../text/columns.ts';
import { statusText } from '../text/status-text.ts';
import { visible } from '../text/visible.ts';
import type { ExplanationFormat } from './explanation-format.ts';
import { formatPreemption } from './preemption.ts';

/**
 * The plugin that rejected the pod with its reasons, or the scores of each plugin: raw, normalised and weighted
 * (`50>100>200`: raw 50, normalised 100, 200 with the plugin's weight), for every node or for all nodes with the same
 * verdict, best first. Extenders have only weighted scores.
 */
export function formatExplanation(podName: string, explanation: Explanation, format: ExplanationFormat): string {
  const { preEnqueue, preFilter, nodes, feasible, best, scoringSkipped, preemption, message } = explanation;
  const lines = [`Pod ${podName}: ${explanation.status}`];
  if (message !== '' && preEnqueue === null) lines.push(message);
  if (preEnqueue !== null) lines.push(`Held back by ${statusText(preEnqueue)}`);
  if (preFilter !== null) lines.push(`Rejected for all nodes by ${statusText(preFilter)}`);
  if (scoringSkipped) lines.push('One node is feasible: it is taken without being scored.');
  if (feasible.length > 0)
    lines.push(`Feasible: ${feasible.length} of ${nodes.length} nodes; best: ${bestText(best, format)}`);
  const parts = [
    `${lines.join('\n')}\n`,
    ...(nodes.length === 0 ? [] : [formatNodes(nodes, new Set(best), format)]),
    ...detailLines(nodes, format),
    ...(preemption === null ? [] : [formatPreemption(explanation, preemption, format)]),
  ];
  return parts.join('\n');
}

const DETAILS_SHOWN = 10;

/** What plugins say in detail about nodes, once for all nodes of which they say the same. */
function detailLines(nodes: readonly NodeExplanation[], { hasAllNodes }: ExplanationFormat): string[] {
  const told = nodes.filter(({ details = [] }) => details.length > 0);
  const groups = [...groupBy(told, ({ details = [] }) => details.join('\n')).values()];
  groups.sort((a, b) => b.length - a.length);
  const shown = hasAllNodes ? groups : groups.slice(0, DETAILS_SHOWN);
  const lines = shown.flatMap((group) => {
    const { node, details = [] } = group[0] as NodeExplanation;
    const names = hasAllNodes ? group.map((each) => each.node).join(', ') : node;
    const more = hasAllNodes || group.length === 1 ? '' : ` and ${whole(group.length - 1)} more`;
    return [`On ${visible(names)}${more}:`, ...details.map((detail) => `  ${visible(detail)}`)];
  });
  const more = groups.length - shown.length;
  if (more > 0) lines.push(`... and ${whole(more)} other answers (--nodes shows all)`);
  return lines.length === 0 ? [] : [`${lines.join('\n')}\n`];
}

const BEST_SHOWN = 5;

function bestText(best: readonly string[], { hasAllNodes }: ExplanationFormat): string {
  const more = best.length - BEST_SHOWN;
  if (hasAllNodes || more <= 0) return best.join(', ');
  return `${best.slice(0, BEST_SHOWN).join(', ')} and ${whole(more)} more`;
}

function formatNodes(
  nodes: readonly NodeExplanation[],
  best: ReadonlySet<string>,
  { hasAllNodes, width }: ExplanationFormat,
): string {
  const plugins = [...new Set(nodes.flatMap(({ scores }) => scores.map(({ plugin }) => plugin)))];
  const extenders = [
    ...new Set(nodes.flatMap(({ extenderScores = [] }) => extenderScores.map((each) => each.extender))),
  ];
  const verdicts = nodes.map((explained) => {
    const { node, rejected, scores, extenderScores = [], total } = explained;
    const cells = plugins.map((plugin) => {
      const score = scores.find((candidate) => candidate.plugin === plugin);
      return score === undefined ? '-' : `${score.raw}>${score.normalized}>${score.weighted}`;
    });
    for (const extender of extenders) {
      cells.push(String(extenderScores.find((each) => each.extender === extender)?.weighted ?? '-'));
    }
    const isBest = best.has(node);
    const verdict = [total === null ? '-' : String(total), isBest ? '*' : '', ...cells];
    return {
      node,
      cells: [...verdict, rejected === null ? '' : statusText(rejected)],
      rank: rankOf(explained, isBest),
    };
  });
  verdicts.sort((a, b) => b.rank - a.rank);
  const titles = ['TOTAL', 'BEST', ...plugins.map((plugin) => plugin.toUpperCase()), ...extenders, 'REJECTED BY'];
  const legend = plugins.length > 0 ? 'Scores are raw>normalized>weighted.\n' : '';
  if (hasAllNodes) {
    return (
      legend +
      formatColumns(
        ['NODE', ...titles],
        verdicts.map(({ node, cells }) => [node, ...cells]),
        { width },
      )
    );
  }
  const groups = [...groupBy(verdicts, ({ cells }) => cells.join('\0')).values()];
  // Feasible nodes keep their order; of the others, the reason that rejects most comes first.
  groups.sort((a, b) => rankOfGroup(b) - rankOfGroup(a) || b.length - a.length);
  const rows = groups.map((group) => {
    const { node, cells } = group[0] as (typeof verdicts)[number];
    return [whole(group.length), node, ...cells];
  });
  return legend + formatColumns(['NODES', 'EXAMPLE', ...titles], rows, { width });
}

/** Best nodes are above all, then totals count; a rejected node is below all. */
function rankOf({ rejected, total }: NodeExplanation, isBest: boolean): number {
  if (isBest) return Number.MAX_VALUE;
  return rejected === null ? (total ?? 0) : Number.NEGATIVE_INFINITY;
}

function rankOfGroup(group: readonly { readonly rank: number }[]): number {
  return Math.max((group[0] as { readonly rank: number }).rank, -1);
}
