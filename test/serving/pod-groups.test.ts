import { expect, test } from 'vitest';
import { serve } from '../../src/serving/serve.ts';
import type { ServedCluster } from '../../src/serving/served-cluster.ts';

const GROUP_VERSION = '/apis/scheduling.k8s.io/v1alpha2';
const PATH = `${GROUP_VERSION}/namespaces/default/podgroups`;
const featureGates = { GenericWorkload: true, GangScheduling: true };
const ALL_GATES = {
  ...featureGates,
  DRAWorkloadResourceClaims: true,
  TopologyAwareWorkloadScheduling: true,
  WorkloadAwarePreemption: true,
};

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
  await using served = await serve({ tls: false, clock: 'stepped', scheduler: false, featureGates: ALL_GATES });
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

const TOPOLOGY = { topology: [{ key: 'rack' }] };
const SPECIAL = { schedulingConstraints: TOPOLOGY, resourceClaims: [{ name: 'c', resourceClaimName: 'own' }] };

test('a group keeps only the fields whose gates are on', async () => {
  await using served = await serve({ tls: false, clock: 'stepped', scheduler: false, featureGates });
  const spec = { ...gang(1), ...SPECIAL, disruptionMode: 'PodGroup', priorityClassName: 'none', priority: 7 };
  const { body } = await ask(served, 'POST', PATH, podGroup('g', spec));
  expect(body['spec']).toEqual({ ...gang(1), podGroupTemplateRef: null });
  const { body: workload } = await ask(served, 'POST', `${GROUP_VERSION}/namespaces/default/workloads`, {
    ...podGroup('w', { podGroupTemplates: [{ name: 't', ...spec }] }),
  });
  const kept = { name: 't', ...gang(1), schedulingConstraints: null };
  expect(workload['spec']).toEqual({ podGroupTemplates: [kept] });
  await using other = await serve({ tls: false, clock: 'stepped', scheduler: false, featureGates: ALL_GATES });
  const { body: whole } = await ask(other, 'POST', PATH, podGroup('g', { ...gang(1), ...SPECIAL }));
  expect(whole['spec']).toMatchObject(SPECIAL);
});

test('a group has the priority of its class, of the default class, or none', async () => {
  const gates = { ...featureGates, WorkloadAwarePreemption: true };
  await using served = await serve({ tls: false, clock: 'stepped', scheduler: false, featureGates: gates });
  const make = (name: string, spec: object) => ask(served, 'POST', PATH, podGroup(name, { ...gang(1), ...spec }));
  const newClass = (name: string, value: number, more = {}) =>
    ask(served, 'POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name }, value, ...more });
  expect((await make('plain', {})).body['spec']).toEqual({ podGroupTemplateRef: null, ...gang(1), priority: 0 });
  await newClass('high', 100);
  await newClass('usual', 5, { globalDefault: true });
  const high = { priorityClassName: 'high', priority: 100 };
  expect((await make('named', { priorityClassName: 'high' })).body['spec']).toMatchObject(high);
  expect((await make('given', high)).body['spec']).toMatchObject(high);
  const usual = { priorityClassName: 'usual', priority: 5 };
  expect((await make('default', {})).body['spec']).toMatchObject(usual);
  const refused = [await make('other', { ...high, priority: 9 }), await make('lost', { priorityClassName: 'lost' })];
  expect(refused.map(({ status, body }) => [status, body['message']])).toEqual([
    [
      403,
      expect.stringContaining('priority (9) must not be provided in pod group spec; priority admission controller'),
    ],
    [403, expect.stringContaining('no PriorityClass with name lost was found')],
  ]);
});

test('a group outlives its pods, and comes from a template that is there', async () => {
  await using served = await serve({ tls: false, clock: 'stepped', nodes: 1, featureGates });
  const from = (workloadName: string, podGroupTemplateName: string) =>
    podGroup('g', { ...gang(1), podGroupTemplateRef: { workload: { workloadName, podGroupTemplateName } } });
  const message = async (body: object) => (await ask(served, 'POST', PATH, body)).body['message'];
  expect(await message(from('w', 't'))).toContain('PodGroup rejected: Workload "w" not found');
  await ask(served, 'POST', `${GROUP_VERSION}/namespaces/default/workloads`, {
    ...podGroup('w', { podGroupTemplates: [{ name: 't', ...gang(1) }] }),
  });
  expect(await message(from('w', 'u'))).toContain('PodGroupTemplate "u" not found in Workload "w"');
  const { body } = await ask(served, 'POST', PATH, from('w', 't'));
  expect((body['metadata'] as Record<string, unknown>)['finalizers']).toEqual([
    'scheduling.k8s.io/podgroup-protection',
  ]);
  await ask(served, 'POST', '/api/v1/namespaces/default/pods', pod('a'));
  await ask(served, 'DELETE', `${PATH}/g`);
  await served.step(5000);
  expect((await ask(served, 'GET', `${PATH}/g`)).status).toBe(200);
  await ask(served, 'DELETE', '/api/v1/namespaces/default/pods/a', { gracePeriodSeconds: 0 });
  await served.step(5000);
  expect((await ask(served, 'GET', `${PATH}/g`)).status).toBe(404);
});

test('clients can ask what the fields of groups are', async () => {
  await using served = await serve({ tls: false, clock: 'stepped', scheduler: false, featureGates });
  const { body } = await ask(served, 'GET', `/openapi/v3${GROUP_VERSION}`);
  const { schemas } = body['components'] as { schemas: Record<string, { properties: Record<string, object> }> };
  const membersOf = (name: string) => Object.values(schemas[`io.k8s.api.scheduling.v1alpha2.${name}`]!.properties);
  const members = ['PodGroup', 'PodGroupSpec', 'PodGroupSchedulingPolicy', 'WorkloadSpec'].flatMap(membersOf);
  expect(members.length).toBeGreaterThan(12);
  expect(members.filter((member) => !('description' in member))).toEqual([]);
});

test('without the gate pods and templates of pods name no group', async () => {
  await using served = await serve({ tls: false, clock: 'stepped', scheduler: false });
  const { body: made } = await ask(served, 'POST', '/api/v1/namespaces/default/pods', pod('a'));
  expect(made['spec']).not.toHaveProperty('schedulingGroup');
  const { body: job } = await ask(served, 'POST', '/apis/batch/v1/namespaces/default/jobs', {
    metadata: { name: 'j' },
    spec: { template: { spec: { ...pod('a').spec, restartPolicy: 'Never' } } },
  });
  expect(job).not.toHaveProperty('spec.template.spec.schedulingGroup');
  expect(job).toHaveProperty('spec.template.spec.containers');
});

test('without the gate there are no groups of pods', async () => {
  await using served = await serve({ tls: false, clock: 'stepped' });
  expect((await ask(served, 'GET', GROUP_VERSION)).status).toBe(404);
  expect((await ask(served, 'POST', PATH, podGroup('g', gang(1)))).status).toBe(404);
});
