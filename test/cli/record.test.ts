import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { run } from '../../src/cli/program.ts';
import { serve } from '../../src/serving/serve.ts';
import { berth, textTerminal } from './run-berth.ts';

const directory = mkdtempSync(join(tmpdir(), 'berth-record-'));
afterAll(() => rmSync(directory, { recursive: true }));

const POD = {
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } },
  spec: { containers: [{ name: 'c', image: 'nginx' }] },
};

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
    await vi.waitFor(() => expect(text()).toContain('"kind":"Node"'), { timeout: 10_000 });
    await served.create(POD);
    await vi.waitFor(() => expect(text()).toContain('"nodeName":"node-'), { timeout: 10_000 });
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
  });

  it('says in one line why it cannot record', async () => {
    await using served = await serve();
    const flags = ['--kubeconfig', served.writeKubeconfig(), '--for', '1s'];
    const { code, logged } = await berth(['record', join(directory, 'no', 'such'), ...flags]);
    expect({ code, logged }).toEqual({ code: 1, logged: [expect.stringMatching(/^error: .*no\/such: /)] });
  });
});
