import Table from 'cli-table3';
import type { BenchResult, Figure, Machine } from '../../benchmark/result.ts';
import { whole } from '../../lib/shown-count.ts';
import { short } from '../text/numbers.ts';
import { type Cells, fitCells } from './fit-table.ts';

interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
  cell(result: BenchResult, results: readonly BenchResult[]): string;
  /** Whether the column is shown only when its values differ. */
  readonly onlyIfMixed?: true;
}

const COLUMNS: readonly Column[] = [
  left('kind', ({ kind }) => kind),
  right('nodes', ({ nodes }) => whole(nodes)),
  right('pods', ({ pods }) => whole(pods)),
  left('engine', ({ engine }) => engine),
  { ...left('index', ({ index }) => (index ? 'on' : 'off')), onlyIfMixed: true },
  { ...right('workers', ({ workers }) => String(workers)), onlyIfMixed: true },
  { ...right('scored', (result) => `${Math.round(result.percentageOfNodesScored)}%`), onlyIfMixed: true },
  right('placed', ({ scheduled }) => whole(scheduled)),
  right('pods/s', ({ podsPerSecond }) => whole(podsPerSecond)),
  right('speed-up', speedUp),
  right('p50 µs', ({ latencyMicros }) => latencyMicros.p50.toFixed(1)),
  right('p99 µs', ({ latencyMicros }) => latencyMicros.p99.toFixed(1)),
  right('evals/s', (result) => short(result.nodeEvaluationsPerSecond)),
  right('B/node', ({ bytesPerNode }) => whole(bytesPerNode)),
  right('B/pod', ({ bytesPerPod }) => (bytesPerPod === null ? '-' : whole(bytesPerPod))),
  left('decisions', ({ decisionHash }) => decisionHash.slice(0, 12)),
];

/** Titles and rows. Speed-ups are relative to the reference engine on the same cluster, if that was run. */
function benchCells(results: readonly BenchResult[]): Cells {
  const columns = COLUMNS.filter(({ onlyIfMixed, cell }) => {
    // The reference engine has no index, which alone is no reason for a column.
    const compared = results.filter(({ engine }) => engine !== 'reference');
    return onlyIfMixed === undefined || new Set(compared.map((result) => cell(result, results))).size > 1;
  });
  return {
    titles: columns.map(({ title }) => title),
    aligns: columns.map(({ align }) => align),
    rows: results.map((result) => columns.map(({ cell }) => cell(result, results))),
    dispensable: ['B/pod', 'B/node', 'evals/s', 'decisions', 'p50 µs', 'p99 µs', 'placed', 'scored'],
  };
}

export function formatBenchTable(machine: Machine, results: readonly BenchResult[], width?: number): string {
  return `${machineText(machine)}\n${formatTable(benchCells(results), width)}`;
}

/** The measured figures, and the number of the others. */
export function formatFigures(figures: readonly Figure[], width?: number): string {
  const measured = figures.filter((figure) => figure.measured !== null);
  const missing = figures.length - measured.length;
  const remark = missing > 0 ? `${missing} figures not measured: their cases did not run\n` : '';
  return `${formatTable(figureCells(measured), width)}${remark}`;
}

function figureCells(figures: readonly Figure[]): Cells {
  const rows = figures.map(({ name, unit, bound, wanted, measured, isMet }) => [
    name,
    wanted === null ? '' : `${bound === 'atLeast' ? '>=' : '<='} ${amount(wanted)}`,
    measured === null ? 'not measured' : amount(measured),
    unit,
    isMet === null ? '' : isMet ? 'met' : 'MISSED',
  ]);
  return {
    titles: ['figure', 'wanted', 'measured', 'unit', ''],
    aligns: ['left', 'right', 'right', 'left', 'left'],
    rows,
  };
}

export function machineText({ cpu, cores, memoryBytes, node, platform }: Machine): string {
  return `${cpu}, ${cores} cores, ${(memoryBytes / 2 ** 30).toFixed(0)} GiB, Node ${node}, ${platform}`;
}

/**
 * Formats a table without colours, so that it looks the same in a file; in a terminal of this width it is cut to fit,
 * and the columns that were left out are named.
 */
export function formatTable(cells: Cells, width?: number): string {
  const { titles, aligns, rows, leftOut } = fitCells(cells, width);
  const table = new Table({
    head: [...titles],
    colAligns: [...aligns],
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) table.push([...row]);
  const note = leftOut.length === 0 ? '' : `no room for ${leftOut.join(', ')} (-o json has them)\n`;
  return `${table.toString()}\n${note}`;
}

function left(title: string, cell: Column['cell']): Column {
  return { title, align: 'left', cell };
}

function right(title: string, cell: Column['cell']): Column {
  return { title, align: 'right', cell };
}

function speedUp(result: BenchResult, results: readonly BenchResult[]): string {
  const reference = results.find((other) => other.engine === 'reference' && clusterOf(other) === clusterOf(result));
  if (reference === undefined || reference.podsPerSecond === 0) return '-';
  return `${(result.podsPerSecond / reference.podsPerSecond).toFixed(1)}x`;
}

function clusterOf({ kind, nodes, percentageOfNodesScored }: BenchResult): string {
  return `${kind} ${nodes} ${percentageOfNodesScored}`;
}

function amount(value: number): string {
  return value >= 1000 ? whole(value) : String(Number(value.toPrecision(3)));
}
