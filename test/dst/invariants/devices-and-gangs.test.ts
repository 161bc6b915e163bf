import { expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import type { ResourceClaim } from '../../../src/api/resource-claims.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { Mirror } from '../mirror.ts';
import { drawScript } from '../script/draw-script.ts';
import { DevicesAndGangs } from './devices-and-gangs.ts';

const allocation = { devices: { results: [{ request: 'r', driver: 'd', pool: 'p', device: 'gpu-0' }] } };

function watched() {
  const cluster = new Cluster({ scheduler: { featureGates: { GenericWorkload: true, GangScheduling: true } } });
  const violations: string[] = [];
  const mirror = new Mirror(cluster.store);
  const invariants = new DevicesAndGangs(cluster, mirror, (invariant, detail) =>
    violations.push(`${invariant}: ${detail}`),
  );
  return { ...cluster, store: cluster.store, violations, invariants };
}

test('a device with two claims is seen, and one that was given back may be given again', () => {
  const { store, violations, invariants } = watched();
  const create = (name: string): ResourceClaim =>
    store.create('resourceclaims', { metadata: { name, namespace: 'default' }, spec: {} });
  const [a, b] = [create('a'), create('b')];
  const given = store.updateStatus('resourceclaims', { ...a, status: { allocation } });
  store.updateStatus('resourceclaims', { ...given, status: {} });
  const second = store.updateStatus('resourceclaims', { ...b, status: { allocation } });
  invariants.checkGiven();
  expect(violations).toEqual([]);
  const again = store.get('resourceclaims', 'default', 'a');
  store.updateStatus('resourceclaims', { ...again, status: { allocation } });
  invariants.checkGiven();
  expect(violations).toEqual(['a device is never given twice: d/p/gpu-0 belongs to b and to a']);
  expect(second.status?.allocation).toBeDefined();
});

test('a device may be given again when the write that gave it seemed to fail, in the same step, too', () => {
  const { store, violations, invariants } = watched();
  const [a, b] = ['a', 'b'].map((name) =>
    store.create('resourceclaims', { metadata: { name, namespace: 'default' }, spec: {} }),
  ) as [ResourceClaim, ResourceClaim];
  store.updateStatus('resourceclaims', { ...a, status: { allocation } });
  store.updateStatus('resourceclaims', { ...b, status: { allocation } });
  const request = { verb: 'update', resource: 'resourceclaims', namespace: 'default', name: 'a' } as const;
  invariants.requested({ ...request, outcome: 'refused', pod: undefined, body: undefined });
  invariants.checkGiven();
  expect(violations).toEqual([]);
});

test('a pod of a gang that is bound alone is seen', () => {
  const { store, violations, invariants } = watched();
  const spec = { schedulingPolicy: { gang: { minCount: 2 } } };
  store.create('podgroups', { metadata: { name: 'g', namespace: 'default' }, spec });
  store.create('nodes', { metadata: { name: 'n' } });
  const pod = (name: string): Pod => ({
    metadata: { name, namespace: 'default' },
    spec: { schedulingGroup: { podGroupName: 'g' }, containers: [{ name: 'c', image: 'i' }] },
  });
  for (const name of ['p', 'q']) store.create('pods', pod(name));
  invariants.check();
  expect(violations).toEqual([]);
  store.bind('default', 'p', { target: { kind: 'Node', name: 'n' } });
  invariants.check();
  expect(violations).toEqual([
    'a gang is never split below its minimum: p is bound, and 1 of 2 pods of g have a place',
  ]);
});

test('a pod whose claim could not be written had a place, and does not count as left out', () => {
  const { store, violations, invariants } = watched();
  const spec = { schedulingPolicy: { gang: { minCount: 2 } } };
  store.create('podgroups', { metadata: { name: 'g', namespace: 'default' }, spec });
  store.create('nodes', { metadata: { name: 'n' } });
  const podSpec = { schedulingGroup: { podGroupName: 'g' }, containers: [{ name: 'c', image: 'i' }] };
  store.create('pods', { metadata: { name: 'p', namespace: 'default' }, spec: podSpec });
  const pod = store.create('pods', { metadata: { name: 'q', namespace: 'default' }, spec: podSpec });
  const message = 'running PreBind plugin "DynamicResources": Timeout';
  const body = { status: { conditions: [{ type: 'PodScheduled', status: 'False', message }] } };
  const request = { verb: 'patch', resource: 'pods', namespace: 'default', name: 'q' } as const;
  invariants.requested({ ...request, outcome: 'refused', pod, body });
  store.bind('default', 'p', { target: { kind: 'Node', name: 'n' } });
  invariants.check();
  expect(violations).toEqual([]);
});

test('a part of the worlds has claims, and a part has gangs', () => {
  const scripts = Array.from({ length: 60 }, (_, i) => drawScript(i + 1));
  const has = (resource: string): number =>
    scripts.filter(({ events }) => events.some(({ act }) => act.do === 'submit' && act.resource === resource)).length;
  expect(has('resourceslices')).toBeGreaterThan(5);
  expect(has('podgroups')).toBeGreaterThan(5);
  expect(scripts.filter(({ hasGroups }) => hasGroups)).toHaveLength(has('podgroups'));
});
