import { existsSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:https';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import type { Node } from '../../src/api/node.ts';
import type { Pod } from '../../src/api/pod.ts';
import { serve } from '../../src/serving/serve.ts';
import type { ServedCluster } from '../../src/serving/served-cluster.ts';

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', annotations: { 'berth.dev/run-duration': '60s', 'berth.dev/start-delay': '2s' } },
  spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'nginx' }] },
};

const PODS = 'api/v1/namespaces/default/pods';

/** Sends a request with the token, over plain HTTP; returns the object that is answered. */
async function send({ url, token }: ServedCluster, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const content = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${url}/${path}`, { headers, ...content });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(String(answer['message']));
  return answer;
}

/** The pod as a client sees it. */
async function read(cluster: ServedCluster): Promise<Pod> {
  return (await send(cluster, `${PODS}/web`)) as Pod;
}

describe('clients', () => {
  it('find nodes and objects that were asked for, and see their pods scheduled', async () => {
    const objects = [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }];
    await using cluster = await serve({ nodes: 2, shapes: ['cpu=4,nvidia.com/gpu=1'], objects, tls: false });
    const { items } = (await send(cluster, 'api/v1/nodes')) as { items: Node[] };
    expect(items.map(({ status }) => status?.allocatable?.['nvidia.com/gpu'])).toEqual(['1', '1']);
    expect(await send(cluster, 'api/v1/namespaces/shop')).toMatchObject({ status: { phase: 'Active' } });
    await send(cluster, PODS, POD);
    await vi.waitFor(async () => expect((await read(cluster)).spec?.nodeName).toMatch(/^node-/));
  });

  it('are refused without the token', async () => {
    await using cluster = await serve({ tls: false });
    await expect(send({ ...cluster, token: 'wrong' } as ServedCluster, 'api')).rejects.toThrow('Unauthorized');
    expect(await send(cluster, 'api')).toMatchObject({ kind: 'APIVersions' });
  });
});

describe('the clock', () => {
  it('stands still until it is stepped; what is due is done at once', async () => {
    await using cluster = await serve({ nodes: 1, agents: true, clock: 'stepped', tls: false });
    await cluster.step(60_000);
    await send(cluster, PODS, POD);
    await vi.waitFor(async () => expect((await read(cluster)).spec?.nodeName).toBeTruthy());
    const { metadata, status } = await read(cluster);
    expect(metadata?.creationTimestamp).toBe('2026-01-01T00:01:00Z');
    expect(status?.phase).toBe('Pending');
    await cluster.step(10_000);
    expect((await read(cluster)).status?.phase).toBe('Running');
    await cluster.step(60_000);
    expect((await read(cluster)).status?.phase).toBe('Succeeded');
    expect(cluster.cluster.loop.nowMillis()).toBe(Date.UTC(2026, 0, 1, 0, 2, 10));
  });

  it('begins when it is said, and serves clients while a step lasts', async () => {
    const startMillis = Date.UTC(2030, 5, 1);
    await using cluster = await serve({ nodes: 1, agents: true, clock: 'stepped', startMillis, tls: false });
    // Long enough that a request comes in between on any machine.
    const stepMillis = 60 * 86_400_000;
    let isOver = false;
    const step = cluster.step(stepMillis).then(() => {
      isOver = true;
    });
    await send(cluster, PODS, POD);
    expect(isOver).toBe(false);
    await step;
    const { metadata } = await read(cluster);
    const createdMillis = Date.parse(String(metadata?.creationTimestamp));
    expect(createdMillis).toBeGreaterThanOrEqual(startMillis);
    expect(createdMillis).toBeLessThan(startMillis + stepMillis);
  });

  it('of the machine passes by itself, and faster if that is asked for', async () => {
    await using cluster = await serve({ nodes: 1, agents: true, speed: 1000, tls: false });
    await cluster.create(POD);
    await vi.waitFor(async () => expect((await read(cluster)).status?.phase).toBe('Succeeded'));
    await expect(cluster.step(1)).rejects.toMatchObject({ name: 'BerthError', code: 'RealTime' });
  });

  it('does not go back', async () => {
    await using cluster = await serve({ clock: 'stepped', tls: false });
    for (const millis of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(cluster.step(millis)).rejects.toMatchObject({ code: 'Invalid' });
    }
  });

  it('stepped alike with one seed, gives the same log', async () => {
    const logOf = async (): Promise<string> => {
      await using cluster = await serve({ nodes: 2, agents: true, clock: 'stepped', seed: 7, tls: false });
      for (const name of ['a', 'b', 'c']) await cluster.create({ ...POD, metadata: { ...POD.metadata, name } });
      await cluster.step(120_000);
      return cluster.cluster.log.hash();
    };
    expect(await logOf()).toBe(await logOf());
  });
});

describe('the kubeconfig', () => {
  it('names the server, and has the certificate that vouches for it', async () => {
    await using cluster = await serve({});
    const { clusters, users } = parse(cluster.kubeconfig);
    const { server, 'certificate-authority-data': authority } = clusters[0].cluster;
    expect(server).toBe(cluster.url);
    const options = {
      ca: Buffer.from(authority, 'base64'),
      headers: { authorization: `Bearer ${users[0].user.token}` },
    };
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${server}/version`, options, (response) => resolve(response.resume().statusCode));
      sent.on('error', reject).end();
    });
    expect(status).toBe(200);
  });

  it('is a file that only its owner may read, and that is gone at the end', async () => {
    const cluster = await serve({});
    const path = cluster.writeKubeconfig();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toBe(cluster.kubeconfig);
    await cluster.close();
    await cluster.close();
    expect(existsSync(path)).toBe(false);
  });

  it('cannot be written over a folder', async () => {
    await using cluster = await serve({ tls: false });
    expect(() => cluster.writeKubeconfig('/')).toThrow(/^\/: /);
  });
});

describe('what is refused', () => {
  it.each([
    [{ ports: 1 }, 'option ports: there is no such option'],
    [{ port: 70_000 }, 'option port: 70000 is not an integer from 0 to 65535'],
    [{ nodes: 1.5 }, 'option nodes: 1.5 is not an integer from 0 to 1000000'],
    [{ host: '127.0.0.1:80' }, 'option host: "127.0.0.1:80" is no address; port has the port'],
    [{ clock: 'fast' }, 'option clock: "fast" is none of real, stepped'],
    [{ speed: 0 }, 'option speed: 0 is neither a number up to 1000000, max nor paused'],
    [{ clock: 'stepped', speed: 2 }, 'option speed: a stepped clock has none'],
    [{ startMillis: 1 }, 'option startMillis: a real clock has its own'],
    [{ token: 'two words' }, 'option token: it has characters that no header carries'],
    [{ tls: false, objects: [{ apiVersion: 'v9', kind: 'Pod' }] }, 'Pod undefined: no resource serves v9 Pod'],
  ])('%j', async (options, message) => {
    await expect(serve(options as object)).rejects.toMatchObject({ code: 'Invalid', message });
  });

  it('a port that another server has', async () => {
    await using first = await serve({ tls: false });
    const port = Number(new URL(first.url).port);
    await expect(serve({ port, tls: false })).rejects.toMatchObject({ code: 'PortNotFree' });
  });
});
