import type { Agreement } from '../../benchmark/agreement.ts';
import { describeMachine } from '../../benchmark/machine.ts';
import {
  type BenchReport,
  type BenchResult,
  REPORT_FORMAT,
  REPORT_VERSION,
  type RunOrigin,
} from '../../benchmark/result.ts';
import { variantName } from '../../benchmark/variant.ts';
import { CodedError } from '../../lib/errors.ts';
import { formatBenchTable, formatFigures } from '../output/bench-table.ts';
import { formatGoBench } from '../output/gobench.ts';
import { formatPerfDash } from '../output/perfdash.ts';
import { formatPhases } from '../output/phase-table.ts';
import { benchPage } from '../pages/bench-page.ts';
import { reportFile } from '../terminal/page-program.ts';
import type { OutputFile, Terminal } from '../terminal/terminal.ts';
import type { BenchOutputFlags } from './bench-flags.ts';

type Measured = Pick<BenchReport, 'results' | 'skipped' | 'figures'>;

/**
 * The destination of results. It is opened before anything is measured, so that a file that cannot be written does not
 * cost the results.
 */
export interface BenchOutput {
  readonly format: BenchOutputFlags['output'];
  readonly page: OutputFile | null;
  readonly origin: RunOrigin;
}

/** Opens the destination. Throws `FileNotWritable`. */
export function openBenchOutput({ output, report, origin }: BenchOutputFlags, terminal: Terminal): BenchOutput {
  return { format: output, page: report === undefined ? null : terminal.createFile(report), origin };
}

/** Prints results and writes the page. Afterwards it throws `VariantsDisagree` if decisions differed. */
export async function printBench(
  measured: Measured,
  agreement: readonly Agreement[],
  { format, page, origin }: BenchOutput,
  terminal: Terminal,
): Promise<void> {
  const report: BenchReport = {
    format: REPORT_FORMAT,
    version: REPORT_VERSION,
    machine: describeMachine(),
    origin,
    ...measured,
  };
  page?.write(reportFile(benchPage(report)));
  page?.close();
  await terminal.print(formatBench(report, agreement, { format, width: terminal.columns }));
  const different = agreement.filter(({ isAgreed }) => !isAgreed).map(({ text }) => text);
  // Random tie-breaks agree as well, since every variant draws from the same seed.
  if (different.length > 0) throw new CodedError('VariantsDisagree', different.join('; '));
}

interface BenchFormat {
  readonly format: BenchOutput['format'];
  /** The width of the terminal, if there is one. */
  readonly width: number | undefined;
}

function formatBench(report: BenchReport, agreement: readonly Agreement[], { format, width }: BenchFormat): string {
  if (format === 'json') return `${JSON.stringify(report, null, 2)}\n`;
  if (format === 'perfdash') return formatPerfDash(report);
  if (format === 'gobench') return formatGoBench(report);
  const { machine, results, figures } = report;
  const sentences = agreement.map(({ text }) => `${text}\n`).join('');
  return [
    formatBenchTable(machine, results, width),
    sentences,
    figures === undefined ? '' : formatFigures(figures, width),
    ...results.map(phasesOf),
  ].join('');
}

function phasesOf(result: BenchResult): string {
  const { kind, nodes, pods, phases } = result;
  return phases === undefined
    ? ''
    : formatPhases(`\n${kind}, ${nodes} nodes, ${pods} pods, ${variantName(result)}`, phases);
}
