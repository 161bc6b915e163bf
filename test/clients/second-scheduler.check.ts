import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { kubectlPath } from '../cli/kubectl.ts';
import { MAIN } from '../cli/run-built.ts';
import { type ServedProcess, startServing } from '../cli/served-process.ts';

const directory = mkdtempSync(join(tmpdir(), 'berth-second-'));
const kubeconfig = join(directory, 'kubeconfig');
const PATIENCE = { timeout: 60_000, interval: 200 };

let served: ServedProcess;
const started: ChildProcess[] = [];

async function kubectl(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(kubectlPath(), ['--kubeconfig', kubeconfig, ...args]);
  return stdout;
}

/** A `berth scheduler` as a user starts it, and what it has logged. */
class BuiltScheduler {
  readonly ended: Promise<number | null>;
  readonly #process: ChildProcess;
  logged = '';

  constructor() {
    const argv = [MAIN, 'scheduler', '--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0', '--log-level', 'info'];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.logged += text;
    });
    this.#process = child;
    this.ended = new Promise((resolve) => {
      child.on('close', resolve);
    });
    started.push(child);
  }

  async url(): Promise<string> {
    await vi.waitFor(() => expect(this.logged).toMatch(/http:\S+;/), PATIENCE);
    return /http:[^;\s]+/.exec(this.logged)?.[0] ?? '';
  }

  terminate(): Promise<number | null> {
    this.#process.kill('SIGTERM');
    return this.ended;
  }
}

async function textAt(url: string): Promise<string> {
  const response = await fetch(url);
  return `${response.status} ${await response.text()}`;
}

const holder = (): Promise<string> =>
  kubectl('get', 'lease', 'kube-scheduler', '-n', 'kube-system', '-o', 'jsonpath={.spec.holderIdentity}');

async function scheduledEvents(): Promise<readonly string[]> {
  const line = '{range .items[*]}{.reportingComponent}: {.message}{"\\n"}{end}';
  const flags = ['--field-selector', 'reason=Scheduled', '-o', `jsonpath=${line}`];
  return (await kubectl('get', 'events', ...flags)).trim().split('\n');
}

beforeAll(async () => {
  served = await startServing('--nodes', '10', '--agents', '--no-scheduler', '--kubeconfig', kubeconfig);
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  served.process.kill('SIGTERM');
  await served.ended;
  rmSync(directory, { recursive: true });
});

describe('berth scheduler beside berth serve --no-scheduler', () => {
  let first: BuiltScheduler;

  it('schedules what kubectl creates', async () => {
    await kubectl('create', 'deployment', 'web', '--image', 'nginx', '--replicas', '20');
    expect(await kubectl('get', 'pods', '--field-selector', 'spec.nodeName!=', '-o', 'name')).toBe('');
    first = new BuiltScheduler();
    await kubectl('wait', '--for=condition=Available', 'deployment/web', '--timeout=60s');
    // Events follow at their own rate.
    await vi.waitFor(async () => expect(await scheduledEvents()).toHaveLength(20), PATIENCE);
    expect((await scheduledEvents())[0]).toMatch(/^default-scheduler: Successfully assigned default\/web-\S+ to node-/);
  });

  it('serves probes, and metrics with the names of kube-scheduler', async () => {
    const url = await first.url();
    expect(await textAt(`${url}/healthz`)).toBe('200 ok');
    expect(await textAt(`${url}/readyz`)).toBe('200 ok');
    const metrics = await textAt(`${url}/metrics`);
    expect(metrics).toContain('scheduler_schedule_attempts_total{result="scheduled",profile="default-scheduler"} 20');
    for (const name of ['scheduling_attempt_duration_seconds', 'pending_pods', 'pod_scheduling_sli_duration_seconds']) {
      expect(metrics).toContain(`# TYPE scheduler_${name} `);
    }
  });

  it('hands the lease on when it is told to end, without binding a pod twice', async () => {
    const second = new BuiltScheduler();
    expect(await textAt(`${await second.url()}/healthz`)).toBe('200 ok');
    expect(second.logged).not.toContain('became the leader');
    const firstHolder = await holder();
    await kubectl('scale', 'deployment/web', '--replicas=200');
    expect(await first.terminate()).toBe(143);
    await vi.waitFor(() => expect(second.logged).toContain('became the leader'), PATIENCE);
    await kubectl('wait', '--for=jsonpath={.status.availableReplicas}=200', 'deployment/web', '--timeout=90s');
    expect(await holder()).not.toBe(firstHolder);
    await vi.waitFor(async () => expect(await scheduledEvents()).toHaveLength(200), PATIENCE);
    expect(await second.terminate()).toBe(143);
    expect(await holder()).toBe('');
  });
});
