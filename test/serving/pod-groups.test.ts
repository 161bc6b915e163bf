import { expect, test } from 'vitest';
import { serve } from '../../src/serving/serve.ts';
import type { ServedCluster } from '../../src/serving/served-cluster.ts';

const GROUP_VERSION = '/apis/scheduling.k8s.io/v1alpha2';
const PATH = `${GROUP_VERSION}/namespaces/default/podgroups`;
const featureGates = { GenericWorkload: true, GangScheduling: true };

async function ask({ url, token }: ServedCluster, method: string, path: string, body?: unknown) {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const gang = (minCount: number) => ({ schedulingPolicy: { gang: { minCount } } });
const podGroup = (name: string, spec: object) => ({ metadata: { name }, spec });
const pod = (name: string) => ({
  metadata: { name },
  spec: {
    schedulingGroup: { podGroupName: 'g' },
    containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }],
  },
});

test('groups of pods are served with their gate, and scheduled', async () => {
  await using served = await serve({ tls: false, clock: 'stepped', nodes: 1, agents: true, featureGates });
  const { body: list } = await ask(served, 'GET', GROUP_VERSION);
  const resources = list['resources'] as readonly Record<string, string>[];
  expect(resources.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    'podgroups PodGroup',
    'podgroups/status PodGroup',
    'workloads Workload',
  ]);
  const status = { conditions: [{ type: 'X' }] };
  const { body: made } = await ask(served, 'POST', PATH, { ...podGroup('g', gang(2)), status });
  expect(made).toMatchObject({
    apiVersion: 'scheduling.k8s.io/v1alpha2',
    kind: 'PodGroup',
    metadata: { generation: 1 },
  });
  expect(made['status']).toEqual({});
  for (const name of ['a', 'b']) {
    await ask(served, 'POST', '/api/v1/namespaces/default/pods', pod(name));
    await served.step(3000);
    const { body } = await ask(served, 'GET', `/api/v1/namespaces/default/pods/${name}`);
    expect((body['spec'] as Record<string, unknown>)['nodeName'] !== undefined).toBe(name === 'b');
  }
  const { body: group } = await ask(served, 'GET', `${PATH}/g`);
  expect(group).toMatchObject({ status: { conditions: [{ type: 'PodGroupScheduled', status: 'True' }] } });
  const changed = await ask(served, 'PATCH', `${PATH}/g`, { spec: gang(1) });
  expect([changed.status, changed.body['message']]).toEqual([
    422,
    'PodGroup.scheduling.k8s.io "g" is invalid: spec.schedulingPolicy: Invalid value: {"gang":{"minCount":1}}: ' +
      'field is immutable',
  ]);
  expect((await ask(served, 'DELETE', `${PATH}/g`)).status).toBe(200);
});

test.each<[string, object, string]>([
  ['no policy', {}, 'spec.schedulingPolicy'],
  ['both policies', { schedulingPolicy: { basic: {}, gang: { minCount: 1 } } }, 'spec.schedulingPolicy'],
  ['a gang of none', gang(0), 'spec.schedulingPolicy.gang.minCount'],
  ['a negative gang', gang(-2), 'spec.schedulingPolicy.gang.minCount'],
  ['an unknown mode', { ...gang(1), disruptionMode: 'None' }, 'spec.disruptionMode'],
  ['two keys', { ...gang(1), schedulingConstraints: { topology: [{ key: 'a' }, { key: 'b' }] } }, 'topology'],
  ['a claim without a source', { ...gang(1), resourceClaims: [{ name: 'c' }] }, 'spec.resourceClaims[0]'],
  ['a template of nobody', { ...gang(1), podGroupTemplateRef: {} }, 'spec.podGroupTemplateRef'],
])('a group with %s is refused', async (_, spec, field) => {
  await using served = await serve({ tls: false, clock: 'stepped', scheduler: false, featureGates });
  const { status, body } = await ask(served, 'POST', PATH, podGroup('g', spec));
  expect(status).toBe(422);
  expect((body['details'] as { causes: readonly { field: string }[] }).causes[0]?.field).toContain(field);
});

test('a workload names its templates, each once', async () => {
  await using served = await serve({ tls: false, clock: 'stepped', scheduler: false, featureGates });
  const path = `${GROUP_VERSION}/namespaces/default/workloads`;
  const of = (...names: string[]) => podGroup('w', { podGroupTemplates: names.map((name) => ({ name, ...gang(1) })) });
  expect((await ask(served, 'POST', path, of())).status).toBe(422);
  expect((await ask(served, 'POST', path, of('a', 'a'))).body['message']).toContain('Duplicate value');
  expect((await ask(served, 'POST', path, of(...'abcdefghi'))).body['message']).toContain('must have at most 8 items');
  expect((await ask(served, 'POST', path, of('a', 'b'))).status).toBe(201);
});

test('without the gate there are no groups of pods', async () => {
  await using served = await serve({ tls: false, clock: 'stepped' });
  expect((await ask(served, 'GET', GROUP_VERSION)).status).toBe(404);
  expect((await ask(served, 'POST', PATH, podGroup('g', gang(1)))).status).toBe(404);
});
