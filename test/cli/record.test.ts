import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { run } from '../../src/cli/program.ts';
import { nodeFiles } from '../../src/cli/terminal/node-files.ts';
import { serve } from '../../src/serving/serve.ts';
import { berth, textTerminal } from './run-berth.ts';

const directory = mkdtempSync(join(tmpdir(), 'berth-record-'));
afterAll(() => rmSync(directory, { recursive: true }));

const PODS = 30;
const WAIT = { timeout: 30_000 };

const pod = (name: string) => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name } },
  spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '500m' } } }] },
});

async function simulated(file: string, ...flags: readonly string[]): Promise<string> {
  const { terminal, seen } = textTerminal();
  expect(await run(['simulate', '--trace', file, ...flags], { ...terminal, files: nodeFiles(() => {}) })).toBe(0);
  return seen.out;
}

describe('berth record', () => {
  it('records a served cluster until it is interrupted, and goes on with --for', async () => {
    await using served = await serve({ nodes: 2 });
    const kubeconfig = served.writeKubeconfig();
    const file = join(directory, 'run.ndjson.gz');
    const { terminal, seen } = textTerminal();
    let interrupt = (): void => {};
    const onInterrupt = (listener: () => void) => {
      interrupt = listener;
      return () => {};
    };
    const ended = run(['record', file, '--kubeconfig', kubeconfig], { ...terminal, onInterrupt });
    const text = () => gunzipSync(readFileSync(file)).toString();
    await vi.waitFor(() => expect(text()).toContain('"kind":"Node"'), { timeout: 30_000 });
    for (let i = 0; i < PODS; i++) await served.create(pod(`web-${i}`));
    await vi.waitFor(() => expect(text().match(/"nodeName":"node-/g)).toHaveLength(PODS), { timeout: 30_000 });
    interrupt();
    expect(await ended).toBe(130);
    expect(seen.logged).toEqual([
      expect.stringContaining('the recording begins'),
      expect.stringMatching(/: \d+ changes recorded$/),
    ]);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(text()).not.toContain('managedFields');
    const again = await berth(['record', file, '--kubeconfig', kubeconfig, '--for', '100ms']);
    expect(again).toMatchObject({ code: 0, logged: [expect.stringContaining('goes on'), expect.anything()] });
    expect(text()).toMatch(/"RESUMED"[\s\S]*"STOPPED"}\n$/);
    expect(await simulated(file)).toMatch(new RegExp(`^placed as recorded +${PODS} of ${PODS}$`, 'm'));
    const { placements } = JSON.parse(await simulated(file, '-o', 'json', '--tie-break', 'random'));
    expect(placements.elsewhere).toBeGreaterThan(0);
  });

  it('names nobody with --anonymise, and lets neither kind of recording go on as the other', async () => {
    await using served = await serve({ nodes: 2 });
    await served.create(pod('payroll'));
    const kubeconfig = served.writeKubeconfig();
    const { store } = served.cluster;
    await vi.waitFor(() => expect(store.get('pods', 'default', 'payroll').spec?.nodeName).toMatch(/^node-/), WAIT);
    const file = (name: string): string => join(directory, name);
    const record = (name: string, ...flags: readonly string[]) =>
      berth(['record', file(name), '--kubeconfig', kubeconfig, '--for', '1500ms', ...flags]);
    expect(await record('nameless.ndjson.gz', '--anonymise', '7')).toMatchObject({ code: 0 });
    const text = gunzipSync(readFileSync(file('nameless.ndjson.gz'))).toString();
    expect(text).toContain('"anonymised":true');
    expect(text).toMatch(/"kind":"Pod"/);
    expect(text).not.toContain('payroll');
    // The pod is on its node still, by the node's new name.
    const [, node] = /"nodeName":"([^"]+)"/.exec(text) ?? [];
    expect(text).toContain(`"name":"${node}"`);
    expect(await simulated(file('nameless.ndjson.gz'))).toContain('placed as recorded');
    for (const flags of [[], ['--anonymise', '7']]) {
      const { code, logged } = await record('nameless.ndjson.gz', ...flags);
      const why = expect.stringContaining('the recording cannot go on: its names were replaced');
      expect({ code, logged }).toEqual({ code: 1, logged: [why] });
    }
    expect(await record('named.ndjson.gz')).toMatchObject({ code: 0 });
    const { code, logged } = await record('named.ndjson.gz', '--anonymise', '7');
    const why = expect.stringContaining('the recording cannot go on: it has names');
    expect({ code, logged }).toEqual({ code: 1, logged: [why] });
  });

  it('says in one line why it cannot record', async () => {
    await using served = await serve();
    const flags = ['--kubeconfig', served.writeKubeconfig(), '--for', '1s'];
    const { code, logged } = await berth(['record', join(directory, 'no', 'such'), ...flags]);
    expect({ code, logged }).toEqual({ code: 1, logged: [expect.stringMatching(/^error: .*no\/such: /)] });
  });
});
