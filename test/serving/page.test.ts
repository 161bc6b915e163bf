import { describe, expect, it, vi } from 'vitest';
import { serve } from '../../src/serving/serve.ts';
import type { ServedCluster } from '../../src/serving/served-cluster.ts';

const POD = (name: string, cpu: string, labels = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu, memory: '1Gi' } } }] },
});

async function get<T>({ url, token }: ServedCluster, path: string): Promise<T> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()) as T;
}

interface Overview {
  readonly pods: number;
  readonly pendingCount: number;
  readonly pending: readonly { readonly name: string; readonly message: string }[];
  readonly nodes: readonly unknown[][];
  readonly speed: unknown;
}

const PENDING = '0/2 nodes are available: 2 Insufficient cpu. ';

describe('the page of a cluster', () => {
  it('is for browsers, without a token; only its own script may run', async () => {
    await using cluster = await serve({ tls: false });
    const response = await fetch(`${cluster.url}/`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*; script-src 'sha256-[^']+'; /,
    );
    const html = await response.text();
    expect(html).not.toContain(cluster.token);
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(html) ?? [];
    expect(() => new Function(script)).not.toThrow();
    expect((await fetch(`${cluster.url}/`)).status).toBe(401);
    expect((await fetch(`${cluster.url}/berth/overview`, { headers: { accept: 'text/html' } })).status).toBe(401);
  });

  it('is told what the pods of each node request, and why others wait', async () => {
    await using cluster = await serve({ tls: false, nodes: 2, shapes: ['cpu=4,memory=8Gi,pods=10'], clock: 'stepped' });
    await cluster.create(POD('a', '3'));
    await cluster.create(POD('b', '1500m'));
    await cluster.create(POD('huge', '5'));
    await cluster.step(1000);
    await vi.waitFor(async () => {
      expect((await get<Overview>(cluster, '/berth/overview')).pending[0]?.message).toContain(PENDING);
    });
    const overview = await get<Overview>(cluster, '/berth/overview');
    expect(overview).toMatchObject({ pods: 3, pendingCount: 1, speed: 'paused', pending: [{ name: 'huge' }] });
    const gib = 2 ** 30;
    expect(overview.nodes).toEqual([
      ['node-00000', true, 3, 4, gib, 8 * gib, 1, 10],
      ['node-00001', true, 1.5, 4, gib, 8 * gib, 1, 10],
    ]);
    cluster.cluster.store.delete('pods', 'default', 'a');
    cluster.cluster.store.delete('pods', 'default', 'huge', { gracePeriodSeconds: 0 });
    cluster.cluster.store.delete('pods', 'default', 'b', { gracePeriodSeconds: 0 });
    const after = await get<Overview>(cluster, '/berth/overview');
    expect(after).toMatchObject({ pendingCount: 0, pods: 1 });
    expect(after.nodes.map((node) => node[6])).toEqual([1, 0]);
  });

  it('explains a pod that waits: by reasons and nodes, and where it would go', async () => {
    await using cluster = await serve({ tls: false, nodes: 2, shapes: ['cpu=4', 'cpu=8'], clock: 'stepped' });
    await cluster.create(POD('huge', '9'));
    await cluster.create(POD('small', '1'));
    const explained = (name: string) => get(cluster, `/berth/explain?namespace=default&name=${name}`);
    await vi.waitFor(async () =>
      expect(await explained('small')).toMatchObject({ node: 'node-00001', decision: null }),
    );
    expect(await explained('huge')).toMatchObject({
      node: '',
      decision: {
        status: 'unschedulable',
        feasible: 0,
        searched: 2,
        rejections: [{ reason: 'NodeResourcesFit: Insufficient cpu', count: 2, nodes: ['node-00000', 'node-00001'] }],
      },
    });
    expect(await explained('none')).toMatchObject({ kind: 'Status', code: 404 });
  });
});
