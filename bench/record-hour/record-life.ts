import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RealEventLoop } from '../../src/lib/event-loop.ts';
import { connect } from '../../src/live/connect.ts';
import { loadKubeconfig } from '../../src/remote/connection/kubeconfig.ts';
import { RandomLife } from './random-life.ts';

export interface RecordedLifeOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly nodes: number;
  /** The mean time between two actions of users. */
  readonly pauseMillis: number;
  /** Where the recording and the kubeconfig are written. */
  readonly folder: string;
}

const BERTH = join(import.meta.dirname, '../../dist/cli/main.js');
const SHAPES = ['cpu=2,memory=16Gi', 'cpu=4,memory=16Gi'];
const MILLIS_PER_MINUTE = 60_000;
const POLL_MILLIS = 50;
/** How long the cluster goes on after the last action. */
const REST_MILLIS = 5000;

/**
 * Lets users live on a cluster of `berth serve` over HTTP, while `berth record` writes down what happens, each in a
 * process of its own. Returns the name of the recording, and what the users have done.
 */
export async function recordLife(
  options: RecordedLifeOptions,
): Promise<{ file: string; taken: ReadonlyMap<string, number> }> {
  const { seed, minutes, nodes, pauseMillis, folder } = options;
  const loop = new RealEventLoop((error) => {
    throw error;
  });
  const kubeconfig = join(folder, 'kubeconfig');
  const file = join(folder, `recorded-${seed}.ndjson.gz`);
  const shapes = SHAPES.flatMap((shape) => ['--shape', shape]);
  const server = berth('serve', '--nodes', String(nodes), ...shapes, '--agents', '--kubeconfig', kubeconfig);
  try {
    await until(loop, () => existsSync(kubeconfig));
    const recorder = berth('record', file, '--kubeconfig', kubeconfig, '--kube-api-qps', '0');
    await said(recorder, 'the recording begins');
    const users = await connect(await loadKubeconfig({ kubeconfig }), loop, { qps: 0 });
    const list = await users.request<{ items: { metadata: { name: string } }[] }>({
      ...{ method: 'GET', path: '/api/v1/nodes' },
    });
    const names = list.items.map(({ metadata }) => metadata.name);
    const life = new RandomLife(users, loop, { seed, millis: minutes * MILLIS_PER_MINUTE, nodes: names, pauseMillis });
    await life.live();
    await new Promise<void>((resolve) => void loop.after(REST_MILLIS, resolve));
    await end(recorder);
    await users.close();
    return { file, taken: life.taken };
  } finally {
    await end(server);
    loop.close();
  }
}

export interface Ended {
  readonly exit: number;
  readonly stdout: string;
}

/** Runs a command of Berth to its end. */
export async function berthOutput(...args: readonly string[]): Promise<Ended> {
  const child = berth(...args);
  let stdout = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const exit = await new Promise<number>((resolve) => void child.on('close', (code) => resolve(code ?? -1)));
  return { exit, stdout };
}

function berth(...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [BERTH, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  // A process waits at its end until somebody has read what it printed.
  child.stdout.resume();
  child.stderr.resume();
  return child;
}

/** Resolves when the process has printed the text. */
function said(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      if (printed.includes(text)) resolve();
    });
    child.on('close', () => reject(new Error(`a process has ended: ${printed}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const closed = new Promise<void>((resolve) => void child.on('close', () => resolve()));
  child.kill('SIGINT');
  await closed;
}

async function until(loop: RealEventLoop, isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise<void>((resolve) => void loop.after(POLL_MILLIS, resolve));
}
