import { describe, expect, it } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import type { Pod, PodSpec } from '../../../src/api/pod.ts';
import { Scheduler } from '../../../src/core/scheduler.ts';
import { findRemedies } from '../../../src/what-if/remedies/find-remedies.ts';
import { podTrial } from '../../../src/what-if/remedies/remedy-trial.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

async function remediesOf(nodes: readonly Node[], pod: Pod, others: readonly Pod[] = []) {
  const scheduler = new Scheduler();
  for (const node of nodes) scheduler.addNode(node);
  for (const other of others) scheduler.addPod(other);
  expect(scheduler.explain(pod).status).not.toBe('scheduled');
  const before = JSON.stringify(scheduler.nodes().map(({ node }) => node));
  const found = await findRemedies(podTrial(scheduler, pod), async () => {});
  expect(JSON.stringify(scheduler.nodes().map(({ node }) => node))).toBe(before);
  return found.map(({ changes, node }) => `${changes.map(({ text }) => text).join(' + ')} -> ${node}`);
}

const withSpec = (spec: PodSpec) => makePod('p', { spec: { containers: [{ name: 'c' }], ...spec } });
const taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' } as const;
const web = (name: string, nodeName: string) => {
  const pod = makePod(name, { nodeName });
  return { ...pod, metadata: { ...pod.metadata, labels: { app: 'web' } } };
};
const nearWeb = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } };
const hosts = (count: number) =>
  Array.from({ length: count }, (_, i) => makeNode(`n${i}`, { labels: { 'kubernetes.io/hostname': `n${i}` } }));

describe('findRemedies', () => {
  it('tolerates a taint, or adds a node without it', async () => {
    expect(await remediesOf([makeNode('n', { taints: [taint] })], makePod('p'))).toEqual([
      'tolerate the taint gpu=yes:NoSchedule -> n',
      'add a node of shape cpu=1,memory=1Gi -> new',
    ]);
  });

  it('uncordons, or adds a node', async () => {
    expect(await remediesOf([makeNode('n', { unschedulable: true })], makePod('p'))).toEqual([
      'uncordon node n -> n',
      'add a node like n (cpu=4, memory=16Gi) -> new',
      'add a node of shape cpu=1,memory=1Gi -> new',
    ]);
  });

  it('requests just what is free, from the container that requests most', async () => {
    const containers = ['500m', '6'].map((cpu, i) => ({
      name: `c${i}`,
      resources: { requests: { cpu, memory: '1Gi' } },
    }));
    const used = makePod('used', { nodeName: 'n1', requests: { cpu: '1500m' } });
    expect(await remediesOf([makeNode('n0', { cpu: 2 }), makeNode('n1')], withSpec({ containers }), [used])).toEqual([
      'request cpu 2000m instead of 6 in container c1 -> n1',
      'request cpu 1500m instead of 6 in container c1 -> n1',
      'add a node of shape cpu=7,memory=2Gi -> new',
    ]);
  });

  it('lowers the limit of devices together with the request', async () => {
    const amounts = { 'example.com/device': '4' };
    const pod = withSpec({ containers: [{ name: 'c', resources: { requests: amounts, limits: amounts } }] });
    expect((await remediesOf([makeNode('n', { allocatable: { 'example.com/device': '3' } })], pod))[0]).toBe(
      'request example.com/device 3 instead of 4 -> n',
    );
  });

  it('labels a node, or loosens selector and affinity', async () => {
    const nodes = [makeNode('n')];
    expect(await remediesOf(nodes, makePod('p', { nodeSelector: { disk: 'ssd' } }))).toEqual([
      'label node n with disk=ssd -> n',
      'remove disk=ssd from the node selector -> n',
      'add a node of shape cpu=1,memory=1Gi,label:disk=ssd -> new',
    ]);
    const required = [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd', 'nvme'] }] }];
    expect(await remediesOf(nodes, makePod('p', { required }))).toEqual([
      'label node n with disk=ssd -> n',
      'remove "disk In ssd,nvme" from the required node affinity -> n',
      'add a node of shape cpu=1,memory=1Gi,label:disk=ssd -> new',
    ]);
  });

  it('loosens what pods have to do with each other', async () => {
    const apart = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [nearWeb] } };
    expect(await remediesOf(hosts(1), withSpec({ affinity: apart }), [web('w', 'n0')])).toEqual([
      'remove the required anti-affinity to pods "app=web" by kubernetes.io/hostname -> n0',
      'add a node like n0 (cpu=4, memory=16Gi) -> new',
      'add a node of shape cpu=1,memory=1Gi -> new',
    ]);
    const near = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [nearWeb] } };
    expect(await remediesOf(hosts(1), withSpec({ affinity: near }))).toEqual([
      'remove the required affinity to pods "app=web" by kubernetes.io/hostname -> n0',
    ]);
    const spread = { ...nearWeb, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' };
    const pod = { ...withSpec({ topologySpreadConstraints: [spread] }), metadata: web('p', '').metadata };
    const nodes = [
      ...hosts(1),
      makeNode('n1', { cpu: 4, taints: [taint], labels: { 'kubernetes.io/hostname': 'n1' } }),
    ];
    expect(await remediesOf(nodes, pod, [web('w', 'n0')])).toContain(
      'spread over kubernetes.io/hostname only where possible (whenUnsatisfiable: ScheduleAnyway) -> n0',
    );
  });

  it('gives up host ports and gates', async () => {
    const ports = [{ containerPort: 80, hostPort: 80 }];
    const used = makePod('used', { nodeName: 'n', ports });
    expect((await remediesOf([makeNode('n')], makePod('p', { ports }), [used]))[0]).toBe('give up host port 80 -> n');
    expect(await remediesOf([makeNode('n')], makePod('p', { gates: ['a', 'b'] }))).toEqual([
      'remove the scheduling gates a, b -> n',
    ]);
  });

  it('combines changes when one is not enough, and none without need', async () => {
    const node = makeNode('n', { cpu: 2, taints: [taint], unschedulable: true });
    const pod = makePod('p', { requests: { cpu: '3' }, tolerations: [{ key: 'none', operator: 'Exists' }] });
    const selecting = { ...pod, spec: { ...(pod.spec ?? { containers: [] }), nodeSelector: { a: 'b' } } };
    expect(await remediesOf([node], selecting)).toEqual(['add a node of shape cpu=3,memory=1Gi,label:a=b -> new']);
    const claims = [{ name: 'v', persistentVolumeClaim: { claimName: 'missing' } }];
    expect(await remediesOf([node], withSpec({ volumes: claims }))).toEqual([]);
  });

  it('combines a toleration with smaller requests', async () => {
    const required = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }];
    const pod = makePod('p', { requests: { cpu: '3' }, required });
    expect(await remediesOf([makeNode('n', { cpu: 2, taints: [taint] }), makeNode('m', { cpu: 8 })], pod)).toEqual([
      'tolerate the taint gpu=yes:NoSchedule + request cpu 2000m instead of 3 -> n',
    ]);
  });
});
