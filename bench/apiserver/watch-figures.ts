import { connect, type Socket } from 'node:net';
import type { Clock } from '../../src/lib/clock.ts';
import type { EventLoop } from '../../src/lib/event-loop.ts';
import { percentile } from '../../src/lib/percentile.ts';
import { bodyOf, Connection, requestBytes, type Target } from './connection.ts';

export interface WatchSizes {
  readonly watches: number;
  readonly eventsPerSecond: number;
  readonly seconds: number;
}

export interface Delivery {
  readonly delivered: number;
  readonly expected: number;
  /** How many events a second were written: the next one is written when the last one was answered. */
  readonly writtenPerSecond: number;
  readonly p50Millis: number;
  readonly p99Millis: number;
}

const MAPS = '/api/v1/namespaces/default/configmaps';
const STEP_MILLIS = 10;
const PATIENCE_MILLIS = 30_000;
/** Each event bears its number behind this mark. */
const MARK = Buffer.from('"n":"#');
/** Every so many watches one measures; the others count bytes only, so that the client is not what is measured. */
const MEASURED_EVERY = 10;

/** Writes objects at a pace while many watch, and measures how long each event is under way. */
export async function delivery(
  target: Target,
  isFloor: boolean,
  { clock, loop }: { readonly clock: Clock; readonly loop: EventLoop },
  { watches, eventsPerSecond, seconds }: WatchSizes,
): Promise<Delivery> {
  const count = eventsPerSecond * seconds;
  const sentMillis = new Float64Array(count);
  const delays: number[] = [];
  let seen = 0;
  const sockets = await Promise.all(
    Array.from({ length: watches }, (_, i) =>
      watching(target, i % MEASURED_EVERY === 0 ? (index) => note(index) : undefined),
    ),
  );
  const note = (index: number): void => {
    seen++;
    delays.push(clock.nowMillis() - (sentMillis[index] as number));
  };
  const writer = await Connection.open(target);
  const write = async (index: number): Promise<void> => {
    const body = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `m${index}` },
      data: { n: `#${index}#` },
    });
    sentMillis[index] = clock.nowMillis();
    const line = `{"type":"ADDED","object":${body}}\n`;
    const request = isFloor ? requestBytes(target, 'PUT', '/event', line) : requestBytes(target, 'POST', MAPS, body);
    bodyOf(await writer.send(request));
  };
  const startMillis = clock.nowMillis();
  for (let index = 0; index < count; ) {
    const due = Math.min(count, Math.ceil(((clock.nowMillis() - startMillis) * eventsPerSecond) / 1000));
    while (index < due) await write(index++);
    await new Promise<void>((resolve) => loop.after(STEP_MILLIS, resolve));
  }
  const writtenPerSecond = (count * 1000) / (clock.nowMillis() - startMillis);
  const expected = count * sockets.filter((_, i) => i % MEASURED_EVERY === 0).length;
  const endMillis = clock.nowMillis() + PATIENCE_MILLIS;
  while (seen < expected && clock.nowMillis() < endMillis) {
    await new Promise<void>((resolve) => loop.after(STEP_MILLIS, resolve));
  }
  for (const socket of sockets) socket.destroy();
  writer.close();
  delays.sort((a, b) => a - b);
  const [p50Millis, p99Millis] = [percentile(delays, 50), percentile(delays, 99)];
  return { delivered: seen, expected, writtenPerSecond, p50Millis, p99Millis };
}

/** Resolves when the server has begun to answer. */
function watching(target: Target, note: ((index: number) => void) | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(target.port, '127.0.0.1', () => {
      socket.write(requestBytes(target, 'GET', `${MAPS}?watch=1`));
    });
    socket.on('error', reject);
    socket.once('data', () => {
      resolve(socket);
      let rest = Buffer.alloc(0);
      socket.on('data', (chunk: Buffer) => {
        if (note !== undefined) rest = marksIn(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), note);
      });
    });
  });
}

/** Notes the numbers of all events in the bytes; returns the end, in which another one may have begun. */
function marksIn(bytes: Buffer, note: (index: number) => void): Buffer<ArrayBuffer> {
  let from = 0;
  for (;;) {
    const at = bytes.indexOf(MARK, from);
    if (at < 0) return Buffer.from(bytes.subarray(Math.max(from, bytes.length - MARK.length)));
    const end = bytes.indexOf('#', at + MARK.length);
    if (end < 0) return Buffer.from(bytes.subarray(at));
    note(Number(bytes.toString('latin1', at + MARK.length, end)));
    from = end + 1;
  }
}
