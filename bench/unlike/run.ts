/**
 * `npm run bench:unlike [-- --nodes N --pods N --rounds N --own-mode KIND ...]`: microseconds a pod of the built
 * library, for pods of which no two are alike: each has, say, a node selector of its own. Without kinds all of them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { placeUnlike } from './place-unlike.ts';
import { UNLIKE_KINDS } from './unlike-pods.ts';

const LIBRARY = join(import.meta.dirname, '../../dist/lib/index.js');

async function main(): Promise<void> {
  const options = {
    nodes: { type: 'string', default: '5000' },
    pods: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    'own-mode': { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const nodes = countOf('nodes', values.nodes);
  const pods = countOf('pods', values.pods);
  const rounds = countOf('rounds', values.rounds);
  if (!existsSync(LIBRARY)) throw new Error('the library is not built: run npm run build');
  const { Scheduler } = (await import(LIBRARY)) as typeof import('../../src/index.ts');
  const mode = values['own-mode'] ? ({ tieBreak: 'upstream', percentageOfNodesToScore: 0 } as const) : {};
  console.log(`${'each pod has its own'.padEnd(36)}${['placed', 'cold, µs', 'µs a pod'].map(padded).join('')}`);
  for (const kind of positionals.length > 0 ? positionals : UNLIKE_KINDS) {
    const newScheduler = () => new Scheduler({ engine: 'simd', ...mode });
    const { placed, coldMicros, micros } = placeUnlike(kind, { nodes, pods, rounds, newScheduler });
    console.log(`${kind.padEnd(36)}${[`${placed}`, coldMicros.toFixed(0), micros.toFixed(0)].map(padded).join('')}`);
  }
}

function countOf(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name}: must be a whole number above 0`);
  return count;
}

function padded(text: string): string {
  return text.padStart(12);
}

try {
  await main();
} catch (error) {
  console.error(`bench:unlike: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
