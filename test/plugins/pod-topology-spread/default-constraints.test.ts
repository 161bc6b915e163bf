import { describe, expect, test } from 'vitest';
import type { OwnerReference } from '../../../src/api/meta.ts';
import { ClusterObjects } from '../../../src/framework/cluster-objects.ts';
import {
  buildDefaultConstraints,
  SYSTEM_DEFAULT_CONSTRAINTS,
} from '../../../src/plugins/pod-topology-spread/default-constraints.ts';

const labels = { app: 'web', rev: '7' };

function selectorFor(objects: ClusterObjects, owner?: OwnerReference) {
  const pod = { metadata: { name: 'p', namespace: 'ns', labels, ...(owner && { ownerReferences: [owner] }) } };
  const constraints = buildDefaultConstraints(SYSTEM_DEFAULT_CONSTRAINTS, pod, 'ScheduleAnyway', objects);
  if ('error' in constraints) throw new Error(constraints.error);
  expect([0, 2]).toContain(constraints.length);
  return constraints[0]?.selector;
}

function withService(selector: Record<string, string> | undefined, namespace = 'ns'): ClusterObjects {
  const objects = new ClusterObjects();
  objects.set('Service', { metadata: { name: 's', namespace }, ...(selector && { spec: { selector } }) });
  return objects;
}

const owner = (apiVersion: string, kind: string): OwnerReference => ({
  apiVersion,
  kind,
  name: 'o',
  uid: 'u',
  controller: true,
});

describe('buildDefaultConstraints', () => {
  test('none for a pod that belongs to nothing', () => {
    expect(selectorFor(new ClusterObjects())).toBeUndefined();
  });

  test('the system has soft constraints only', () => {
    const pod = { metadata: { name: 'p', namespace: 'ns', labels } };
    const objects = withService({ app: 'web' });
    expect(buildDefaultConstraints(SYSTEM_DEFAULT_CONSTRAINTS, pod, 'DoNotSchedule', objects)).toEqual([]);
  });

  test('a service that selects the pod', () => {
    const selector = selectorFor(withService({ app: 'web' }));
    expect(selector?.matches({ app: 'web' })).toBe(true);
    expect(selector?.matches({ app: 'db' })).toBe(false);
  });

  test.each([
    ['selects other pods', withService({ app: 'db' })],
    ['has no selector', withService(undefined)],
    ['is in another namespace', withService({ app: 'web' }, 'elsewhere')],
  ])('not a service that %s', (_, objects) => {
    expect(selectorFor(objects)).toBeUndefined();
  });

  test.each([
    ['v1', 'ReplicationController', { app: 'web' }],
    ['apps/v1', 'ReplicaSet', { matchLabels: { app: 'web' } }],
    ['apps/v1', 'StatefulSet', { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] }],
  ] as const)('an owner %s %s adds its selector to that of a service', (apiVersion, kind, ownerSelector) => {
    const objects = withService({ rev: '7' });
    const metadata = { name: 'o', namespace: 'ns' };
    objects.set(kind, { metadata, spec: { selector: ownerSelector } } as never);
    const selector = selectorFor(objects, owner(apiVersion, kind));
    expect(selector?.matches({ app: 'web', rev: '7' })).toBe(true);
    expect(selector?.matches({ app: 'web' })).toBe(false);
    expect(selector?.matches({ rev: '7' })).toBe(false);
  });

  test('selector keys differ by services and owners', () => {
    const constraintFor = (objects: ClusterObjects, ownerReferences: OwnerReference[] = []) => {
      const pod = { metadata: { name: 'p', namespace: 'ns', labels, ownerReferences } };
      const constraints = buildDefaultConstraints(SYSTEM_DEFAULT_CONSTRAINTS, pod, 'ScheduleAnyway', objects);
      return 'error' in constraints ? undefined : constraints[0]?.selectorKey;
    };
    const owned = withService({ app: 'web' });
    const spec = { selector: { matchLabels: { rev: '7' } } };
    owned.set('ReplicaSet', { metadata: { name: 'o', namespace: 'ns' }, spec });
    const keys = [
      constraintFor(withService({ app: 'web' })),
      constraintFor(withService({ rev: '7' })),
      constraintFor(owned, [owner('apps/v1', 'ReplicaSet')]),
    ];
    expect(new Set(keys).size).toBe(3);
    expect(constraintFor(owned)).toBe(keys[0]);
  });

  test.each([
    ['of another API version', owner('apps/v1beta1', 'ReplicaSet')],
    ['that is not the controller', { ...owner('apps/v1', 'ReplicaSet'), controller: false }],
    ['that is not known', { ...owner('apps/v1', 'ReplicaSet'), name: 'gone' }],
    ['of another kind', owner('batch/v1', 'Job')],
  ])('not an owner %s', (_, ownerReference) => {
    const objects = new ClusterObjects();
    const spec = { selector: { matchLabels: { app: 'web' } } };
    objects.set('ReplicaSet', { metadata: { name: 'o', namespace: 'ns' }, spec });
    expect(selectorFor(objects, ownerReference)).toBeUndefined();
  });
});
