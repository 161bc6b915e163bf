import type { GroupExplanation } from '../../cluster/pod-group-scheduler.ts';
import type { Explanation, NodeExplanation } from '../../core/decision/result.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { Fact, ReportPage, Section } from '../../report/sections.ts';
import type { Remedy } from '../../what-if/remedies/remedy.ts';
import type { ExplainedPod } from '../output/explained-pod.ts';
import { groupLines } from '../text/group-text.ts';
import { statusText } from '../text/status-text.ts';

/** The page of one decision: what every node says about the pod, and what would place it. */
export function explainPage(
  { pod, node, group, explanation, remedies }: ExplainedPod,
  origin: readonly Fact[],
): ReportPage {
  const { status, message, best, preFilter, preEnqueue, nodes, feasible } = explanation;
  const isPlaced = status === 'scheduled';
  return {
    title: `Pod ${pod}`,
    about:
      node === null ? message : `It is on ${node}; what follows is the decision if it were placed anew. ${message}`,
    facts: [
      ...origin,
      ...(preEnqueue === null ? [] : [['Held back by', statusText(preEnqueue)] as const]),
      ...(preFilter === null ? [] : [['Rejected for all nodes by', statusText(preFilter)] as const]),
      ...(best.length === 0 ? [] : [['Best nodes', best.slice(0, 10).join(', ')] as const]),
    ],
    highlights: [
      { name: 'Outcome', value: status, isBad: !isPlaced },
      { name: 'Feasible nodes', value: `${feasible.length} of ${nodes.length}` },
      ...(remedies === null ? [] : [{ name: 'Changes that would place it', value: String(remedies.length) }]),
    ],
    sections: [
      ...(group === undefined ? [] : [groupSection(pod, group)]),
      ...(remedies === null ? [] : [remedySection(remedies)]),
      verdictTable(nodes),
      ...pluginBars(nodes),
      ...scoreTable(explanation),
    ],
  };
}

function groupSection(pod: string, group: GroupExplanation): Section {
  return { kind: 'text', title: 'Its group', paragraphs: [...groupLines(pod, group)] };
}

function remedySection(remedies: readonly Remedy[]): Section {
  const title = 'What would place it';
  const ofGroup = remedies.some(({ group }) => group !== undefined);
  if (remedies.length === 0) return { kind: 'text', title, paragraphs: ['No change that was tried would place it.'] };
  return {
    ...{ kind: 'table', title, note: 'Each was tried by deciding again.' },
    columns: [
      { title: 'Change' },
      { title: 'Node' },
      { title: 'Feasible nodes', unit: 'count' },
      ...(ofGroup ? [{ title: 'Pods with a place', unit: 'count' } as const] : []),
    ],
    rows: remedies.map(({ changes, node, feasibleNodes, group }) => [
      changes.map(({ text }) => text).join(', and '),
      node,
      feasibleNodes,
      ...(ofGroup ? [group?.placedCount ?? 0] : []),
    ]),
  };
}

function verdictTable(nodes: readonly NodeExplanation[]): Section {
  const verdicts = groupBy(nodes, ({ rejected, total }) =>
    rejected === null ? `fits\0${total ?? ''}` : `${rejected.plugin}\0${rejected.reasons.join(', ')}`,
  );
  const rows = [...verdicts.values()].sort((a, b) => b.length - a.length);
  return {
    ...{ kind: 'table', title: 'Nodes by verdict' },
    columns: [{ title: 'Nodes', unit: 'count' }, { title: 'Plugin' }, { title: 'Verdict' }, { title: 'Examples' }],
    rows: rows.map((group) => {
      const { rejected, total } = group[0] as NodeExplanation;
      const score = total === null ? 'fits, not scored' : `fits, total score ${total}`;
      const examples = group.slice(0, 5).map((each) => each.node);
      return [
        ...[
          group.length,
          rejected?.plugin ?? '',
          rejected === null ? score : `${rejected.reasons.join(', ')} (${rejected.code})`,
        ],
        examples.join(', ') + (group.length > examples.length ? ', …' : ''),
      ];
    }),
  };
}

function pluginBars(nodes: readonly NodeExplanation[]): readonly Section[] {
  const byPlugin = groupBy(
    nodes.filter(({ rejected }) => rejected !== null),
    ({ rejected }) => rejected?.plugin ?? '',
  );
  if (byPlugin.size < 2) return [];
  const sorted = [...byPlugin].sort(([, a], [, b]) => b.length - a.length);
  return [
    {
      ...{
        kind: 'bars',
        title: 'Rejected by plugin',
        unit: 'count',
        note: 'Each node is rejected by the first plugin that says no.',
      },
      categories: sorted.map(([plugin]) => plugin),
      series: [{ name: 'nodes', values: sorted.map(([, group]) => group.length) }],
    },
  ];
}

/** All nodes by their scores, the best first. */
function scoreTable({ nodes, best }: Explanation): readonly Section[] {
  const scored = nodes.filter(({ total }) => total !== null).sort((a, b) => (b.total ?? 0) - (a.total ?? 0));
  if (scored.length === 0) return [];
  const plugins = [...new Set(scored.flatMap(({ scores }) => scores.map(({ plugin }) => plugin)))];
  const isBest = new Set(best);
  return [
    {
      ...{
        kind: 'table',
        title: 'Scores',
        note: 'Weighted scores of each plugin, normalised over the feasible nodes.',
      },
      columns: [
        ...[{ title: 'Node' }, { title: 'Best' }, { title: 'Total', unit: 'number' as const }],
        ...plugins.map((title) => ({ title, unit: 'number' as const })),
      ],
      rows: scored.map(({ node, total, scores }) => [
        ...[node, isBest.has(node) ? 'best' : '', total],
        ...plugins.map((plugin) => scores.find((score) => score.plugin === plugin)?.weighted ?? null),
      ]),
    },
  ];
}
