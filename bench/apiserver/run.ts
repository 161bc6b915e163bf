/**
 * `npm run bench:api [-- --tiny]`: what the API over HTTP does, from a client in another process, beside a bare handler
 * of `node:http` that sends the same bytes.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { RealClock } from '../../src/lib/clock.ts';
import { RealEventLoop } from '../../src/lib/event-loop.ts';
import { requestFigures } from './cases.ts';
import type { Target } from './connection.ts';
import { delivery } from './watch-figures.ts';

const { values } = parseArgs({ options: { tiny: { type: 'boolean', default: false } } });
const SIZES = values.tiny
  ? { connections: 2, requests: 20, pods: 50, watches: 10, eventsPerSecond: 100, seconds: 0.2 }
  : { connections: 32, requests: 20_000, pods: 50_000, watches: 1000, eventsPerSecond: 1000, seconds: 5 };

const SERVER = new URL('server.ts', import.meta.url).pathname;
const MEBIBYTE = 2 ** 20;

interface Served {
  readonly child: ChildProcess;
  readonly target: Target;
}

function start(kind: 'api' | 'floor'): Promise<Served> {
  const child = fork(SERVER, [kind], { execArgv: ['--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    child.once('message', (target) => resolve({ child, target: target as Target }));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

const clock = new RealClock();
const loop = new RealEventLoop((error) => {
  throw error;
});
const [api, floor] = [await start('api'), await start('floor')];
console.log(`${'figure'.padEnd(34)}${'berth'.padStart(12)}${'bare http'.padStart(12)}`);
for (const figure of await requestFigures(api.target, floor.target, clock, SIZES)) {
  const { name, unit, api: ours, floor: bare } = figure;
  console.log(`${`${name}, ${unit}`.padEnd(34)}${ours.toFixed(0).padStart(12)}${bare.toFixed(0).padStart(12)}`);
}
const { rss } = await new Promise<{ rss: number }>((resolve) => {
  api.child.once('message', (message) => resolve((message as { bytes: { rss: number } }).bytes));
  api.child.send('memory');
});
console.log(`memory with ${SIZES.pods} pods: ${(rss / MEBIBYTE).toFixed(0)} MiB`);
for (const [name, { target }] of Object.entries({ berth: api, 'bare http': floor })) {
  const { delivered, expected, p50Millis, p99Millis } = await delivery(
    target,
    name !== 'berth',
    { clock, loop },
    SIZES,
  );
  const times = `p50 ${p50Millis.toFixed(1)} ms, p99 ${p99Millis.toFixed(1)} ms`;
  console.log(`${SIZES.watches} watches x ${SIZES.eventsPerSecond} events a second, ${name}: ${times}; `.trimEnd());
  console.log(`  ${delivered} of ${expected} measured events delivered`);
}
api.child.kill();
floor.child.kill();
