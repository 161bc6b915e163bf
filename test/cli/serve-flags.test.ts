import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { run } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { ApiClient } from './api-client.ts';
import { berth, textTerminal } from './run-berth.ts';

const directory = mkdtempSync(join(tmpdir(), 'berth-flags-'));
const kubeconfig = join(directory, 'kubeconfig');
afterAll(() => rmSync(directory, { recursive: true }));

/** Serves in this process while `use` runs; returns what was logged. */
async function serving(flags: readonly string[], files: Record<string, string>, use: () => Promise<void>) {
  const { terminal, seen } = textTerminal(files);
  let interrupt = (): void => {};
  let ended: Promise<number> | undefined;
  await new Promise<void>((resolve, reject) => {
    const more: Partial<Terminal> = {
      print: async () => resolve(),
      onInterrupt: (listener) => {
        interrupt = listener;
        return () => {};
      },
    };
    ended = run(['serve', '--kubeconfig', kubeconfig, ...flags], { ...terminal, ...more });
    ended.then(() => reject(new Error(seen.logged.join('\n'))));
  });
  try {
    await use();
  } finally {
    interrupt();
    expect(await ended).toBe(130);
  }
  return seen.logged;
}

async function clock(...argv: string[]): Promise<string> {
  const { code, out, logged } = await berth(['clock', ...argv, '--kubeconfig', kubeconfig]);
  expect({ code, logged }).toEqual({ code: 0, logged: [] });
  return out;
}

const PODS = '/api/v1/namespaces/default/pods';
const POD = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, annotations: { 'berth.dev/run-duration': '30m' } },
  spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'nginx' }] },
});
const JOB = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'pi' },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'pi' }] } } },
};

function phaseOf(body: object): string {
  return (body as { status: { phase: string } }).status.phase;
}

describe('berth clock', () => {
  it('shows, steps, paces and pauses the clock of a served cluster', async () => {
    await serving(['--nodes', '1', '--agents', '--speed', 'paused'], {}, async () => {
      const client = new ApiClient(kubeconfig);
      const before = Date.parse((await clock()).split(' ')[0] as string);
      expect(await clock()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ paused\n$/);
      await clock('step', '1m');
      await client.send('POST', PODS, POD('web'));
      await clock('step', '1m30s');
      expect(phaseOf((await client.send('GET', `${PODS}/web`)).body)).toBe('Running');
      const after = Date.parse((await clock('step', '1h')).split(' ')[0] as string);
      expect(after - before).toBe(3_750_000);
      expect(phaseOf((await client.send('GET', `${PODS}/web`)).body)).toBe('Succeeded');
      expect(await clock('speed', '100000')).toMatch(/ speed 100000\n$/);
      await vi.waitFor(async () =>
        expect(Date.parse((await clock()).split(' ')[0] as string)).toBeGreaterThan(after + 1000),
      );
      expect(await clock('pause')).toMatch(/ paused\n$/);
      expect(await clock('speed', 'max')).toMatch(/ max\n$/);
      client.close();
    });
  });

  it.each([
    [['step', '-1h'], /^error: unknown option/],
    [['step'], /^error: clock step needs a value$/],
    [['pause', '1h'], /^error: clock pause takes no value$/],
    [['stop'], /Allowed choices are show, step, speed, pause/],
    [['step', 'soon'], /^error: step: Invalid value: "soon": time: invalid duration/],
    [['speed', '0'], /^error: .*Expected a number above 0/],
  ])('%j is refused in one line', async (argv, message) => {
    await serving([], {}, async () => {
      const { code, logged } = await berth(['clock', ...argv, '--kubeconfig', kubeconfig]);
      expect(code).toBe(1);
      expect(logged[0]).toMatch(message);
    });
  });

  it('says so when nothing is served, or there is no kubeconfig', async () => {
    const none = await berth(['clock', '--kubeconfig', join(directory, 'none')]);
    expect(none.logged.join()).toMatch(/none: no such file; berth serve writes it$/);
    const gone = await berth(['clock', '--kubeconfig', kubeconfig]);
    expect(gone.logged.join()).toMatch(/ECONNREFUSED.*is berth serve running\?$/);
  });
});

describe('berth serve', () => {
  it('--config decides how pods are scheduled, --controllers which controllers run', async () => {
    const configuration = `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{schedulerName: packer}]
`;
    const flags = ['--nodes', '1', '--config', 'c.yaml', '--controllers', '*,-job-controller'];
    await serving(flags, { 'c.yaml': configuration }, async () => {
      const client = new ApiClient(kubeconfig);
      expect((await client.send('POST', '/apis/batch/v1/namespaces/default/jobs', JOB)).status).toBe(201);
      await client.send('POST', PODS, POD('left'));
      const mine = { ...POD('mine'), spec: { ...POD('mine').spec, schedulerName: 'packer' } };
      await client.send('POST', PODS, mine);
      const nodeOf = async (name: string) =>
        ((await client.send('GET', `${PODS}/${name}`)).body as { spec: { nodeName?: string } }).spec.nodeName;
      await vi.waitFor(async () => expect(await nodeOf('mine')).toBe('node-00000'));
      expect(await nodeOf('left')).toBeUndefined();
      // The Job is older than the pod that is bound.
      expect((await client.send('GET', PODS)).body.items).toHaveLength(2);
      client.close();
    });
  });

  it('--record notes writes with what was sent and answered, as audit events', async () => {
    const record = join(directory, 'audit.log');
    await serving(['--record', record], {}, async () => {
      const client = new ApiClient(kubeconfig);
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } };
      await client.send('POST', '/api/v1/namespaces/default/configmaps?fieldManager=me', map);
      await client.send('POST', '/api/v1/namespaces/default/configmaps', map);
      await client.send('GET', '/api/v1/namespaces/default/configmaps/m');
      client.close();
    });
    expect(statSync(record).mode & 0o777).toBe(0o600);
    const events = readFileSync(record, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ verb, level, responseStatus }) => [verb, level, responseStatus.code])).toEqual([
      ['create', 'RequestResponse', 201],
      ['create', 'RequestResponse', 409],
      ['get', 'Metadata', 200],
    ]);
    expect(events[0]).toMatchObject({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      requestURI: '/api/v1/namespaces/default/configmaps?fieldManager=me',
      objectRef: { resource: 'configmaps', namespace: 'default', apiVersion: 'v1' },
      requestObject: { metadata: { name: 'm' } },
      responseObject: { metadata: { name: 'm', uid: expect.any(String) } },
    });
    expect(events[1].responseObject).toMatchObject({ kind: 'Status', reason: 'AlreadyExists' });
  });

  it('--listen beyond this machine needs a token in a file that only its owner may read', async () => {
    const tokenFile = join(directory, 'token');
    writeFileSync(tokenFile, 'secret-of-the-whole-team\n', { mode: 0o644 });
    const files = { [tokenFile]: 'secret-of-the-whole-team\n' };
    const without = await berth(['serve', '--listen', '0.0.0.0', '--kubeconfig', kubeconfig]);
    expect(without.logged).toEqual([
      'error: option token: what listens beyond this machine needs a token of 16 characters or more, ' +
        'since others can reach 0.0.0.0',
    ]);
    const open = await berth(['serve', '--listen', '0.0.0.0', '--token-file', tokenFile], files);
    expect(open.logged).toEqual([`error: ${tokenFile}: others may read the token; chmod 600 ${tokenFile}`]);
    chmodSync(tokenFile, 0o600);
    await serving(['--listen', '0.0.0.0', '--token-file', tokenFile], files, async () => {
      const client = new ApiClient(kubeconfig);
      expect(client.token).toBe('secret-of-the-whole-team');
      expect((await client.send('GET', '/version')).status).toBe(200);
      client.close();
    });
  });

  it.each([
    [['--controllers', 'jobs'], /option controllers: "jobs" is none of job-controller, /],
    [['--speed', 'fast'], /Expected a number above 0, up to 1000000, or max, or paused/],
    [['--snapshot', directory], /is a directory, not a file$/],
    [['--record', directory], /is a directory, not a file$/],
  ])('%j is refused', async (flags, message) => {
    const { code, logged } = await berth(['serve', '--kubeconfig', kubeconfig, ...flags]);
    expect(code).toBe(1);
    expect(logged.join()).toMatch(message);
  });
});
