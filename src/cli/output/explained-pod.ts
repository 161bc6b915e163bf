import type { Explanation } from '../../core/decision/result.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { Remedy } from '../../what-if/remedies/remedy.ts';
import { element, text } from '../plot/markup.ts';
import { whole } from '../text/numbers.ts';
import { statusText } from '../text/status-text.ts';
import { visible } from '../text/visible.ts';
import { formatExplanation } from './explanation.ts';
import type { ExplanationFormat } from './explanation-format.ts';
import { formatPage, heading, table } from './page.ts';

/** A pod, the decision for it, and what would place it if nothing does. */
export interface ExplainedPod {
  /** Namespace and name. */
  readonly pod: string;
  /** The node on which it is; null for a pending pod. */
  readonly node: string | null;
  readonly explanation: Explanation;
  /** Null for a pod that fits. */
  readonly remedies: readonly Remedy[] | null;
}

export function formatExplainedPod({ pod, node, explanation, remedies }: ExplainedPod, format: ExplanationFormat) {
  const place = node === null ? '' : `On node ${visible(node)}; what follows is the decision if it were placed anew.\n`;
  const text = formatExplanation(visible(pod), explanation, format);
  return `${place}${text}${remedies === null ? '' : `\n${remedyLines(remedies).join('\n')}\n`}`;
}

function remedyLines(remedies: readonly Remedy[]): readonly string[] {
  if (remedies.length === 0) return ['No change that was tried would place it.'];
  const lines = remedies.map((remedy) => `  ${remedyText(remedy)} (${placeText(remedy)})`);
  return ['What would place it, each tried by deciding again:', ...lines];
}

function remedyText({ changes }: Remedy): string {
  return changes.map((change) => visible(change.text)).join(', and ');
}

function placeText({ node, feasibleNodes }: Remedy): string {
  return `on ${visible(node)}${feasibleNodes > 1 ? `, or one of ${whole(feasibleNodes - 1)} more` : ''}`;
}

/** A self-contained page. */
export function explainedPodPage({ pod, node, explanation, remedies }: ExplainedPod): string {
  const { status, message, nodes, best, preFilter, preEnqueue } = explanation;
  const facts: readonly (readonly [string, string])[] = [
    ['Outcome', node === null ? status : `${status}, if it were placed anew; it is on ${node}`],
    ...(message === '' ? [] : [['Message', message] as const]),
    ...(preEnqueue === null ? [] : [['Held back by', statusText(preEnqueue)] as const]),
    ...(preFilter === null ? [] : [['Rejected for all nodes by', statusText(preFilter)] as const]),
    ...(best.length === 0 ? [] : [['Best nodes', best.slice(0, 10).join(', ')] as const]),
  ];
  const verdicts = groupBy(nodes, ({ rejected, total }) =>
    rejected === null ? `fits, ${total ?? 'not scored'}` : statusText(rejected),
  );
  const rows = [...verdicts].sort(([, a], [, b]) => b.length - a.length);
  return formatPage(
    `Pod ${pod}`,
    element(
      'dl',
      {},
      ...facts.flatMap(([name, value]) => [element('dt', {}, text(name)), element('dd', {}, text(value))]),
    ),
    ...(remedies === null ? [] : [heading('What would place it'), remedyTable(remedies)]),
    heading('Nodes by verdict'),
    table({
      titles: ['Nodes', 'Verdict', 'Examples'],
      aligns: ['right', 'left', 'left'],
      rows: rows.map(([verdict, group]) => {
        return [
          whole(group.length),
          verdict,
          group
            .slice(0, 5)
            .map((each) => each.node)
            .join(', '),
        ];
      }),
    }),
  );
}

function remedyTable(remedies: readonly Remedy[]) {
  if (remedies.length === 0) return element('p', {}, text('No change that was tried would place it.'));
  return table({
    titles: ['Change', 'Node', 'Feasible nodes'],
    aligns: ['left', 'left', 'right'],
    rows: remedies.map((remedy) => [
      remedy.changes.map((change) => change.text).join(', and '),
      remedy.node,
      whole(remedy.feasibleNodes),
    ]),
  });
}
