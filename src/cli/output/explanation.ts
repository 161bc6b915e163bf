import type { Explanation, NodeExplanation } from '../../core/decision/result.ts';
import { formatColumns } from '../text/columns.ts';
import { statusText } from '../text/status-text.ts';
import { formatPreemption } from './preemption.ts';

/**
 * For every node, the plugin that rejected the pod with its reasons, or the scores of each plugin: raw, normalised and
 * weighted (`50>100>200`: raw 50, normalised 100, 200 with the plugin's weight). Extenders have only weighted scores.
 */
export function formatExplanation(podName: string, explanation: Explanation): string {
  const { preEnqueue, preFilter, nodes, feasible, best, scoringSkipped, preemption, message } = explanation;
  const lines = [`Pod ${podName}: ${explanation.status}`];
  if (message !== '' && preEnqueue === null) lines.push(message);
  if (preEnqueue !== null) lines.push(`Held back by ${statusText(preEnqueue)}`);
  if (preFilter !== null) lines.push(`Rejected for all nodes by ${statusText(preFilter)}`);
  if (scoringSkipped) lines.push('One node is feasible: it is taken without being scored.');
  if (feasible.length > 0)
    lines.push(`Feasible: ${feasible.length} of ${nodes.length} nodes; best: ${best.join(', ')}`);
  const parts = [
    `${lines.join('\n')}\n`,
    ...(nodes.length === 0 ? [] : [formatNodes(nodes, new Set(best))]),
    ...(preemption === null ? [] : [formatPreemption(explanation, preemption)]),
  ];
  return parts.join('\n');
}

function formatNodes(nodes: readonly NodeExplanation[], best: ReadonlySet<string>): string {
  const plugins = [...new Set(nodes.flatMap(({ scores }) => scores.map(({ plugin }) => plugin)))];
  const extenders = [
    ...new Set(nodes.flatMap(({ extenderScores = [] }) => extenderScores.map((each) => each.extender))),
  ];
  const columns = [...plugins.map((plugin) => plugin.toUpperCase()), ...extenders];
  const header = ['NODE', 'TOTAL', 'BEST', ...columns, 'REJECTED BY'];
  const rows = nodes.map(({ node, rejected, scores, extenderScores = [], total }) => {
    const cells = plugins.map((plugin) => {
      const score = scores.find((candidate) => candidate.plugin === plugin);
      return score === undefined ? '-' : `${score.raw}>${score.normalized}>${score.weighted}`;
    });
    for (const extender of extenders) {
      cells.push(String(extenderScores.find((each) => each.extender === extender)?.weighted ?? '-'));
    }
    const reason = rejected === null ? '' : statusText(rejected);
    return [node, total === null ? '-' : String(total), best.has(node) ? '*' : '', ...cells, reason];
  });
  const legend = plugins.length > 0 ? 'Scores are raw>normalized>weighted.\n' : '';
  return legend + formatColumns(header, rows);
}
