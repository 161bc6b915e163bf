import type { PhaseReport, PhaseTime } from '../../framework/tracing/phase-times.ts';
import { whole } from '../../lib/shown-count.ts';
import { formatColumns } from '../text/columns.ts';

/** The table of phases and plugins, and the share of each in the total time. */
export function formatPhases(title: string, { timedDecisions, times }: PhaseReport): string {
  const [decisions] = times;
  if (decisions === undefined) return `${title}: nothing was decided\n`;
  const numbers = rightAligned([NUMBER_HEADER, ...times.map(numbersOf)]);
  const [header = [], ...rows] = numbers.map((cells, i) => [
    i === 0 ? 'PHASE' : nameOf(times[i - 1] as PhaseTime),
    ...cells,
  ]);
  const estimated = timedDecisions < decisions.calls ? `Estimated from ${whole(timedDecisions)} decisions. ` : '';
  const runs = times.some(({ path }) => path.at(-1) === 'place') ? ABOUT_RUNS : '';
  return `${title}\n${formatColumns(header, rows)}${estimated}${ABOUT}${runs}\n`;
}

const NUMBER_HEADER = ['CALLS', 'TOTAL MS', 'MEAN µS', 'SHARE'];
const ABOUT = 'A time includes what is indented below it. Plugins asked node by node are timed on some of the nodes.';

const ABOUT_RUNS = '\nPods that are placed by index in one call count as one.';

function nameOf({ path, point }: PhaseTime): string {
  const name = `${'  '.repeat(path.length - 1)}${path.at(-1)}`;
  // Usually the point is the surrounding phase; node verdicts filter and score at once.
  return point === null || point === path.at(-2) ? name : `${name} (${point})`;
}

function numbersOf({ calls, totalMillis, meanMicros, share }: PhaseTime): string[] {
  return [whole(calls), totalMillis.toFixed(2), meanMicros.toFixed(3), `${(share * 100).toFixed(1)}%`];
}

function rightAligned(rows: readonly (readonly string[])[]): string[][] {
  const widths = NUMBER_HEADER.map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  return rows.map((row) => row.map((cell, column) => cell.padStart(widths[column] as number)));
}
