import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { run } from '../../src/cli/program.ts';
import { serve } from '../../src/serving/serve.ts';
import { berth, textTerminal } from './run-berth.ts';

const directory = mkdtempSync(join(tmpdir(), 'berth-scheduler-'));
afterAll(() => rmSync(directory, { recursive: true }));

function kubeconfig(name: string, content: object): string {
  const file = join(directory, name);
  writeFileSync(file, stringify({ apiVersion: 'v1', kind: 'Config', ...content }));
  return file;
}

function pointingAt(server: string): object {
  return {
    clusters: [{ name: 'c', cluster: { server } }],
    users: [{ name: 'u', user: {} }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
}

async function refusedWith(...flags: string[]): Promise<string> {
  const { code, logged } = await berth(['scheduler', '--listen', '127.0.0.1:0', ...flags]);
  expect(code).toBe(1);
  expect(logged).toHaveLength(1);
  return logged[0] ?? '';
}

/** A port of this machine on which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('berth scheduler', () => {
  it('says in one line what is wrong with a kubeconfig', async () => {
    const missing = join(directory, 'missing');
    expect(await refusedWith('--kubeconfig', missing)).toContain(`kubeconfig ${missing}: `);
    const none = kubeconfig('none', { ...pointingAt('https://127.0.0.1:1'), 'current-context': '' });
    expect(await refusedWith('--kubeconfig', none)).toContain('current-context: is not set: name one with --context');
    const some = kubeconfig('some', pointingAt('https://127.0.0.1:1'));
    expect(await refusedWith('--kubeconfig', some, '--context', 'y')).toContain('there is no context "y"');
  });

  it('says in one line that a server cannot be reached, or is not verified', async () => {
    const server = `https://127.0.0.1:${await freePort()}`;
    const line = await refusedWith('--kubeconfig', kubeconfig('closed', pointingAt(server)));
    expect(line).toBe(`error: ${server}: dial tcp ${server.slice('https://'.length)}: connect: connection refused`);
    await using served = await serve();
    const unverified = await refusedWith('--kubeconfig', kubeconfig('unverified', pointingAt(served.url)));
    expect(unverified).toContain('x509: certificate signed by unknown authority');
  });

  it('refuses a token that the server does not know', async () => {
    await using served = await serve();
    const wrong = parse(served.kubeconfig.replace(/token: .*/, 'token: wrong'));
    expect(await refusedWith('--kubeconfig', kubeconfig('wrong', wrong))).toContain('Unauthorized');
  });

  it('refuses addresses and flags that have no effect', async () => {
    await using served = await serve();
    const file = served.writeKubeconfig();
    expect(await refusedWith('--kubeconfig', file, '--listen', 'nowhere')).toContain('--listen nowhere: must be');
    expect(await refusedWith('--scheduler-name', 'a', '--config', 'x.yaml')).toContain('--scheduler-name');
  });

  it('writes nothing with --dry-run, and says what it would do', async () => {
    await using served = await serve({ nodes: 1, shapes: ['cpu=1'], scheduler: false });
    const { terminal, seen } = textTerminal();
    let interrupt = (): void => {};
    const onInterrupt = (listener: () => void) => {
      interrupt = listener;
      return () => {};
    };
    const flags = ['--kubeconfig', served.writeKubeconfig(), '--listen', '127.0.0.1:0', '--dry-run'];
    const ended = run(['scheduler', ...flags], { ...terminal, onInterrupt });
    for (const name of ['a', 'b']) {
      const containers = [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '1' } } }];
      await served.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers } } as object);
    }
    await vi.waitFor(() => expect(seen.out.trim().split('\n')).toHaveLength(2), { timeout: 10_000 });
    interrupt();
    expect(await ended).toBe(130);
    expect(seen.out).toContain('default/a would be bound to node-00000\n');
    expect(seen.out).toContain('default/b would wait: 0/1 nodes are available: 1 Insufficient cpu.');
    const { store } = served.cluster;
    expect(store.list('pods').items.map(({ spec }) => spec?.nodeName)).toEqual([undefined, undefined]);
    expect(store.list('events').items).toEqual([]);
  });

  it('schedules the pods that ask for it until it is interrupted', async () => {
    await using served = await serve({ nodes: 2, scheduler: false });
    const { terminal, seen } = textTerminal();
    let interrupt = (): void => {};
    const onInterrupt = (listener: () => void) => {
      interrupt = listener;
      return () => {};
    };
    const flags = ['--kubeconfig', served.writeKubeconfig(), '--listen', '127.0.0.1:0', '--scheduler-name', 'mine'];
    const ended = run(['scheduler', ...flags], { ...terminal, onInterrupt });
    const pod = (name: string, schedulerName: string) => ({
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name } },
      spec: { schedulerName, containers: [{ name: 'c', image: 'nginx' }] },
    });
    await served.create(pod('a', 'mine'));
    await served.create(pod('b', 'default-scheduler'));
    const { store } = served.cluster;
    const nodeOf = (name: string) => store.get('pods', 'default', name).spec?.nodeName;
    await vi.waitFor(() => expect(nodeOf('a')).toMatch(/^node-/), { timeout: 10_000 });
    expect(nodeOf('b')).toBeUndefined();
    const [url = ''] = /http:\S+(?=;)/.exec(seen.logged.join()) ?? [];
    expect(await (await fetch(`${url}/readyz`)).text()).toBe('ok');
    expect(await (await fetch(`${url}/metrics`)).text()).toContain(
      'scheduler_schedule_attempts_total{result="scheduled",profile="mine"} 1',
    );
    const holder = () => store.get('leases', 'kube-system', 'kube-scheduler').spec?.holderIdentity;
    expect(holder()).not.toBe('');
    interrupt();
    expect(await ended).toBe(130);
    expect(holder()).toBe('');
  });
});
