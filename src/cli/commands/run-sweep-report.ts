import { openShards } from '../../sweep/merge-shards.ts';
import { reportOf } from '../../sweep/report/sweep-statistics.ts';
import { formatReport, formatReportCsv } from '../output/sweep-report.ts';
import { originFacts } from '../pages/origin-facts.ts';
import { sweepPage } from '../pages/sweep-page.ts';
import { readableFiles } from '../terminal/node-readable-file.ts';
import { reportFile } from '../terminal/page-program.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Provenance } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The flags of `berth sweep report`. */
export interface ReportFlags {
  readonly output: 'table' | 'json' | 'csv';
  readonly by?: readonly string[];
  readonly figures?: readonly string[];
  readonly baseline: number;
  readonly confidence: number;
  readonly report?: string;
}

/** Prints what the files of a sweep say. @throws CodedError */
export async function reportSweep(
  patterns: readonly string[],
  { output, report: pageName, ...options }: ReportFlags,
  terminal: Terminal,
  origin: Provenance,
): Promise<void> {
  // The page is created first, so that a file that cannot be written does not cost the results.
  const page = pageName === undefined ? null : terminal.createFile(pageName);
  const found = (await Promise.all(patterns.map((name) => terminal.findFiles(name, false)))).flat();
  const files = readableFiles([...new Set(found)]);
  const { runs } = openShards(files).header;
  const report = await withProgress(terminal, runs, 'rows', (show) => reportOf(() => openShards(files), options, show));
  page?.write(reportFile(sweepPage(report, originFacts(origin))));
  page?.close();
  if (output === 'json') await terminal.print(`${JSON.stringify(report, null, 2)}\n`);
  else if (output === 'csv') await terminal.print(formatReportCsv(report));
  else await terminal.print(formatReport(report, terminal.columns));
}
