import { CHANGE_MILLIS, type TimedOutcome } from '../../what-if/in-time/timed-trial.ts';
import { formatColumns } from '../text/columns.ts';
import { whole } from '../text/numbers.ts';
import { formatOpenPods } from './open-pods.ts';
import { durationText, formatSimulations } from './simulation-table.ts';

/** Both simulations side by side, the workloads that the change concerns, and the pods that do not run after it. */
export function formatTimedWhatIf(
  without: TimedOutcome,
  withChange: TimedOutcome,
  forMillis: number,
  width: number | undefined,
): string {
  const { summary, drained, workloads } = withChange;
  const time = (millis: number) => durationText(millis / 1000);
  const drains = drained.map(({ node, emptyMillis, refusals }) => {
    const refused = refusals === 0 ? '' : `; budgets refused ${whole(refusals)} evictions`;
    const end = emptyMillis === null ? 'is not empty at the end' : `is empty after ${time(emptyMillis)}`;
    return `${node} ${end}${refused}.\n`;
  });
  const rows = workloads.map(({ workload, before, least, end, backMillis }) => [
    ...[workload, whole(before), whole(least), whole(end)],
    backMillis === null ? 'not until the end' : time(backMillis),
  ]);
  const titles = ['WORKLOAD', 'READY BEFORE', 'LEAST', 'AT THE END', 'BACK AFTER'];
  const table =
    rows.length === 0
      ? 'Every workload kept its ready pods.\n'
      : formatColumns(titles, rows, width === undefined ? {} : { width });
  return [
    formatSimulations(['without', 'with the change'], [without.summary, summary], width),
    `\nThe change came after ${time(CHANGE_MILLIS)}, and ${time(forMillis)} followed.\n${drains.join('')}\n`,
    table,
    formatOpenPods(summary.open),
  ].join('');
}
