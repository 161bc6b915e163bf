/**
 * Random scripts on every engine: `npm run -s diff -- --seeds N [--first-seed S]` makes a cluster and what happens to
 * it from each seed. All ways must decide like the reference engine, and that like a scheduler that is built from the
 * present state. A difference is printed with a script, cut down, that `npm run parity` can play unless its pods are in
 * groups, which some seeds have as well, on a scheduler with a queue. The exit code is 0 only when there was none.
 */
import { parseArgs } from 'node:util';
import { type Failure, runSeed, shrunk } from './run-seed.ts';

const USAGE = 'usage: npm run -s diff -- --seeds N [--first-seed S]';
const SHOWN_DIFFERENCES = 4;

function main(args: string[]): number {
  const options = optionsOf(args);
  if (options === undefined) {
    console.error(USAGE);
    return 2;
  }
  const { seeds, firstSeed } = options;
  let [attempts, placed, clean] = [0, 0, 0];
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const result = runSeed(seed);
    attempts += result.attempts;
    placed += result.placed;
    if (result.failure === undefined) clean++;
    else printFailure(seed, result.failure);
  }
  const verdict = clean === seeds ? 'no difference' : `${seeds - clean} with differences`;
  console.log(`diff: ${clean}/${seeds} seeds, ${attempts} attempts, ${placed} placed, ${verdict}`);
  return clean === seeds ? 0 : 1;
}

function printFailure(seed: number, failure: Failure): void {
  const { tieBreak, isAsked } = failure.playing;
  const { script, found } = shrunk(failure);
  console.log(`seed ${seed} (ties: ${tieBreak}${isAsked ? ', explained' : ''}): ${found.way}`);
  for (const { field, expected, got } of found.differences.slice(0, SHOWN_DIFFERENCES)) {
    console.log(`  ${field}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
  }
  console.log(`  replay: npm run -s diff -- --seeds 1 --first-seed ${seed}`);
  console.log(JSON.stringify(script));
}

function optionsOf(args: string[]): { readonly seeds: number; readonly firstSeed: number } | undefined {
  const number = { type: 'string' } as const;
  try {
    const { values } = parseArgs({ args, options: { seeds: number, 'first-seed': number } });
    const seeds = Number(values.seeds ?? 1);
    const firstSeed = Number(values['first-seed'] ?? 1);
    const areNumbers = [seeds, firstSeed].every((value) => Number.isSafeInteger(value) && value >= 0);
    return areNumbers && seeds > 0 ? { seeds, firstSeed } : undefined;
  } catch {
    return undefined;
  }
}

process.exitCode = main(process.argv.slice(2));
