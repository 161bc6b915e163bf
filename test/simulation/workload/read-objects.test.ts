import { describe, expect, it } from 'vitest';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { checkSubmitted } from '../../../src/simulation/workload/check-submitted.ts';
import { readObjects } from '../../../src/simulation/workload/read-objects.ts';
import { textSource } from '../../manifests/text-source.ts';

const TEMPLATE = 'template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c}]}}';
const DEPLOYMENT = `kind: Deployment
metadata: {name: web, uid: '7', resourceVersion: '5', namespace: shop}
spec: {replicas: 3, selector: {matchLabels: {a: b}}, ${TEMPLATE}}
status: {replicas: 9}
`;

const read = (files: Record<string, string>) => readObjects(Object.keys(files), textSource(files));

describe('readObjects', () => {
  it('takes a Deployment without what a cluster said of it', async () => {
    const { objects } = await read({ 'web.yaml': DEPLOYMENT });
    expect(objects[0]?.submitted).toMatchObject({
      resource: 'deployments',
      object: { kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' } },
    });
    expect(objects[0]?.submitted.object).not.toHaveProperty('status');
    expect(objects[0]?.submitted.object.metadata).not.toHaveProperty('uid');
  });

  it('takes an object once that a dump lists twice', async () => {
    const { objects } = await read({ a: DEPLOYMENT, b: DEPLOYMENT });
    expect(objects).toHaveLength(1);
  });

  it('keeps what a Node offers', async () => {
    const { objects } = await read({ n: 'kind: Node\nmetadata: {name: n}\nstatus: {allocatable: {cpu: 2}}\n' });
    expect(objects[0]?.submitted.object).toMatchObject({ status: { allocatable: { cpu: 2 } } });
  });

  it('leaves out pods that have finished, and says so', async () => {
    const pod = 'kind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c}]}\nstatus: {phase: Succeeded}\n';
    expect(await read({ p: pod })).toEqual({ objects: [], warnings: ['left out 1 pods that have finished'] });
  });

  it('takes what was exported from a cluster: Jobs make their pods again, and sets keep theirs', async () => {
    const uid = { 'controller-uid': 'old', 'batch.kubernetes.io/controller-uid': 'old', 'job-name': 'j' };
    const container = { containers: [{ name: 'c' }] };
    const owner = (kind: string, name: string) => [{ apiVersion: 'x', kind, name, uid: 'old', controller: true }];
    const pod = (name: string, labels: object, kind: string, of: string) => ({
      ...{
        kind: 'Pod',
        metadata: { name, labels, ownerReferences: owner(kind, of) },
        spec: { nodeName: 'n', ...container },
      },
    });
    const labels = { app: 'db' };
    const items = [
      { kind: 'Node', metadata: { name: 'n' }, status: { allocatable: { cpu: 9, memory: '9Gi', pods: 9 } } },
      {
        ...{ kind: 'Job', metadata: { name: 'j' } },
        spec: {
          selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'old' } },
          template: { metadata: { labels: { ...uid, a: 'b' } }, spec: { restartPolicy: 'Never', ...container } },
        },
      },
      pod('j-x', uid, 'Job', 'j'),
      {
        ...{ kind: 'StatefulSet', metadata: { name: 'db' } },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: container } },
      },
      pod('db-0', { ...labels, 'controller-revision-hash': 'db-6b4' }, 'StatefulSet', 'db'),
      { kind: 'Job', metadata: { name: 'done' }, status: { conditions: [{ type: 'Complete', status: 'True' }] } },
    ];
    const { objects, warnings } = await read({ 'dump.json': JSON.stringify({ kind: 'List', items }) });
    expect(warnings).toEqual(['left out 1 Jobs that have finished', 'left out 1 pods of Jobs, which make them again']);
    const cluster = new Cluster();
    cluster.start();
    for (const { resource, object } of checkSubmitted(objects, [])) cluster.store.create(resource, object);
    const created = cluster.store.get('pods', 'default', 'db-0');
    cluster.runFor(60_000);
    // The pod of the set is adopted as it is, since its revision is known.
    const adopted = cluster.store.get('pods', 'default', 'db-0');
    expect(adopted.metadata?.uid).toBe(created.metadata?.uid);
    expect(adopted.metadata?.deletionTimestamp).toBeUndefined();
    expect(adopted.metadata?.ownerReferences?.[0]?.name).toBe('db');
    expect(cluster.store.get('statefulsets', 'default', 'db').status?.currentRevision).toBe('db-6b4');
    const names = cluster.store.list('pods').items.map(({ metadata }) => metadata?.name ?? '');
    expect(names).toEqual(['db-0', expect.stringMatching(/^j-.{5}$/)]);
  });

  it('leaves malformed selectors of sets to the checks of the API', async () => {
    const pod = 'kind: Pod\nmetadata: {name: p, labels: {a: b}}\nspec: {containers: [{name: c, image: i}]}\n---\n';
    const set = 'kind: DaemonSet\nmetadata: {name: d}\nspec: {selector: {matchLabels: [null]}, template: {}}\n';
    const { objects } = await read({ f: pod + set });
    expect(() => checkSubmitted(objects, [])).toThrow('spec.selector.matchLabels: must be a map, not a list');
  });

  it.each([
    [{ f: '' }, 'f: holds no Kubernetes object'],
    [{ f: 'kind: Widget\n' }, 'f: holds no object that a simulation reads (left out 1 object of 1 kind: 1 Widget)'],
    [
      { a: DEPLOYMENT, b: DEPLOYMENT.replace("uid: '7'", "uid: '8'") },
      'b: Deployment shop/web: metadata.name: duplicate name (first in a)',
    ],
    [{ f: 'kind: [\n' }, 'f:2:1: malformed YAML'],
  ])('says what is wrong (%#)', async (files, message) => {
    await expect(read(files as unknown as Record<string, string>)).rejects.toThrow(message);
  });
});

describe('checkSubmitted', () => {
  it('puts objects into the order of creation, with the namespaces that they need', async () => {
    const node = 'kind: Node\nmetadata: {name: n}\n';
    const { objects } = await read({ a: DEPLOYMENT, b: node });
    const names = checkSubmitted(objects, []).map(({ resource, object }) => `${resource} ${object.metadata?.name}`);
    expect(names).toEqual(['namespaces shop', 'nodes n', 'deployments web']);
  });

  it.each([
    [
      'kind: Job\nmetadata: {name: j}\nspec: {template: {spec: {containers: [{name: c}]}}}\n',
      'f: Job default/j: spec.template.spec.restartPolicy: Required value',
    ],
    ['kind: Deployment\nmetadata: {name: d}\nspec: {}\n', 'f: Deployment default/d: spec.selector: is required'],
    ['kind: Pod\nmetadata: {name: p}\nspec: {containers: []}\n', 'f: Pod default/p: spec.containers: must hold'],
    [
      'kind: Pod\nmetadata: {name: p}\nspec: {priorityClassName: none, containers: [{name: c}]}\n',
      'f: Pod default/p: pods "p" is forbidden',
    ],
  ])('says what the API would say, and of which object (%#)', async (text, message) => {
    const { objects } = await read({ f: text });
    expect(() => checkSubmitted(objects, [])).toThrow(message);
  });

  it('checks templates, too', async () => {
    const { objects } = await read({ f: 'kind: Pod\nmetadata: {name: P}\nspec: {containers: [{name: c}]}\n' });
    expect(() => checkSubmitted([], objects)).toThrow('f: Pod default/P: metadata.name: ');
  });
});
