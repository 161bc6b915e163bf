import type { ExplainedGroup, Fact, ReasonGroup, Section } from '../../report/sections.ts';
import { durationText, formatValue } from '../../report/units.ts';
import type { ObservedDecision, ObservedReason } from '../../simulation/observation/pending-reasons.ts';
import { NOT_TRIED, type OpenPods } from '../../simulation/statistics/open-pods.ts';
import { type ReportedSimulation, titleOfRun } from './reported-simulation.ts';

const NODES_NAMED = 5;
const PODS_NAMED = 200;
/** Maps of verdicts for more nodes would be most of the page. */
const MAP_NODES_MAX = 20_000;

const OPEN_TITLES: Readonly<Record<Exclude<keyof OpenPods, 'notScheduled'>, string>> = {
  notStarted: 'Have a node and do not run',
  notReady: 'Run and are not ready',
  lost: 'Lost with their node',
  withTheirNode: 'Gone with their node, to which they belong',
  missing: 'Not made by their controller',
};

/** Why pods waited, then or at the end, down to what each node said; and pods that do not run for other reasons. */
export function reasonSections({ observed, summary, title, startMillis }: ReportedSimulation): readonly Section[] {
  const group = 'Why pods wait';
  const nodes = observed?.observation.loads.names ?? [];
  const indexes = new Map(nodes.map((name, i) => [name, i]));
  const waited = (observed?.observation.reasons.reasons ?? []).filter(isWorthTelling);
  const reasons = waited
    .sort((a, b) => b.count - a.count || b.most - a.most)
    .map((reason) => reasonGroup(reason, indexes, startMillis));
  const open = Object.entries(OPEN_TITLES).flatMap(([key, text]) =>
    summary.open[key as keyof OpenPods].map(({ reason, count, pods }): ReasonGroup => {
      return { reason: `${text}: ${reason}`, count, pods: pods.slice(0, PODS_NAMED) };
    }),
  );
  return [
    ...(reasons.length === 0
      ? []
      : [
          {
            ...({
              kind: 'reasons',
              group,
              title: titleOfRun(title, 'Reasons for which pods had no node'),
              groups: reasons,
            } as const),
            note: 'Numbers are the most pods that waited at one time. A reason opens to what each node said about one.',
          },
        ]),
    ...(open.length === 0
      ? []
      : [
          {
            kind: 'reasons',
            group,
            title: titleOfRun(title, 'Pods that have a node, or had one, and do not run at the end'),
            groups: open,
          } as const,
        ]),
  ];
}

/** Pods that nobody has looked at yet wait for their first attempt, which comes at once. */
function isWorthTelling({ reason, decision }: ObservedReason): boolean {
  return decision !== undefined || reason !== NOT_TRIED;
}

function reasonGroup(
  { reason, count, most, total, pods, decision }: ObservedReason,
  indexes: ReadonlyMap<string, number>,
  startMillis: number,
): ReasonGroup {
  const now = count > 0 ? `${formatValue('count', count)} at the end` : 'none at the end';
  return {
    reason,
    count: most,
    pods: [...pods],
    about: `${formatValue('count', total)} ${total === 1 ? 'pod' : 'pods'} waited for this, ${now}.`,
    ...(decision !== undefined && { explained: explainedGroup(decision, indexes, whenOf(decision, startMillis)) }),
  };
}

/** What each node said about a pod, and `facts` about when. */
export function explainedGroup(
  { pod, message, feasible, searched, verdicts }: ObservedDecision,
  indexes: ReadonlyMap<string, number>,
  when: readonly Fact[],
): ExplainedGroup {
  const facts: readonly Fact[] = [
    ...when,
    ['Feasible', `${feasible} of ${searched} nodes`],
    ...(message === '' ? [] : [['Message', message] as const]),
  ];
  return {
    ...{ pod, facts },
    verdicts: verdicts.map(({ plugin, reason, nodes }) => {
      return { plugin, reason, count: nodes.length, examples: nodes.slice(0, NODES_NAMED) };
    }),
    ...(indexes.size <= MAP_NODES_MAX && { verdictOfNode: verdictOfNode(verdicts, indexes) }),
  };
}

function verdictOfNode(
  verdicts: ObservedDecision['verdicts'],
  indexes: ReadonlyMap<string, number>,
): readonly number[] {
  const found = new Array<number>(indexes.size).fill(-1);
  for (const [verdict, { nodes }] of verdicts.entries()) {
    for (const node of nodes) {
      const index = indexes.get(node);
      if (index !== undefined) found[index] = verdict;
    }
  }
  return found;
}

function whenOf({ atMillis }: ObservedDecision, startMillis: number): readonly Fact[] {
  return [['Decided', `after ${durationText((atMillis - startMillis) / 1000)}`]];
}
