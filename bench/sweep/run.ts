/**
 * Times the merge of shards: `npm run -s bench:merge -- ROWS SHARDS FOLDER` writes shards of rows like those of a
 * placing, merges them, and prints rows per second and the largest memory.
 */
import { closeSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { mergeCommand } from '../../src/cli/commands/sweep-merge.ts';
import { nodeTerminal } from '../../src/cli/terminal/node-terminal.ts';
import { RealClock } from '../../src/lib/clock.ts';
import { RowWriter, type RunResult } from '../../src/sweep/rows.ts';
import { runIndexAt, runsOfShard } from '../../src/sweep/shard.ts';
import { headerOf, shardHeader } from '../../src/sweep/sweep-header.ts';
import { type SweepPlan, SweepRuns } from '../../src/sweep/sweep-plan.ts';

const [rows = 1_000_000, of = 8] = process.argv.slice(2, 4).map(Number);
const folder = process.argv[4] ?? 'build/merge';

const PLAN: SweepPlan = {
  mode: 'place',
  inputs: { manifests: [], openb: null, alibaba: null, isStrict: false, validate: 'warn' },
  parameters: { kind: ['hetero'], nodes: [1000], pods: [5000], tieBreak: ['random'] },
  list: null,
  seeds: `1..${rows}`,
  hasTimes: false,
};
const RESULT: RunResult = {
  ...{ end: 'placed', scheduled: 5000, unschedulable: 0, evicted: 0, succeeded: null, failed: null, nodesInUse: 1000 },
  ...{ utilisationCpu: 0.15, utilisationMemory: 0.177604, utilisationPods: 0.045455, latencyP50: null },
  ...{ latencyP90: null, latencyP99: null, latencyMax: null, jobsComplete: null, jobsFailed: null },
  ...{ simulatedSeconds: null, faultCount: null, errorCount: null, hash: 'de73f98f8f7c0db6ca08cf9dc7fb0270' },
};
const PIECE_ROWS = 10_000;

function writeShard(name: string, shard: { readonly shard: number; readonly of: number }): void {
  const runs = new SweepRuns(PLAN);
  const writer = new RowWriter(PLAN);
  const file = openSync(name, 'w');
  writeSync(file, `${JSON.stringify(shardHeader(headerOf(PLAN, new Map(), 'bench'), shard))}\n`);
  const count = runsOfShard(shard, rows);
  for (let first = 0; first < count; first += PIECE_ROWS) {
    const length = Math.min(PIECE_ROWS, count - first);
    const lines = Array.from({ length }, (_, i) => writer.line(runs.at(runIndexAt(shard, first + i)), RESULT, 0));
    writeSync(file, `${lines.join('\n')}\n`);
  }
  closeSync(file);
}

mkdirSync(folder, { recursive: true });
const names = Array.from({ length: of }, (_, i) => join(folder, `part-${i + 1}.ndjson`));
for (const [i, name] of names.entries()) writeShard(name, { shard: i + 1, of });
const clock = new RealClock();
const start = clock.nowMillis();
const before = process.cpuUsage();
const output = join(folder, 'merged.ndjson');
await mergeCommand(nodeTerminal()).parseAsync([...names, '-o', output], { from: 'user' });
const seconds = (clock.nowMillis() - start) / 1000;
const { user, system } = process.cpuUsage(before);
const [cpu, kernel] = [user + system, system].map((micros) => (micros / 1e6).toFixed(2));
const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
console.log(
  `${rows} rows of ${of} shards, ${mib(statSync(output).size)}: ${seconds.toFixed(2)} s, ` +
    `${Math.round(rows / seconds)} rows/s, ${cpu} s CPU (${kernel} system), ` +
    `resident at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`,
);
