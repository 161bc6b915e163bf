import { describe, expect, it, vi } from 'vitest';
import { serve } from '../../src/serving/serve.ts';
import type { ServedCluster } from '../../src/serving/served-cluster.ts';
import { makeDefinition } from '../builders/make-definition.ts';

const WIDGETS = makeDefinition('Widget');
const WIDGET_PATH = 'apis/example.com/v1/namespaces/default/widgets';
const CONFIG_PATH = 'api/v1/namespaces/default/configmaps';
const DEPLOYMENT_PATH = 'apis/apps/v1/namespaces/default/deployments';

type Kept = { metadata: { name: string; uid: string; ownerReferences?: unknown[]; finalizers?: string[] } };

async function send(cluster: ServedCluster, method: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${cluster.token}`, 'content-type': 'application/json' };
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  return await fetch(`${cluster.url}/${path}`, { method, headers, ...content });
}

async function created(cluster: ServedCluster, path: string, body: object): Promise<Kept> {
  const response = await send(cluster, 'POST', path, body);
  expect(response.status).toBe(201);
  return (await response.json()) as Kept;
}

async function read(cluster: ServedCluster, path: string): Promise<Kept | undefined> {
  const response = await send(cluster, 'GET', path);
  return response.status === 404 ? undefined : ((await response.json()) as Kept);
}

/** Owned by the object, whose deletion in the foreground waits for it. */
function ownedBy(kind: string, apiVersion: string, { metadata: { name, uid } }: Kept): object {
  return { ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }] };
}

const widget = (name: string, more: object = {}): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, ...more },
});
const config = (name: string, more: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
});
const deployment = (name: string, more: object): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, ...more },
  spec: {
    replicas: 0,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});

/** A widget with a deployment and another widget of its own, which owns a config map. */
async function family(cluster: ServedCluster): Promise<void> {
  const parent = await created(cluster, WIDGET_PATH, widget('parent'));
  const owned = ownedBy('Widget', 'example.com/v1', parent);
  await created(cluster, DEPLOYMENT_PATH, deployment('d', owned));
  const child = await created(cluster, WIDGET_PATH, widget('child', owned));
  await created(cluster, CONFIG_PATH, config('c', ownedBy('Widget', 'example.com/v1', child)));
}

async function left(cluster: ServedCluster): Promise<string[]> {
  const paths = [`${WIDGET_PATH}/parent`, `${WIDGET_PATH}/child`, `${DEPLOYMENT_PATH}/d`, `${CONFIG_PATH}/c`];
  const found = await Promise.all(paths.map((path) => read(cluster, path)));
  return found.flatMap((object) => (object === undefined ? [] : [object.metadata.name]));
}

describe('what custom resources own', () => {
  it.each(['Background', 'Foreground'])('goes with its owner: %s', async (propagationPolicy) => {
    await using cluster = await serve({ tls: false, objects: [WIDGETS], scheduler: false });
    await family(cluster);
    expect(await left(cluster)).toHaveLength(4);
    await send(cluster, 'DELETE', `${WIDGET_PATH}/parent`, { propagationPolicy });
    await vi.waitFor(async () => expect(await left(cluster)).toEqual([]));
  });

  it('stays without its owner when it is orphaned', async () => {
    await using cluster = await serve({ tls: false, objects: [WIDGETS], scheduler: false });
    await family(cluster);
    await send(cluster, 'DELETE', `${WIDGET_PATH}/parent`, { propagationPolicy: 'Orphan' });
    await vi.waitFor(async () => expect(await left(cluster)).toEqual(['child', 'd', 'c']));
    for (const path of [`${WIDGET_PATH}/child`, `${DEPLOYMENT_PATH}/d`]) {
      expect((await read(cluster, path))?.metadata.ownerReferences).toBeUndefined();
    }
  });

  it('goes when the definition of its owner goes', async () => {
    await using cluster = await serve({ tls: false, objects: [WIDGETS], scheduler: false });
    await family(cluster);
    await send(cluster, 'DELETE', 'apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com');
    await vi.waitFor(async () => expect(await left(cluster)).toEqual([]));
  });

  it('goes at once when it is created for an owner that is gone', async () => {
    await using cluster = await serve({ tls: false, objects: [WIDGETS], scheduler: false });
    const gone = { metadata: { name: 'nobody', uid: 'f6a0c1f4-0000-4000-8000-000000000000' } };
    await created(cluster, CONFIG_PATH, config('c', ownedBy('Widget', 'example.com/v1', gone)));
    await vi.waitFor(async () => expect(await left(cluster)).toEqual([]));
  });

  it('is kept from deletion by a finalizer, and holds its owner in the foreground', async () => {
    await using cluster = await serve({ tls: false, objects: [WIDGETS], scheduler: false });
    const parent = await created(cluster, WIDGET_PATH, widget('parent'));
    const owned = ownedBy('Widget', 'example.com/v1', parent);
    await created(cluster, CONFIG_PATH, config('c', { ...owned, finalizers: ['example.com/mine'] }));
    await send(cluster, 'DELETE', `${WIDGET_PATH}/parent`, { propagationPolicy: 'Foreground' });
    await vi.waitFor(async () => {
      expect((await read(cluster, `${CONFIG_PATH}/c`))?.metadata).toHaveProperty('deletionTimestamp');
    });
    expect((await read(cluster, `${WIDGET_PATH}/parent`))?.metadata.finalizers).toEqual(['foregroundDeletion']);
    const kept = (await read(cluster, `${CONFIG_PATH}/c`)) as Kept;
    const freed = { ...kept, metadata: { ...kept.metadata, finalizers: [] } };
    await send(cluster, 'PUT', `${CONFIG_PATH}/c`, freed);
    await vi.waitFor(async () => expect(await left(cluster)).toEqual([]));
  });
});

describe('a namespace that is deleted', () => {
  it('loses its pods first, and says what is left', async () => {
    await using cluster = await serve({ tls: false, scheduler: false });
    const namespace = 'api/v1/namespaces/shop';
    await created(cluster, 'api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    await created(cluster, `${namespace}/configmaps`, config('c', {}));
    const pod = { name: 'p', finalizers: ['example.com/mine'] };
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await created(cluster, `${namespace}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata: pod, spec });
    await send(cluster, 'DELETE', namespace);
    const conditions = await vi.waitFor(async () => {
      const { status } = (await read(cluster, namespace)) as unknown as { status: { conditions: object[] } };
      const message = 'Some resources are remaining: pods. has 1 resource instances';
      expect(status.conditions[3]).toMatchObject({ reason: 'SomeResourcesRemain', message });
      return status.conditions;
    });
    expect(conditions.map((each) => Object.values(each).slice(0, 2).join('='))).toEqual([
      'NamespaceDeletionDiscoveryFailure=False',
      'NamespaceDeletionGroupVersionParsingFailure=False',
      'NamespaceDeletionContentFailure=False',
      'NamespaceContentRemaining=True',
      'NamespaceFinalizersRemaining=True',
    ]);
    const held = 'Some content in the namespace has finalizers remaining: example.com/mine in 1 resource instances';
    expect(conditions[4]).toMatchObject({ reason: 'SomeFinalizersRemain', message: held });
    expect((await read(cluster, `${namespace}/configmaps/c`))?.metadata).not.toHaveProperty('deletionTimestamp');
    const kept = (await read(cluster, `${namespace}/pods/p`)) as Kept;
    const freed = { ...kept, metadata: { ...kept.metadata, finalizers: [] } };
    await send(cluster, 'PUT', `${namespace}/pods/p`, freed);
    await vi.waitFor(async () => expect(await read(cluster, namespace)).toBeUndefined());
  });
});
