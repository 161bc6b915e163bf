import { Command } from 'commander';
import { compareReports } from '../../benchmark/compare/compare-reports.ts';
import { readReport } from '../../benchmark/compare/read-report.ts';
import { shownName } from '../../manifests/file-source.ts';
import { decodeUtf8 } from '../../manifests/source-document.ts';
import { outputOption } from '../flags/options.ts';
import { formatComparison } from '../output/comparison-table.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The largest report that is read; a result takes about a kilobyte. */
const REPORT_MAX_BYTES = 64 * 2 ** 20;

const AFTER_HELP = `
Cases are found by kind, nodes, engine, index, workers and sampling. Medians of pods per second are compared; the
difference is that of B to A, + is faster, ~ when chance could have brought it (Mann-Whitney U test, p >= 0.05). The
interval holds the true difference with 95 % confidence; it takes four runs of each.`;

export function compareCommand(terminal: Terminal): Command {
  return new Command('compare')
    .description('Compares two results of berth bench -o json, case by case.')
    .argument('<A.json>', 'before')
    .argument('<B.json>', 'after')
    .addOption(outputOption('how it is printed', ['table', 'json']))
    .addHelpText('after', AFTER_HELP)
    .action(async (a: string, b: string, { output }: { readonly output: 'table' | 'json' }) => {
      const named = async (name: string) => {
        const file = shownName(name);
        const bytes = await terminal.files.read(name, REPORT_MAX_BYTES);
        return { name: file, report: readReport(decodeUtf8(bytes, file, 1), file) };
      };
      const comparison = compareReports(await named(a), await named(b));
      await terminal.print(
        output === 'json' ? `${JSON.stringify(comparison, null, 2)}\n` : formatComparison(comparison),
      );
    });
}
