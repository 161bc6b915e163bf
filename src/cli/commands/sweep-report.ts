import { Command, InvalidArgumentError, Option } from 'commander';
import { openShards } from '../../sweep/merge-shards.ts';
import { reportOf } from '../../sweep/report/sweep-statistics.ts';
import { numberOption, outputOption } from '../flags/options.ts';
import { formatReport, formatReportCsv } from '../output/sweep-report.ts';
import { originFacts } from '../pages/origin-facts.ts';
import { sweepPage } from '../pages/sweep-page.ts';
import { readableFiles } from '../terminal/node-readable-file.ts';
import { reportFile } from '../terminal/page-program.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Provenance } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface ReportFlags {
  readonly output: 'table' | 'json' | 'csv';
  readonly by?: readonly string[];
  readonly figures?: readonly string[];
  readonly baseline: number;
  readonly confidence: number;
  readonly report?: string;
}

const VARIANTS_MAX = 1_000_000;

const AFTER_HELP = `
The files are a whole sweep in JSON lines, or all of its shards. The values of the parameters that vary are compared, or
those of --by, over everything else. Each figure has its mean over the runs, and the interval in which the mean of all
runs that could be made is. Against the baseline, runs with the same seed and the same other parameters are compared in
pairs: the mean difference, its interval, and P, how likely chance alone makes it as large (Student's t test).
P OF ALL takes all comparisons of the table together (Holm). Figures that are 0 everywhere are left out.

Examples:
  berth sweep report sweep.ndjson --report sweep.html
  berth sweep report part-*.ndjson --by config --figures utilisationCpu,latencyP99 -o csv`;

export function reportCommand(terminal: Terminal, origin: Provenance): Command {
  return new Command('report')
    .description('Means, intervals and differences of the figures of a sweep.')
    .argument('<files...>', 'a sweep, or its shards')
    .addOption(new Option('--by <parameters>', 'the parameters whose values are compared').argParser(names))
    .addOption(new Option('--figures <names>', 'only these columns').argParser(names))
    .addOption(numberOption('baseline', 'the variant that others are compared with', 1, VARIANTS_MAX).default(1))
    .addOption(new Option('--confidence <share>', 'how sure the intervals are').argParser(confidence).default(0.95))
    .addOption(outputOption('how it is printed', ['table', 'json', 'csv']))
    .option('--report <file>', 'also write an HTML page with plots')
    .addHelpText('after', AFTER_HELP)
    .action(async (patterns: readonly string[], { output, report: pageName, ...options }: ReportFlags) => {
      // The page is created first, so that a file that cannot be written does not cost the results.
      const page = pageName === undefined ? null : terminal.createFile(pageName);
      const found = (await Promise.all(patterns.map((name) => terminal.findFiles(name, false)))).flat();
      const files = readableFiles([...new Set(found)]);
      const { runs } = openShards(files).header;
      const report = await withProgress(terminal, runs, 'rows', (show) =>
        reportOf(() => openShards(files), options, show),
      );
      page?.write(reportFile(sweepPage(report, originFacts(origin))));
      page?.close();
      if (output === 'json') await terminal.print(`${JSON.stringify(report, null, 2)}\n`);
      else if (output === 'csv') await terminal.print(formatReportCsv(report));
      else await terminal.print(formatReport(report, terminal.columns));
    });
}

function names(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

function confidence(text: string): number {
  const share = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (share >= 0.5 && share < 1) return share;
  throw new InvalidArgumentError('Expected a share such as 0.95, at least 0.5 and below 1.');
}
