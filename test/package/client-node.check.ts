/** Clients of @kubernetes/client-node against the packed package: version 1, since 2 needs a newer Node. */

import type { CoreV1Api, KubeConfig, V1ConfigMap, V1Lease } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { serve as Serve } from '../../src/serving/serve.ts';
import type { ServedCluster } from '../../src/serving/served-cluster.ts';
import { INSTALLED_CLI, tool } from './place.ts';

type ClientNode = typeof import('@kubernetes/client-node');

const client = (await import(tool('client-node-1/dist/index.js'))) as ClientNode;
const { serve } = (await import(`${INSTALLED_CLI}dist/cli/apiserver.js`)) as { serve: typeof Serve };

let cluster: ServedCluster;
let config: KubeConfig;
let core: CoreV1Api;
const namespace = 'default';

beforeAll(async () => {
  cluster = await serve({ nodes: 3 });
  config = new client.KubeConfig();
  config.loadFromString(cluster.kubeconfig);
  core = config.makeApiClient(client.CoreV1Api);
});

afterAll(() => cluster.close());

const map = (name: string, data: Record<string, string> = {}): V1ConfigMap => ({ metadata: { name }, data });

describe('@kubernetes/client-node', () => {
  it('lists, in pages, too', async () => {
    const first = await core.listNode({ limit: 2 });
    const rest = await core.listNode({ limit: 2, _continue: first.metadata?._continue ?? '' });
    const names = [...first.items, ...rest.items].map(({ metadata }) => metadata?.name);
    expect(names).toEqual(['node-00000', 'node-00001', 'node-00002']);
  });

  it('watches what is written', async () => {
    const seen: string[] = [];
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const note = (type: string, object: V1ConfigMap): void => void seen.push(`${type} ${object.metadata?.name}`);
    const controller = await new client.Watch(config).watch(path, { labelSelector: 'watched' }, note, () => {});
    const labels = { watched: 'yes' };
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'w', labels } } });
    await core.createNamespacedConfigMap({ namespace, body: map('unwatched') });
    await core.replaceNamespacedConfigMap({
      namespace,
      name: 'w',
      body: { metadata: { name: 'w', labels }, data: { a: 'b' } },
    });
    await core.deleteNamespacedConfigMap({ namespace, name: 'w' });
    await vi.waitFor(() => expect(seen).toEqual(['ADDED w', 'MODIFIED w', 'DELETED w']));
    controller.abort();
  });

  it('informers keep a cache in step', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await core.createNamespacedConfigMap({ namespace, body: map('before') });
    const informer = client.makeInformer<V1ConfigMap>(config, path, () => core.listNamespacedConfigMap({ namespace }));
    const events: string[] = [];
    for (const verb of ['add', 'update', 'delete'] as const) {
      informer.on(verb, (object) => events.push(`${verb} ${object.metadata?.name}`));
    }
    informer.on('error', () => void informer.start());
    await informer.start();
    expect(informer.get('before', namespace)?.metadata?.name).toBe('before');
    await core.createNamespacedConfigMap({ namespace, body: map('during') });
    await vi.waitFor(() => expect(informer.get('during', namespace)).toBeDefined());
    await core.replaceNamespacedConfigMap({ namespace, name: 'during', body: map('during', { a: 'c' }) });
    await vi.waitFor(() => expect(informer.get('during', namespace)?.data).toEqual({ a: 'c' }));
    await core.deleteNamespacedConfigMap({ namespace, name: 'before' });
    await vi.waitFor(() => expect(informer.get('before', namespace)).toBeUndefined());
    expect(events).toEqual(expect.arrayContaining(['add before', 'add during', 'update during', 'delete before']));
    await informer.stop();
  });

  it('errors are those of the API', async () => {
    await core.createNamespacedConfigMap({ namespace, body: map('twice') });
    const again = core.createNamespacedConfigMap({ namespace, body: map('twice') });
    await expect(again).rejects.toMatchObject({ code: 409 });
    await expect(core.readNamespacedPod({ namespace, name: 'none' })).rejects.toMatchObject({ code: 404 });
  });
});

const LEASE = 'operator';
const SECOND_MILLIS = 1000;

/** One candidate, as client-go elects leaders: by the version of the lease, so that whoever writes first has it. */
class Candidate {
  readonly #leases = config.makeApiClient(client.CoordinationV1Api);
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** Takes the lease, or renews it; returns whether this candidate leads. */
  async tryAcquireOrRenew(millis: number): Promise<boolean> {
    const spec = { holderIdentity: this.#name, leaseDurationSeconds: 15, renewTime: new Date(millis) as never };
    try {
      const old = await this.#leases.readNamespacedLease({ namespace, name: LEASE });
      if (old.spec?.holderIdentity !== this.#name && !isOver(old, millis)) return false;
      const body = { ...old, spec: { ...old.spec, ...spec } };
      await this.#leases.replaceNamespacedLease({ namespace, name: LEASE, body });
      return true;
    } catch (error) {
      const { code } = error as { code: number };
      if (code === 409) return false;
      if (code !== 404) throw error;
      const made = this.#leases.createNamespacedLease({ namespace, body: { metadata: { name: LEASE }, spec } });
      return made
        .then(() => true)
        .catch((refused: { code: number }) => expect(refused.code).toBe(409) === undefined && false);
    }
  }
}

function isOver({ spec }: V1Lease, millis: number): boolean {
  return new Date(spec?.renewTime as never).getTime() + (spec?.leaseDurationSeconds ?? 0) * SECOND_MILLIS < millis;
}

describe('leader election', () => {
  it('of many candidates one leads, until its lease is over', async () => {
    const candidates = Array.from({ length: 8 }, (_, i) => new Candidate(`candidate-${i}`));
    let millis = Date.UTC(2026, 0, 1);
    const round = (all: readonly Candidate[]) => Promise.all(all.map((one) => one.tryAcquireOrRenew(millis)));
    const first = await round(candidates);
    expect(first.filter(Boolean)).toHaveLength(1);
    const leader = candidates[first.indexOf(true)] as Candidate;
    const others = candidates.filter((one) => one !== leader);
    millis += 10 * SECOND_MILLIS;
    expect(await leader.tryAcquireOrRenew(millis)).toBe(true);
    millis += 10 * SECOND_MILLIS;
    expect((await round(others)).filter(Boolean)).toHaveLength(0);
    millis += 6 * SECOND_MILLIS;
    expect((await round(others)).filter(Boolean)).toHaveLength(1);
    expect(await leader.tryAcquireOrRenew(millis)).toBe(false);
  });
});
