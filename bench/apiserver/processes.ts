import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/lib/clock.ts';
import type { Target } from './connection.ts';

const SERVER = new URL('server.ts', import.meta.url).pathname;
const COMMAND = join(import.meta.dirname, '../../dist/cli/main.js');

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly target: Target;
}

/** Starts a server in a process of its own; `options`: those of `serve`. */
export function startServer(kind: 'api' | 'floor', options: object = {}): Promise<ServerProcess> {
  const child = fork(SERVER, [kind, JSON.stringify(options)], { execArgv: ['--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    child.once('message', (target) => resolve({ child, target: target as Target }));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

/** The bytes of memory that a server's process holds. */
export async function residentBytes({ child }: ServerProcess): Promise<number> {
  return await new Promise((resolve) => {
    child.once('message', (message) => resolve((message as { bytes: { rss: number } }).bytes.rss));
    child.send('memory');
  });
}

/** Milliseconds from the start of `berth serve` to the first answer that it is ready. */
export async function commandStartMillis(clock: Clock, nodes: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-bench-'));
  const flags = ['--nodes', String(nodes), '--kubeconfig', join(folder, 'kubeconfig')];
  const startMillis = clock.nowMillis();
  const child = spawn(process.execPath, [COMMAND, 'serve', ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    await isReady(await pageOf(child));
    return clock.nowMillis() - startMillis;
  } finally {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true });
  }
}

/** The address of the page with its token, which the command prints when clients can connect. */
function pageOf(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const page = /https:\S+#token=\S+/.exec(text)?.[0];
      if (page !== undefined) resolve(new URL(page));
    });
    child.once('exit', () => reject(new Error(text)));
  });
}

function isReady({ hostname, port, hash }: URL): Promise<void> {
  const headers = { authorization: `Bearer ${hash.replace('#token=', '')}` };
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path: '/readyz', headers, rejectUnauthorized: false }, (response) => {
      response.resume();
      if (response.statusCode === 200) response.on('end', resolve);
      else reject(new Error(`the server is not ready: ${response.statusCode}`));
    });
    asked.on('error', reject).end();
  });
}
