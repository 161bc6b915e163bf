import { Command, InvalidArgumentError, Option } from 'commander';
import { numberOption, outputOption } from '../flags/options.ts';
import type { Provenance } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ReportFlags } from './run-sweep-report.ts';

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
    .action(async (patterns: readonly string[], flags: ReportFlags) => {
      // Other commands need not wait for the statistics and the page.
      const { reportSweep } = await import('./run-sweep-report.ts');
      await reportSweep(patterns, flags, terminal, origin);
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
