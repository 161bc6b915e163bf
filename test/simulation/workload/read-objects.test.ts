import { describe, expect, it } from 'vitest';
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
  it('makes the ReplicaSet of a Deployment, without what a cluster said of it', async () => {
    const { objects } = await read({ 'web.yaml': DEPLOYMENT });
    expect(objects[0]?.submitted).toMatchObject({
      resource: 'replicasets',
      object: { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'web', namespace: 'shop' } },
    });
    expect(objects[0]?.submitted.object).not.toHaveProperty('status');
    expect(objects[0]?.submitted.object.metadata).not.toHaveProperty('uid');
  });

  it('keeps what a Node offers', async () => {
    const { objects } = await read({ n: 'kind: Node\nmetadata: {name: n}\nstatus: {allocatable: {cpu: 2}}\n' });
    expect(objects[0]?.submitted.object).toMatchObject({ status: { allocatable: { cpu: 2 } } });
  });

  it('leaves out pods that have finished, and says so', async () => {
    const pod = 'kind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c}]}\nstatus: {phase: Succeeded}\n';
    expect(await read({ p: pod })).toEqual({ objects: [], warnings: ['left out 1 pods that have finished'] });
  });

  it.each([
    [{ f: '' }, 'f: holds no Kubernetes object'],
    [{ f: 'kind: CronJob\n' }, 'f: line 1: kind "CronJob" is not supported (known: Node, Pod'],
    [{ f: 'kind: Deployment\nmetadata: {name: d}\nspec: {}\n' }, 'f: Deployment default/d: spec.selector: is required'],
    [{ a: DEPLOYMENT, b: DEPLOYMENT }, 'b: Deployment shop/web: metadata.name: duplicate name (first in a)'],
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
    expect(names).toEqual(['namespaces shop', 'nodes n', 'replicasets web']);
  });

  it.each([
    [
      'kind: Job\nmetadata: {name: j}\nspec: {template: {spec: {containers: [{name: c}]}}}\n',
      'f: Job default/j: spec.template.spec.restartPolicy: Required value',
    ],
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
