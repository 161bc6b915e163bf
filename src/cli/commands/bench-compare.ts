import { Command, InvalidArgumentError, Option } from 'commander';
import { compareReports } from '../../benchmark/compare/compare-reports.ts';
import { readReport } from '../../benchmark/compare/read-report.ts';
import { shownName } from '../../manifests/file-source.ts';
import { decodeUtf8 } from '../../manifests/source-document.ts';
import { outputOption } from '../flags/options.ts';
import { formatComparison } from '../output/comparison-table.ts';
import { benchComparisonPage } from '../pages/bench-comparison-page.ts';
import { originFacts } from '../pages/origin-facts.ts';
import { reportFile } from '../terminal/page-program.ts';
import type { Provenance } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { percentChange } from '../text/numbers.ts';
import type { Outcome } from './outcome.ts';

/** The largest report that is read; a result takes about a kilobyte. */
const REPORT_MAX_BYTES = 64 * 2 ** 20;

const AFTER_HELP = `
Cases are found by kind, nodes, engine, index, workers and sampling. Medians of pods per second are compared; the
difference is that of B to A, + is faster, ~ when chance could have brought it (Mann-Whitney U test, p >= 0.05). The
interval holds the true difference with 95 % confidence; it takes four runs of each.

The files are those of berth bench -o json.

Examples:
  berth bench --kind basic -o json > before.json
  berth bench compare before.json after.json --fail-above 5%

Exit code: 0, 1 error, 2 when --fail-above is exceeded.`;

/** The exit code when a case has become slower than allowed. */
const EXIT_SLOWER = 2;

interface CompareFlags {
  readonly output: 'table' | 'json';
  readonly failAbove?: number;
  readonly report?: string;
}

export function compareCommand(terminal: Terminal, outcome: Outcome, origin: Provenance): Command {
  return new Command('compare')
    .description('Compares two results of berth bench -o json, case by case.')
    .argument('<A.json>', 'before')
    .argument('<B.json>', 'after')
    .addOption(outputOption('how it is printed', ['table', 'json']))
    .addOption(
      new Option('--fail-above <percent>', 'exit with 2 when B is slower by more, and not by chance').argParser(
        percent,
      ),
    )
    .option('--report <file>', 'also write an HTML page with both in one plot')
    .addHelpText('after', AFTER_HELP)
    .action(async (a: string, b: string, { output, failAbove, report }: CompareFlags) => {
      const named = async (name: string) => {
        const file = shownName(name);
        const bytes = await terminal.files.read(name, REPORT_MAX_BYTES);
        return { name: file, report: readReport(decodeUtf8(bytes, file, 1), file) };
      };
      const page = report === undefined ? null : terminal.createFile(report);
      const [first, second] = [await named(a), await named(b)] as const;
      const comparison = compareReports(first, second);
      page?.write(reportFile(benchComparisonPage([first, second], comparison, originFacts(origin))));
      page?.close();
      await terminal.print(
        output === 'json' ? `${JSON.stringify(comparison, null, 2)}\n` : formatComparison(comparison, terminal.columns),
      );
      if (failAbove === undefined) return;
      const slower = comparison.cases.filter(
        ({ ratio, isSignificant }) => isSignificant && ratio < 1 - failAbove / 100,
      );
      for (const { name, ratio } of slower) terminal.log(`slower than allowed: ${name}: ${percentChange(ratio)}`);
      if (slower.length > 0) outcome.exitCode = EXIT_SLOWER;
    });
}

/** Reads `5%` or `5`. */
function percent(text: string): number {
  const value = Number(/^(\d+(?:\.\d+)?)%?$/.exec(text)?.[1] ?? Number.NaN);
  if (value >= 0 && value <= 100) return value;
  throw new InvalidArgumentError('Expected a percentage such as 5%.');
}
