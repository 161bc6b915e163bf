import { CoreV1Api, CustomObjectsApi, KubeConfig, type V1CustomResourceDefinition } from '@kubernetes/client-node';
import { type ServedCluster, serve } from 'kube-berth-cli/apiserver';
import { expect, it, vi } from 'vitest';
import { type Website, WebsiteOperator } from './website-operator.js';

const integer = { type: 'integer' };
const WEBSITES: V1CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'websites.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'websites', singular: 'website', kind: 'Website' },
    scope: 'Namespaced',
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { image: { type: 'string' }, replicas: { ...integer, minimum: 1 } } },
              status: { type: 'object', properties: { ready: integer } },
            },
          },
        },
      },
    ],
  },
};

const PLACE = { group: 'example.com', version: 'v1', namespace: 'default', plural: 'websites', name: 'shop' };

function website(replicas: number): Website {
  const metadata = { name: 'shop', namespace: 'default' };
  return { apiVersion: 'example.com/v1', kind: 'Website', metadata, spec: { image: 'nginx', replicas } };
}

/** A cluster of three nodes with two cpu each, and the operator, which is stopped with it. */
async function start() {
  const cluster = await serve({ nodes: 3, shapes: ['cpu=2'], agents: true, clock: 'stepped', objects: [WEBSITES] });
  const config = new KubeConfig();
  config.loadFromString(cluster.kubeconfig);
  const errors: unknown[] = [];
  const operator = new WebsiteOperator(config, (error) => errors.push(error));
  await operator.start();
  return {
    ...{ cluster, errors, custom: config.makeApiClient(CustomObjectsApi), core: config.makeApiClient(CoreV1Api) },
    [Symbol.asyncDispose]: async () => {
      await operator.stop();
      await cluster.close();
    },
  };
}

/** Lets the time of the cluster pass, a second a look, until the check holds. */
function eventually(cluster: ServedCluster, check: () => Promise<void>): Promise<void> {
  const look = async () => {
    await cluster.step(1000);
    await check();
  };
  return vi.waitFor(look, { interval: 5, timeout: 10_000 });
}

it('runs the pods of a website, and says how many are ready', async () => {
  await using running = await start();
  const { cluster, custom, core, errors } = running;
  const ready = async () => ((await custom.getNamespacedCustomObject(PLACE)) as Website).status?.ready;
  await custom.createNamespacedCustomObject({ ...PLACE, body: website(4) });
  await eventually(cluster, async () => expect(await ready()).toBe(4));

  // Seven do not fit: each needs a cpu of the six.
  const { metadata } = (await custom.getNamespacedCustomObject(PLACE)) as Website;
  await custom.replaceNamespacedCustomObject({ ...PLACE, body: { ...website(7), metadata } });
  await eventually(cluster, async () => expect(await ready()).toBe(6));
  const pending = await core.listNamespacedPod({ namespace: 'default', fieldSelector: 'status.phase=Pending' });
  const [pod] = pending.items;
  expect(pod?.status?.conditions?.[0]?.message).toMatch(/^0\/3 nodes are available: 3 Insufficient cpu\./);

  // Its pods go with it.
  await custom.deleteNamespacedCustomObject(PLACE);
  await eventually(cluster, async () => {
    expect((await core.listNamespacedPod({ namespace: 'default' })).items).toEqual([]);
  });
  expect(errors).toEqual([]);
});
