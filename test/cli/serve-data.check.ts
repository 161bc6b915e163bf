import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ApiClient } from './api-client.ts';
import { startServing } from './served-process.ts';

const directory = mkdtempSync(join(tmpdir(), 'berth-data-'));
const kubeconfig = join(directory, 'kubeconfig');
const MAPS = '/api/v1/namespaces/default/configmaps';
const WRITERS = 8;

afterAll(() => rmSync(directory, { recursive: true }));

function configMap(name: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
}

/** Creates, and deletes every third again, until the connection breaks; notes what was answered. */
async function writeUntilKilled(client: ApiClient, prefix: string, answered: Map<string, 'there' | 'gone' | 'open'>) {
  for (let i = 0; ; i++) {
    const name = `${prefix}-${i}`;
    try {
      answered.set(name, 'open');
      const created = await client.send('POST', MAPS, configMap(name));
      expect(created.status).toBe(201);
      answered.set(name, 'there');
      if (i % 3 !== 0) continue;
      answered.set(name, 'open');
      expect((await client.send('DELETE', `${MAPS}/${name}`)).status).toBe(200);
      answered.set(name, 'gone');
    } catch (error) {
      if (error instanceof Error && 'code' in error) return;
      throw error;
    }
  }
}

describe('berth serve --data', () => {
  it('keeps every answered write when it is killed while many write', async () => {
    const data = join(directory, 'data');
    const answered = new Map<string, 'there' | 'gone' | 'open'>();
    let lastVersion = 0;
    for (const round of [0, 1]) {
      const served = await startServing('--data', data, '--kubeconfig', kubeconfig, '--no-scheduler');
      const client = new ApiClient(kubeconfig);
      const { body } = await client.send('GET', MAPS);
      const there = new Set(body.items?.map(({ metadata }) => metadata.name));
      const wrong = [...answered].filter(
        ([name, state]) => state !== 'open' && there.has(name) !== (state === 'there'),
      );
      expect(wrong).toEqual([]);
      const version = Number((body['metadata'] as { resourceVersion: string }).resourceVersion);
      expect(version).toBeGreaterThanOrEqual(lastVersion);
      lastVersion = version;
      if (round === 1) {
        served.process.kill('SIGINT');
        expect(await served.ended).toBe(130);
        expect(existsSync(join(data, 'berth.pid'))).toBe(false);
        break;
      }
      const writers = Array.from({ length: WRITERS }, (_, i) => writeUntilKilled(client, `m${round}-${i}`, answered));
      while (answered.size < 200) await client.send('GET', '/version');
      served.process.kill('SIGKILL');
      await Promise.all([...writers, served.ended]);
      client.close();
    }
    expect([...answered.values()].filter((state) => state === 'there').length).toBeGreaterThan(100);
  });
});

describe('berth serve --snapshot', () => {
  it('goes on from where another run ended', async () => {
    const snapshot = join(directory, 'snapshot.gz');
    for (const name of ['first', 'second']) {
      const served = await startServing('--snapshot', snapshot, '--kubeconfig', kubeconfig, '--nodes', '3');
      const client = new ApiClient(kubeconfig);
      const { body } = await client.send('GET', MAPS);
      expect(body.items?.map(({ metadata }) => metadata.name)).toEqual(name === 'first' ? [] : ['first']);
      expect((await client.send('GET', '/api/v1/nodes')).body.items).toHaveLength(3);
      expect((await client.send('POST', MAPS, configMap(name))).status).toBe(201);
      client.close();
      served.process.kill('SIGINT');
      expect(await served.ended).toBe(130);
    }
  });
});
