import { expect, test } from 'vitest';
import type { ResourceClaimConsumerReference as Consumer, ResourceClaim } from '../../../src/api/resource-claims.ts';
import { AgentCluster } from '../../builders/agent-cluster.ts';

/** A pod `name` of node n1 that uses the claim. */
function createPod(cluster: AgentCluster, name: string, claim: string): string {
  const spec = { resourceClaims: [{ name: 'c', resourceClaimName: claim }], restartPolicy: 'Never' };
  const containers = [{ name: 'app', image: 'app:1' }];
  const pod = cluster.createPod(name, {
    spec: { nodeName: 'n1', containers, ...spec },
    behaviour: { 'run-duration': '20s' },
  });
  return pod.metadata?.uid ?? '';
}

function createClaim({ cluster: { store } }: AgentCluster, name: string): void {
  store.create('resourceclaims', { metadata: { name, namespace: 'default' }, spec: {} });
}

/** Gives the claim the device, and reserves it for the pods. */
function allocate(cluster: AgentCluster, name: string, podNames: readonly string[]): void {
  const { store } = cluster.cluster;
  const users = podNames.map((pod) => {
    return { resource: 'pods', name: pod, uid: store.get('pods', 'default', pod).metadata?.uid ?? '' };
  });
  allocateFor(cluster, name, users);
}

function allocateFor({ cluster: { store } }: AgentCluster, name: string, reservedFor: readonly Consumer[]): void {
  const claim: ResourceClaim = store.get('resourceclaims', 'default', name);
  const results = [{ request: 'r', driver: 'gpu.example.com', pool: 'n1', device: 'd0' }];
  store.updateStatus('resourceclaims', { ...claim, status: { allocation: { devices: { results } }, reservedFor } });
}

/** As many users as a claim may have, so that the controller of claims reserves it for nobody else. */
const OTHER_USERS = Array.from({ length: 256 }, (_, i) => {
  return { apiGroup: 'example.com', resource: 'trainings', name: `t${i}`, uid: `u${i}` };
});

const preparedOn = ({ agents }: AgentCluster): string[] =>
  [...agents.claimsOf('n1')].filter(({ isPrepared }) => isPrepared).map(({ name }) => name);
const notes = ({ lines }: AgentCluster): string[] =>
  lines.filter((line) => line.includes('recorded') && line.includes('FailedPrepareDynamicResources'));

test('a pod starts when its claim is allocated and reserved for it; the claim is given back when it has ended', () => {
  const cluster = new AgentCluster();
  createClaim(cluster, 'c');
  const uid = createPod(cluster, 'p', 'c');
  cluster.runSeconds(30);
  expect(cluster.phase('p')).toBe('Pending');
  expect(notes(cluster).at(-1)).toContain('claim default/c: not allocated');
  allocateFor(cluster, 'c', OTHER_USERS);
  cluster.runSeconds(30);
  expect(cluster.phase('p')).toBe('Pending');
  expect(notes(cluster).join()).toContain(`pod p(${uid}) is not allowed to use resource claim c(`);
  allocate(cluster, 'c', ['p']);
  cluster.runSeconds(15);
  expect([cluster.phase('p'), preparedOn(cluster)]).toEqual(['Running', ['default/c']]);
  cluster.secondsUntil(() => cluster.phase('p') === 'Succeeded');
  expect([...cluster.agents.claimsOf('n1')]).toEqual([]);
});

test('a claim that is missing keeps the pod from starting', () => {
  const cluster = new AgentCluster();
  createPod(cluster, 'p', 'none');
  cluster.runSeconds(20);
  expect(cluster.phase('p')).toBe('Pending');
  expect(notes(cluster)[0]).toContain('failed to fetch ResourceClaim none referenced by pod p: ');
});

test('pods that share a claim have it prepared once, until the last has ended', () => {
  const cluster = new AgentCluster();
  createClaim(cluster, 'c');
  for (const name of ['p', 'q']) createPod(cluster, name, 'c');
  allocate(cluster, 'c', ['p', 'q']);
  cluster.runSeconds(15);
  expect([...cluster.agents.claimsOf('n1')].map(({ pods }) => pods.size)).toEqual([2]);
  cluster.cluster.store.delete('pods', 'default', 'p', { gracePeriodSeconds: 0 });
  cluster.runSeconds(5);
  expect(preparedOn(cluster)).toEqual(['default/c']);
  cluster.runSeconds(40);
  expect([...cluster.agents.claimsOf('n1')]).toEqual([]);
});

test('a device is not prepared while another claim has it', () => {
  const cluster = new AgentCluster();
  for (const name of ['a', 'b']) createClaim(cluster, name);
  createPod(cluster, 'p', 'a');
  createPod(cluster, 'q', 'b');
  allocate(cluster, 'a', ['p']);
  cluster.runSeconds(2);
  allocate(cluster, 'b', ['q']);
  cluster.runSeconds(12);
  expect(preparedOn(cluster)).toEqual(['default/a']);
  expect(notes(cluster).at(-1)).toContain('device gpu.example.com/n1/d0 is prepared for claim default/a');
  cluster.secondsUntil(() => cluster.phase('q') === 'Succeeded', 120);
  expect(cluster.phase('p')).toBe('Succeeded');
});

test('drivers may fail, and take long', () => {
  const cluster = new AgentCluster();
  createClaim(cluster, 'c');
  cluster.agents.setRuntimeFaults('n1', { prepareError: 'no answer' });
  createPod(cluster, 'p', 'c');
  allocate(cluster, 'c', ['p']);
  cluster.runSeconds(10);
  expect(notes(cluster).at(-1)).toContain('Failed to prepare dynamic resources: prepare dynamic resources: no answer');
  cluster.agents.setRuntimeFaults('n1', { prepareMillis: 60_000 });
  cluster.runSeconds(50);
  expect([cluster.phase('p'), preparedOn(cluster)]).toEqual(['Pending', []]);
  cluster.runSeconds(25);
  expect([cluster.phase('p'), preparedOn(cluster)]).toEqual(['Running', ['default/c']]);
});

test('a pod that is deleted while its claim is prepared leaves nothing behind', () => {
  const cluster = new AgentCluster();
  createClaim(cluster, 'c');
  cluster.agents.setRuntimeFaults('n1', { prepareMillis: 30_000 });
  createPod(cluster, 'p', 'c');
  allocate(cluster, 'c', ['p']);
  cluster.runSeconds(5);
  cluster.cluster.store.delete('pods', 'default', 'p', { gracePeriodSeconds: 5 });
  cluster.runSeconds(60);
  expect([cluster.exists('p'), ...cluster.agents.claimsOf('n1')]).toEqual([false]);
});

test('nothing is prepared on a node that was down, until its pods start again', () => {
  const cluster = new AgentCluster();
  createClaim(cluster, 'c');
  const containers = [{ name: 'app', image: 'app:1' }];
  const spec = { nodeName: 'n1', containers, resourceClaims: [{ name: 'c', resourceClaimName: 'c' }] };
  cluster.createPod('p', { spec });
  allocate(cluster, 'c', ['p']);
  cluster.runSeconds(15);
  expect(preparedOn(cluster)).toEqual(['default/c']);
  cluster.agents.crash('n1');
  expect(preparedOn(cluster)).toEqual([]);
  cluster.agents.restart('n1');
  cluster.runSeconds(30);
  expect([cluster.phase('p'), preparedOn(cluster)]).toEqual(['Running', ['default/c']]);
  cluster.agents.stopAgent('n1');
  cluster.cluster.store.delete('pods', 'default', 'p', { gracePeriodSeconds: 0 });
  cluster.agents.restart('n1');
  cluster.runSeconds(60);
  expect(preparedOn(cluster)).toEqual([]);
});
