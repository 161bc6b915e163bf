import { Command, InvalidArgumentError, Option } from 'commander';
import { outputOption } from '../flags/options.ts';
import type { Provenance } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Outcome } from './outcome.ts';
import type { CompareFlags } from './run-bench-compare.ts';

const AFTER_HELP = `
Cases are found by kind, nodes, engine, index, workers and sampling. Medians of pods per second are compared; the
difference is that of B to A, + is faster, ~ when chance could have brought it (Mann-Whitney U test, p >= 0.05). The
interval holds the true difference with 95 % confidence; it takes four runs of each.

The files are those of berth bench -o json.

Examples:
  berth bench --kind basic -o json > before.json
  berth bench compare before.json after.json --fail-above 5%

Exit code: 0, 1 error, 2 when --fail-above is exceeded.`;

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
    .action(async (a: string, b: string, flags: CompareFlags) => {
      // Other commands need not wait for the statistics and the page.
      const { compareFiles } = await import('./run-bench-compare.ts');
      outcome.exitCode = await compareFiles([a, b], flags, terminal, origin);
    });
}

/** Reads `5%` or `5`. */
function percent(text: string): number {
  const value = Number(/^(\d+(?:\.\d+)?)%?$/.exec(text)?.[1] ?? Number.NaN);
  if (value >= 0 && value <= 100) return value;
  throw new InvalidArgumentError('Expected a percentage such as 5%.');
}
