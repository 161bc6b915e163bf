/**
 * `npm run bench:api [-- --tiny]`: what the API of the built library does over HTTP, from a client in another process,
 * beside a bare handler of `node:http` that sends the same bytes.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RealClock } from '../../src/lib/clock.ts';
import { RealEventLoop } from '../../src/lib/event-loop.ts';
import { requestFigures } from './cases.ts';
import { commandStartMillis, type ServerProcess, startServer } from './processes.ts';
import { scheduledFigures } from './scheduled-pods.ts';
import { delivery } from './watch-figures.ts';

const { values } = parseArgs({ options: { tiny: { type: 'boolean', default: false } } });
const SIZES = values.tiny
  ? {
      connections: 2,
      requests: 20,
      pods: 50,
      nodes: 5,
      scheduledPods: 30,
      watches: 10,
      eventsPerSecond: 100,
      seconds: 0.2,
    }
  : {
      ...{ connections: 32, requests: 20_000, pods: 50_000, nodes: 5000, scheduledPods: 100_000 },
      ...{ watches: 1000, eventsPerSecond: 1000, seconds: 5 },
    };
const MEBIBYTE = 2 ** 20;
const LIBRARY = join(import.meta.dirname, '../../dist/cli/apiserver.js');

const clock = new RealClock();
const loop = new RealEventLoop((error) => {
  throw error;
});

function row(name: string, ours: number, bare: number | undefined, digits = 0): string {
  const figures = [ours.toFixed(digits), bare?.toFixed(digits) ?? ''].map((text) => text.padStart(12));
  return `${name.padEnd(48)}${figures.join('')}`;
}

async function requests(api: ServerProcess, floor: ServerProcess): Promise<void> {
  for (const figure of await requestFigures(api.target, floor.target, clock, SIZES)) {
    console.log(row(`${figure.name}, ${figure.unit}`, figure.api, figure.floor));
  }
}

async function watches(api: ServerProcess, floor: ServerProcess): Promise<void> {
  const { watches: count, eventsPerSecond } = SIZES;
  const ours = await delivery(api.target, false, { clock, loop }, SIZES);
  const bare = await delivery(floor.target, true, { clock, loop }, SIZES);
  const name = `${count} watches x ${eventsPerSecond} events/s`;
  console.log(row(`${name}, written a second`, ours.writtenPerSecond, bare.writtenPerSecond));
  console.log(row(`${name}, p50 ms`, ours.p50Millis, bare.p50Millis, 1));
  console.log(row(`${name}, p99 ms`, ours.p99Millis, bare.p99Millis, 1));
  console.log(`  ${ours.delivered} of ${ours.expected} and ${bare.delivered} of ${bare.expected} events delivered`);
}

async function scheduled(): Promise<void> {
  const { nodes, scheduledPods: pods } = SIZES;
  const figures = await scheduledFigures({ clock, loop }, SIZES);
  console.log(row(`creates with a scheduler and ${nodes} nodes, a second`, figures.createsPerSecond, undefined));
  console.log(row(`first list of ${pods} bound pods, ms`, figures.listMillis[0], undefined));
  console.log(row(`next list of ${pods} bound pods, ms`, figures.listMillis[1], undefined));
  console.log(row(`memory with ${pods} pods, MiB`, figures.residentBytes / MEBIBYTE, figures.floorBytes / MEBIBYTE));
}

if (!existsSync(LIBRARY)) throw new Error('the library is not built: run npm run build');
console.log(`${'figure'.padEnd(48)}${'berth'.padStart(12)}${'bare http'.padStart(12)}`);
console.log(row(`start with ${SIZES.nodes} nodes, ms`, await commandStartMillis(clock, SIZES.nodes), undefined));
const [api, floor] = [await startServer('api', { scheduler: false }), await startServer('floor')];
await requests(api, floor);
await watches(api, floor);
api.child.kill();
floor.child.kill();
await scheduled();
