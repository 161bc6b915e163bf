/**
 * `npm run bench:floor [-- --nodes 5000 --pods 10000 --repeat 5]`: for each kind of cluster the time of a decision,
 * every node scored and in kube-scheduler's own mode, beside the time of a loop that only reads the pods and writes
 * results, as a table in Markdown. Kinds in which pods evict others count all of their pods, those on nodes included.
 */
import { parseArgs } from 'node:util';
import { WARM_UP_ROUNDS } from '../../src/benchmark/bench-case.ts';
import { BENCH_KINDS } from '../../src/benchmark/suite.ts';
import { benchSubject } from '../../src/cli/commands/bench-subject.ts';
import { heapMeter } from '../../src/cli/terminal/heap-meter.ts';
import { RealClock } from '../../src/lib/clock.ts';
import { floorPoint } from './floor-point.ts';

const OWN_MODE = { percentageOfNodesToScore: 0, tieBreak: 'upstream' } as const;

const number = (fallback: number) => ({ type: 'string', default: String(fallback) }) as const;
const { values } = parseArgs({ options: { nodes: number(5000), pods: number(10_000), repeat: number(5) } });
const size = { nodes: Number(values.nodes), pods: Number(values.pods), repeat: Number(values.repeat) };
const context = {
  createSubject: benchSubject,
  clock: new RealClock(),
  memory: heapMeter(),
  warmUpRounds: WARM_UP_ROUNDS,
};

console.log('| kind | floor, µs a pod | every node scored | times the floor | own mode | times the floor |');
console.log('|---|---:|---:|---:|---:|---:|');
for (const kind of BENCH_KINDS) {
  const every = floorPoint(kind, size, {}, context);
  const own = floorPoint(kind, size, OWN_MODE, context);
  const floor = Math.min(every.floorMicros, own.floorMicros);
  const cells = [floor, every.micros, every.micros / floor, own.micros, own.micros / floor];
  console.log(`| ${kind} | ${cells.map((cell) => cell.toPrecision(3)).join(' | ')} |`);
}
