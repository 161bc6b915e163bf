import { plural, whole } from '../../lib/shown-count.ts';
import type { FateGroup, PodFate } from '../../what-if/fate.ts';
import type { Answer } from '../../what-if/what-if.ts';
import { type ColumnsFormat, formatColumns } from '../text/columns.ts';
import { standingLines } from '../text/group-text.ts';
import { visible } from '../text/visible.ts';

const NOTHING = '-';
/** More names say no more to a person; JSON has all. */
const NAMES_MAX = 10;

/** The parts of an answer that every question has. */
export type WhatIfResult = Pick<Answer, 'nodes' | 'pods' | 'counts' | 'notRunning' | 'groups'> & Partial<Answer>;

/** The answer in sentences, and then the pods concerned: a row for each reason, or with `isWide` for each pod. */
export function formatWhatIf(result: WhatIfResult, isWide: boolean, format: ColumnsFormat): string {
  const table = isWide ? podTable(result.groups, format) : groupTable(result.groups, format);
  return [`${answerLines(result).map(visible).join('\n')}\n`, ...(table === '' ? [] : [table])].join('\n');
}

/** The answer in sentences. */
export function answerLines(result: WhatIfResult): readonly string[] {
  const { lost, drained, removal, addition, fit, podGroups = [] } = result;
  return [
    ...(lost === undefined ? [] : [`Lost: ${names(lost, 'node')}.`]),
    ...(drained === undefined ? [] : drained.map(drainLine)),
    podsLine(result),
    ...(removal === undefined ? [] : removalLines(removal, result.nodes.before)),
    ...(addition === undefined ? [] : [additionLine(addition, result)]),
    ...(fit === undefined ? [] : fitLines(fit)),
    ...podGroups.flatMap(standingLines),
  ];
}

function podsLine({ counts, notRunning, pods }: WhatIfResult): string {
  const concerned = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const parts = Object.entries(counts).map(([outcome, count]) => `${whole(count)} ${OUTCOME_TEXTS[outcome as Key]}`);
  const known = pods.pendingBefore > 0 ? `; ${whole(pods.pendingBefore)} were pending before` : '';
  if (concerned === 0) return `No pod is concerned${known}.`;
  const end = notRunning === 0 ? 'Every pod has a node' : `${plural(notRunning, 'pod')} of these do not run`;
  return `${plural(concerned, 'pod')} concerned: ${parts.join(', ')}${known}. ${end}.`;
}

type Key = PodFate['outcome'];

const OUTCOME_TEXTS: Readonly<Record<Key, string>> = {
  moved: 'with another node',
  placed: 'new or pending before, with a node',
  pending: 'without a node',
  lost: 'lost for good',
  withNode: 'gone with their node, to which they belong',
  blocked: 'not evicted',
  removed: 'removed',
};

function drainLine({ node, evicted, blocked }: NonNullable<Answer['drained']>[number]): string {
  return `Drained ${node}: ${plural(evicted, 'pod')} evicted${blocked > 0 ? `, ${whole(blocked)} refused` : ''}.`;
}

function removalLines({ removed, bound, kept, pendingAtOnce }: NonNullable<Answer['removal']>, before: number) {
  const most = bound > removed.length ? `; by the sums of all requests no more than ${whole(bound)} could` : '';
  const atOnce =
    pendingAtOnce === 0
      ? 'All at once they can go, too.'
      : `Only one after the other: all at once, ${plural(pendingAtOnce, 'pod')} would find no node.`;
  const answer = `${whole(removed.length)} of ${plural(before, 'node')} can go, one after the other`;
  return [
    `${answer}, and every pod keeps a place${most}.`,
    ...(removed.length === 0 ? [] : [`In this order: ${names(removed)}. ${atOnce}`]),
    ...kept.map(({ reason, count, nodes }) => `${plural(count, 'node')} must stay: ${reason} (${nodes[0]}).`),
  ];
}

function additionLine({ shapes, count }: NonNullable<Answer['addition']>, { pods }: WhatIfResult): string {
  const what = `${plural(count, 'new node')} of ${shapes.join(' and ')}`;
  if (pods.pendingAfter === 0) return `With ${what} every pod has a node.`;
  return `With ${what}, ${plural(pods.pendingAfter, 'pod')} still have none, and more such nodes do not help them.`;
}

function fitLines({ pod, group, count, reason, nodes }: NonNullable<Answer['fit']>): readonly string[] {
  const where = nodes.slice(0, NAMES_MAX).map(({ node, pods }) => `${node} ${whole(pods)}`);
  const more = nodes.length > NAMES_MAX ? `, and ${plural(nodes.length - NAMES_MAX, 'more node')}` : '';
  const what = group === undefined ? pod : `group ${group}`;
  return [
    `${whole(count)} more of ${what} fit${count === 0 ? '' : `: ${where.join(', ')}${more}`}.`,
    ...(reason === '' ? [] : [`The next one does not: ${reason}.`]),
  ];
}

function groupTable(groups: readonly FateGroup[], format: ColumnsFormat): string {
  if (groups.length === 0) return '';
  const rows = groups.map(({ outcome, cause, reason, count, pods: [example] }) => {
    const { pod = '', from = null, to = null } = example ?? {};
    return [outcome, whole(count), `${pod} (${from ?? NOTHING} > ${to ?? NOTHING})`, because(cause, reason)];
  });
  return formatColumns(['OUTCOME', 'PODS', 'EXAMPLE (FROM > TO)', 'WHY'], rows, format);
}

function podTable(groups: readonly FateGroup[], format: ColumnsFormat): string {
  if (groups.length === 0) return '';
  const rows = groups.flatMap(({ outcome, cause, reason, pods }) =>
    pods.map(({ pod, from, to, preemptedBy }) => {
      const by = preemptedBy === undefined ? '' : ` (${preemptedBy})`;
      return [pod, outcome, from ?? NOTHING, to ?? NOTHING, because(cause + by, reason)];
    }),
  );
  return formatColumns(['POD', 'OUTCOME', 'FROM', 'TO', 'WHY'], rows, format);
}

function because(cause: string, reason: string): string {
  return reason === '' ? cause : `${cause}; ${reason}`;
}

function names(all: readonly string[], what?: string): string {
  const shown = all.slice(0, NAMES_MAX).join(', ');
  const more = all.length > NAMES_MAX ? `, and ${whole(all.length - NAMES_MAX)} more` : '';
  return `${what === undefined ? '' : `${plural(all.length, what)}: `}${shown}${more}`;
}
