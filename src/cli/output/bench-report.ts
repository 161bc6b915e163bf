import type { BenchReport } from '../../cluster/bench/result.ts';
import { benchCells, figureCells } from './bench-table.ts';
import { element, type Markup, text } from './plot/markup.ts';
import { throughputPlot } from './plot/throughput-plot.ts';

const STYLE = `
body { font: 14px/1.5 system-ui, sans-serif; color: #1f2937; background: #fff; max-width: 1100px; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
dl { display: grid; grid-template-columns: max-content auto; gap: 0.2rem 1.5rem; }
dt { color: #4b5563; } dd { margin: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: 0.2rem 0.7rem; border-bottom: 1px solid #e5e7eb; text-align: left; }
th { color: #4b5563; font-weight: 600; } .right { text-align: right; }
svg { max-width: 100%; height: auto; }
`;

/** Everything about a run on one page that needs no other file: machine, figures, plot, results, what was left out. */
export function formatBenchReport({ machine, results, figures = [], skipped = [] }: BenchReport): string {
  const { cpu, cores, memoryBytes, node, platform } = machine;
  const facts: readonly (readonly [string, string])[] = [
    ['Processor', `${cpu}, ${cores} cores`],
    ['Memory', `${(memoryBytes / 2 ** 30).toFixed(0)} GiB`],
    ['Node.js', node],
    ['Platform', platform],
  ];
  const plot = throughputPlot(results);
  const figureTable = figureCells(figures);
  const resultTable = benchCells(results);
  const body = [
    element('h1', {}, text('Berth benchmark')),
    element(
      'dl',
      {},
      ...facts.flatMap(([name, fact]) => [element('dt', {}, text(name)), element('dd', {}, text(fact))]),
    ),
    ...(figures.length === 0 ? [] : [heading('Figures'), table(figureTable)]),
    ...(plot === null ? [] : [heading('Throughput'), element('div', { class: 'wide' }, plot)]),
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
  ];
  const head = [
    '<meta charset="utf-8">' as Markup,
    '<meta name="viewport" content="width=device-width, initial-scale=1">' as Markup,
    element('title', {}, text('Berth benchmark')),
    element('style', {}, STYLE as Markup),
  ];
  const page = element('html', { lang: 'en' }, element('head', {}, ...head), element('body', {}, ...body));
  return `<!doctype html>\n${page}\n`;
}

interface Cells {
  readonly titles: readonly string[];
  readonly aligns: readonly ('left' | 'right')[];
  readonly rows: readonly (readonly string[])[];
}

function table({ titles, aligns, rows }: Cells): Markup {
  const row = (name: 'th' | 'td', cells: readonly string[]) =>
    element(
      'tr',
      {},
      ...cells.map((cell, i) => element(name, aligns[i] === 'right' ? { class: 'right' } : {}, text(cell))),
    );
  const [head, body] = [row('th', titles), rows.map((cells) => row('td', cells))];
  return element(
    'div',
    { class: 'wide' },
    element('table', {}, element('thead', {}, head), element('tbody', {}, ...body)),
  );
}

function heading(title: string): Markup {
  return element('h2', {}, text(title));
}
