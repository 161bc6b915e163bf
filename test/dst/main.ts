/**
 * Simulation testing: `npm run -s dst -- --seeds N [--first-seed S]` makes a cluster, a workload and faults from each
 * seed, plays them on a virtual clock and looks at every step whether everything holds that must. `--events K` plays
 * only the first events of each script, `--log` prints the event log. Exit 0 only when no seed found anything.
 */
import { parseArgs } from 'node:util';
import { type RunResult, runScript } from './run-script.ts';
import { drawScript } from './script/draw-script.ts';
import { type Script, textOf } from './script/script.ts';
import { prefixOf, smallestPrefix } from './shrink.ts';

const USAGE = 'usage: npm run -s dst -- --seeds N [--first-seed S] [--events K] [--log]';

interface Options {
  readonly seeds: number;
  readonly firstSeed: number;
  readonly events: number;
  readonly hasLog: boolean;
}

function main(args: string[]): number {
  const options = optionsOf(args);
  if (options === undefined) {
    console.error(USAGE);
    return 2;
  }
  const { seeds, firstSeed, events, hasLog } = options;
  let steps = 0;
  let clean = 0;
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const script = prefixOf(drawScript(seed), events);
    const result = runScript(script, hasLog ? (line) => console.log(line) : undefined);
    steps += result.steps;
    if (result.violation === undefined) clean++;
    else printFailure(script, result);
  }
  const verdict = clean === seeds ? 'no violation' : `${seeds - clean} with violations`;
  console.log(`dst: ${clean}/${seeds} seeds, ${steps} steps, ${verdict}`);
  return clean === seeds ? 0 : 1;
}

function printFailure(script: Script, result: RunResult): void {
  const { violation, steps, atMillis } = result;
  const { seed } = script;
  console.log(
    `seed ${seed} breaks "${violation?.invariant}" at step ${steps}, ${atMillis / 1000} s: ${violation?.message}`,
  );
  const count = smallestPrefix(script, result);
  console.log(`  replay: npm run -s dst -- --seeds 1 --first-seed ${seed} --events ${count}`);
  console.log(`  the first ${count} of its ${script.events.length} events are enough:`);
  for (const event of prefixOf(script, count).events) console.log(`    ${textOf(event)}`);
}

function optionsOf(args: string[]): Options | undefined {
  const number = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args,
      options: { seeds: number, 'first-seed': number, events: number, log: { type: 'boolean', default: false } },
    });
    const seeds = Number(values.seeds ?? 1);
    const firstSeed = Number(values['first-seed'] ?? 1);
    const events = values.events === undefined ? Number.MAX_SAFE_INTEGER : Number(values.events);
    const areNumbers = [seeds, firstSeed, events].every((value) => Number.isSafeInteger(value) && value >= 0);
    return areNumbers && seeds > 0 ? { seeds, firstSeed, events, hasLog: values.log } : undefined;
  } catch {
    return undefined;
  }
}

process.exitCode = main(process.argv.slice(2));
