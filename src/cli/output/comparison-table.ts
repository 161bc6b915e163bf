import type { ComparedCase, ReportComparison } from '../../benchmark/compare/compare-reports.ts';
import { whole } from '../../lib/shown-count.ts';
import { percentChange } from '../text/numbers.ts';
import { formatTable, machineText } from './bench-table.ts';
import type { Cells } from './fit-table.ts';

/** One row for each case: medians, the difference of b from a (`~` if it may be due to chance), its 95 % interval. */
export function formatComparison(comparison: ReportComparison, width?: number): string {
  const {
    machines: [a, b],
    cases,
    onlyInA,
    onlyInB,
  } = comparison;
  const isOneMachine = machineText(a) === machineText(b);
  const machines = isOneMachine ? [machineText(a)] : [`a: ${machineText(a)}`, `b: ${machineText(b)}`];
  const cells: Cells = {
    titles: ['case', 'a pods/s', 'b pods/s', 'difference', '95 % interval', 'p', 'runs'],
    aligns: ['left', 'right', 'right', 'right', 'left', 'right', 'right'],
    rows: cases.map(row),
    dispensable: ['runs', 'p', '95 % interval', 'a pods/s', 'b pods/s'],
  };
  const table = formatTable(cells, width);
  const remarks = [
    ...cases.flatMap(({ name, notes }) => notes.map((note) => `${name}: ${note}`)),
    ...onlyInA.map((name) => `only in a: ${name}`),
    ...onlyInB.map((name) => `only in b: ${name}`),
  ];
  return `${machines.join('\n')}\n${table}${remarks.map((line) => `${line}\n`).join('')}`;
}

function row({ name, a, b, ratio, interval, p, isSignificant }: ComparedCase): string[] {
  return [
    name,
    whole(a.podsPerSecond),
    whole(b.podsPerSecond),
    isSignificant ? percentChange(ratio) : '~',
    interval === null ? '' : `${percentChange(interval[0])} to ${percentChange(interval[1])}`,
    p.toFixed(3),
    `${a.runs}+${b.runs}`,
  ];
}
