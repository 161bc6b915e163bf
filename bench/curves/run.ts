/**
 * `npm run bench:curves [-- --sizes 1000,10000,100000,1000000 --pods 20000]`: time and memory per pod and per node for
 * growing numbers of pods that wait and of nodes, as tables in Markdown. Times are processor time of the whole process,
 * garbage collection included, so that other work on the machine counts less.
 */
import { parseArgs } from 'node:util';
import { heapMeter } from '../../src/cli/terminal/heap-meter.ts';
import { Scheduler } from '../../src/index.ts';
import { nodePoint } from './node-curve.ts';
import { pendingPoint } from './pending-curve.ts';

const REHEARSED = 10_000;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000,1000000' },
    pods: { type: 'string', default: '20000' },
  },
});
const sizes = values.sizes.split(',').map(Number);
const pods = Number(values.pods);
const clock = {
  nowMillis(): number {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};
const memory = heapMeter();

// Code is compiled while it runs for the first time, so something is measured before that is not shown.
pendingPoint(Math.min(REHEARSED, sizes.at(-1) ?? 0), clock, memory);
table(['waiting pods', 'µs to wait', 'µs of another pod', 'µs to place', 'bytes a pod'], sizes, (size) => {
  const { microsToWait, microsBeside, microsToPlace, bytesPerPod } = pendingPoint(size, clock, memory);
  return [one(microsToWait), one(microsBeside), one(microsToPlace), whole(bytesPerPod)];
});

const modules = { createSubject: (options: object) => new Scheduler(options), clock, memory };
nodePoint(sizes[0] ?? 0, pods, modules);
nodePoint(sizes[0] ?? 0, pods, modules);
table(['nodes', 'µs a node', 'µs a pod', 'bytes a node'], sizes, (size) => {
  const { microsPerNode, microsPerPod, bytesPerNode } = nodePoint(size, pods, modules);
  return [one(microsPerNode), microsPerPod.toFixed(2), whole(bytesPerNode)];
});

function table(names: readonly string[], keys: readonly number[], rowOf: (key: number) => readonly string[]): void {
  console.log(`| ${names.join(' | ')} |\n|${names.map(() => '---:').join('|')}|`);
  for (const key of keys) console.log(`| ${[whole(key), ...rowOf(key)].join(' | ')} |`);
  console.log('');
}

function one(value: number): string {
  return value.toFixed(1);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
