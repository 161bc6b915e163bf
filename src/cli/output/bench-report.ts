import type { BenchReport, RunOrigin } from '../../benchmark/result.ts';
import { element, text } from '../plot/markup.ts';
import { throughputPlot } from '../plot/throughput-plot.ts';
import { benchCells, figureCells } from './bench-table.ts';
import { formatPage, heading, table, wide } from './page.ts';

/** A self-contained page about a run: machine, figures, plot, results, skipped cases. */
export function formatBenchReport({ machine, origin, results, figures = [], skipped = [] }: BenchReport): string {
  const { cpu, cores, memoryBytes, node, platform } = machine;
  const facts: readonly (readonly [string, string])[] = [
    ['Processor', `${cpu}, ${cores} cores`],
    ['Memory', `${(memoryBytes / 2 ** 30).toFixed(0)} GiB`],
    ['Node.js', node],
    ['Platform', platform],
    ...(origin === undefined ? [] : originFacts(origin)),
  ];
  const plot = throughputPlot(results);
  const figureTable = figureCells(figures);
  const resultTable = benchCells(results);
  return formatPage(
    'Berth benchmark',
    element(
      'dl',
      {},
      ...facts.flatMap(([name, fact]) => [element('dt', {}, text(name)), element('dd', {}, text(fact))]),
    ),
    ...(figures.length === 0 ? [] : [heading('Figures'), table(figureTable)]),
    ...(plot === null ? [] : [heading('Throughput'), wide(plot)]),
    heading('Results'),
    table(resultTable),
    ...(skipped.length === 0
      ? []
      : [
          heading('Not measured'),
          element(
            'ul',
            {},
            ...skipped.map(({ cluster, variant, reason }) =>
              element('li', {}, text(`${cluster}, ${variant}: ${reason}`)),
            ),
          ),
        ]),
  );
}

function originFacts({ berth, commit, command, seed, time }: RunOrigin): [string, string][] {
  return [
    ['Berth', commit === null ? berth : `${berth}, commit ${commit}`],
    ['Command', command],
    ['Seed', String(seed)],
    ['Time', time],
  ];
}
