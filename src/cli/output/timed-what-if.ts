import { whole } from '../../lib/shown-count.ts';
import { CHANGE_MILLIS, type TimedOutcome } from '../../what-if/in-time/timed-trial.ts';
import { formatColumns } from '../text/columns.ts';
import { visible } from '../text/visible.ts';
import { formatOpenPods } from './open-pods.ts';
import { durationText, formatSimulations } from './simulation-table.ts';

/** Both simulations side by side, the workloads that the change concerns, and the pods that do not run after it. */
export function formatTimedWhatIf(
  without: TimedOutcome,
  withChange: TimedOutcome,
  forMillis: number,
  width: number | undefined,
): string {
  const { summary, workloads } = withChange;
  const rows = workloads.map(({ workload, before, least, end, backMillis }) => [
    ...[visible(workload), whole(before), whole(least), whole(end)],
    least === before ? '-' : backMillis === null ? 'not until the end' : timeText(backMillis),
  ]);
  const titles = ['WORKLOAD', 'READY BEFORE', 'LEAST', 'AT THE END', 'BACK AFTER'];
  const table =
    rows.length === 0
      ? 'Every workload kept its ready pods.\n'
      : formatColumns(titles, rows, width === undefined ? {} : { width });
  const lines = timedLines(withChange).map((line) => `${visible(line)}\n`);
  return [
    formatSimulations(['without', 'with the change'], [without.summary, summary], width),
    `\nThe change came after ${timeText(CHANGE_MILLIS)}, and ${timeText(forMillis)} followed.\n${lines.join('')}\n`,
    table,
    formatOpenPods(summary.open),
  ].join('');
}

/** What became of nodes that were drained, and of pods without a node, in sentences. */
export function timedLines({ drained, withoutNode }: TimedOutcome): readonly string[] {
  const { before, most, end, noneMillis } = withoutNode;
  const none = noneMillis === null ? '' : `; none from ${timeText(noneMillis)} after the change on`;
  const counts = `${whole(before)} before the change, ${whole(most)} at most after it, ${whole(end)} at the end`;
  return [
    ...drained.map(({ node, emptyMillis, refusals, isRemoval }) => {
      const refused = refusals === 0 ? '' : `; budgets refused ${whole(refusals)} evictions`;
      if (emptyMillis === null) return `${node} is not empty at the end${refused}.`;
      return `${node} is empty ${isRemoval ? 'and deleted ' : ''}after ${timeText(emptyMillis)}${refused}.`;
    }),
    ...(most === 0 ? [] : [`Pods without a node: ${counts}${none}.`]),
  ];
}

function timeText(millis: number): string {
  return durationText(millis / 1000);
}
