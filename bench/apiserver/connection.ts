import { connect, type Socket } from 'node:net';
import type { Clock } from '../../src/lib/clock.ts';

/** Where the server under test listens. */
export interface Target {
  readonly port: number;
  readonly token: string;
}

const BLANK_LINE = Buffer.from('\r\n\r\n');

/** The bytes of a request. */
export function requestBytes({ port, token }: Target, method: string, path: string, body = ''): Buffer {
  const type = 'Content-Type: application/json';
  const length = body === '' ? '' : `${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  const access = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${access}\r\n${length}\r\n${body}`);
}

/**
 * A client that does no more than it must: the client of Node takes longer for an answer than the server, which would
 * then be waited for by nobody. It understands answers that say how long they are.
 */
export class Connection {
  readonly #socket: Socket;
  #parts: Buffer[] = [];
  #have = 0;
  #need = Number.POSITIVE_INFINITY;
  #answered: (answer: Buffer) => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  static open({ port }: Target): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(new Connection(socket)));
      socket.on('error', reject);
    });
  }

  /** The whole answer, with its head. */
  send(request: Buffer): Promise<Buffer> {
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#have += chunk.length;
    if (this.#need === Number.POSITIVE_INFINITY) this.#need = lengthOf(Buffer.concat(this.#parts));
    if (this.#have < this.#need) return;
    const answer = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#have = 0;
    this.#need = Number.POSITIVE_INFINITY;
    this.#answered(answer);
  }
}

/** The length of an answer with its head; Infinity while the head is not complete. */
function lengthOf(answer: Buffer): number {
  const end = answer.indexOf(BLANK_LINE);
  if (end < 0) return Number.POSITIVE_INFINITY;
  const length = /content-length: (\d+)/i.exec(answer.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error('the answer does not say how long it is');
  return end + BLANK_LINE.length + Number(length);
}

/** The text of an answer, which has succeeded. */
export function bodyOf(answer: Buffer): Buffer {
  const end = answer.indexOf(BLANK_LINE);
  const status = answer.toString('latin1', 0, end).split(' ')[1] ?? '';
  if (!status.startsWith('2')) throw new Error(answer.toString());
  return answer.subarray(end + BLANK_LINE.length);
}

export interface LoadOptions {
  readonly connections: number;
  readonly requests: number;
}

/** Requests a second over several connections, each with one request under way. */
export async function load(
  target: Target,
  clock: Clock,
  requestOf: (index: number) => Buffer,
  { connections, requests }: LoadOptions,
): Promise<number> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(target)));
  let next = 0;
  const startMillis = clock.nowMillis();
  await Promise.all(
    open.map(async (connection) => {
      while (next < requests) bodyOf(await connection.send(requestOf(next++)));
    }),
  );
  const seconds = (clock.nowMillis() - startMillis) / 1000;
  for (const connection of open) connection.close();
  return requests / seconds;
}

/** Gives the bare handler the bytes that it answers for some paths. */
export async function putBytes(floor: Target, paths: Iterable<string>, bytes: Buffer): Promise<void> {
  const connection = await Connection.open(floor);
  for (const path of paths) {
    const head = requestBytes(floor, 'PUT', path, ' ').toString().split('\r\n\r\n')[0] as string;
    const request = `${head.replace(/Content-Length: \d+/, `Content-Length: ${bytes.length}`)}\r\n\r\n`;
    bodyOf(await connection.send(Buffer.concat([Buffer.from(request), bytes])));
  }
  connection.close();
}
