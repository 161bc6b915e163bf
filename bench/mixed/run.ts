/**
 * `npm run bench:mixed [-- --rounds N FILE.ndjson.gz ...]`: decisions per second of the built library in scripts of
 * random clusters, each played on a fresh scheduler that checks all objects. Without files those of `../shared/diff`.
 * Exit 1 if an answer is not as recorded.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { playMixed, readScripts } from './play-mixed.ts';

const FOLDER = join(import.meta.dirname, '../../../shared/diff');
const LIBRARY = join(import.meta.dirname, '../../dist/lib/index.js');
const ROUNDS = 5;

async function main(): Promise<void> {
  const options = { rounds: { type: 'string', default: String(ROUNDS) } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 0) throw new Error('--rounds: must be a whole number');
  if (!existsSync(LIBRARY)) throw new Error('the library is not built: run npm run build');
  const { Scheduler } = (await import(LIBRARY)) as typeof import('../../src/index.ts');
  console.log(`${'decisions a second'.padEnd(24)}scripts   decisions        cold  median of ${rounds}        best`);
  for (const path of positionals.length > 0 ? positionals : recordings()) {
    const result = playMixed(readScripts(path), { rounds, newScheduler: (given) => new Scheduler(given) });
    const { scripts, decisions, coldPerSecond, perSecond, bestPerSecond } = result;
    const figures = [scripts, decisions, coldPerSecond, perSecond, bestPerSecond];
    const columns = figures.map((figure) => count(figure).padStart(12));
    console.log(`${basename(path, '.ndjson.gz').padEnd(19)}${columns.join('')}`);
  }
}

function recordings(): string[] {
  if (!existsSync(FOLDER)) throw new Error('there is no ../shared/diff: name the files of scripts to play');
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.ndjson.gz'))
    .sort()
    .map((name) => join(FOLDER, name));
}

function count(figure: number): string {
  return Math.round(figure).toLocaleString('en-US');
}

try {
  await main();
} catch (error) {
  console.error(`bench:mixed: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
