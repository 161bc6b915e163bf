import { beforeEach, describe, expect, test } from 'vitest';
import type { KubernetesObject, OwnerReference } from '../../../src/api/meta.ts';
import { GarbageCollector } from '../../../src/controllers/garbage-collector/garbage-collector.ts';
import { RESOURCES, type Resource } from '../../../src/store/objects/resources.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { ControlPlane } from '../control-plane.ts';

let plane: ControlPlane;
let collector: GarbageCollector;

beforeEach(() => {
  plane = new ControlPlane();
  const { client, informers, loop, reportError } = plane;
  collector = new GarbageCollector({ client, informers, loop, reportError });
  informers.start();
  collector.start();
  plane.runSeconds(1);
});

/** Creates an object of this kind that these own. */
function create(resource: Resource, name: string, owners: readonly OwnerReference[] = []): OwnerReference {
  const metadata = { name, namespace: 'default', ownerReferences: owners };
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  const object = {
    pods: { ...makePod(name), metadata },
    jobs: { metadata, spec: { template } },
    replicasets: { metadata, spec: { selector: { matchLabels: { app: name } } } },
  }[resource as 'pods' | 'jobs' | 'replicasets'];
  return ownerReference(resource, plane.store.create(resource, object));
}

function ownerReference(resource: Resource, { metadata }: KubernetesObject): OwnerReference {
  const { kind, apiVersion } = RESOURCES[resource];
  return { kind, apiVersion, name: metadata?.name ?? '', uid: metadata?.uid ?? '' };
}

const blocking = (owner: OwnerReference): OwnerReference => ({ ...owner, blockOwnerDeletion: true, controller: true });

/** The names of objects as they go. */
function watchDeletions(): readonly string[] {
  const deleted: string[] = [];
  const onDelete = ({ metadata }: KubernetesObject) => deleted.push(metadata?.name ?? '');
  const handler = { onAdd: () => {}, onUpdate: () => {}, onDelete };
  for (const resource of ['jobs', 'replicasets', 'pods'] as const) plane.informers.of(resource).addHandler(handler);
  return deleted;
}

function ownerNames(resource: Resource, name: string): string[] {
  return plane.store.get(resource, 'default', name).metadata?.ownerReferences?.map((owner) => owner.name) ?? [];
}

describe.each(['jobs', 'replicasets'] as const)('pods of %s', (resource) => {
  beforeEach(() => {
    for (const name of ['a', 'b']) {
      const owner = create(resource, name);
      for (const i of [1, 2]) create('pods', `${name}-${i}`, [blocking(owner)]);
    }
    plane.runSeconds(1);
  });

  test('follow their owner when it was deleted in the background', () => {
    plane.store.delete(resource, 'default', 'a', { propagationPolicy: 'Background' });
    expect(plane.names(resource)).toEqual(['default/b']);
    plane.runSeconds(1);
    expect(plane.names('pods')).toEqual(['default/b-1', 'default/b-2']);
    expect(plane.reported).toEqual([]);
  });

  test('go before it in the foreground', () => {
    const deleted = watchDeletions();
    plane.store.delete(resource, 'default', 'a', { propagationPolicy: 'Foreground' });
    expect(plane.names(resource)).toEqual(['default/a', 'default/b']);
    plane.runSeconds(1);
    expect(deleted).toEqual(['a-1', 'a-2', 'a']);
    expect(plane.names('pods')).toEqual(['default/b-1', 'default/b-2']);
  });

  test('stay, and forget it, when it orphans them', () => {
    plane.store.delete(resource, 'default', 'a', { propagationPolicy: 'Orphan' });
    plane.runSeconds(1);
    expect(plane.names(resource)).toEqual(['default/b']);
    expect(plane.names('pods')).toHaveLength(4);
    expect([ownerNames('pods', 'a-1'), ownerNames('pods', 'b-1')]).toEqual([[], ['b']]);
  });

  test('are not those of another owner that takes the name', () => {
    plane.store.delete(resource, 'default', 'a', { propagationPolicy: 'Background' });
    create('pods', 'a-3', [blocking(create(resource, 'a'))]);
    plane.runSeconds(1);
    expect(plane.names('pods')).toEqual(['default/a-3', 'default/b-1', 'default/b-2']);
  });
});

describe('an object', () => {
  test('of several owners stays while one of them does, and forgets the others', () => {
    const owners = ['a', 'b', 'c'].map((name) => create('replicasets', name));
    create('pods', 'p', owners);
    plane.store.delete('replicasets', 'default', 'a');
    plane.store.delete('replicasets', 'default', 'b', { propagationPolicy: 'Foreground' });
    plane.runSeconds(1);
    expect(ownerNames('pods', 'p')).toEqual(['c']);
    plane.store.delete('replicasets', 'default', 'c');
    plane.runSeconds(1);
    expect(plane.names('pods')).toEqual([]);
  });

  test('goes when its owner was gone before it came', () => {
    const owner = create('replicasets', 'a');
    plane.store.delete('replicasets', 'default', 'a');
    plane.runSeconds(1);
    create('pods', 'p', [owner]);
    plane.runSeconds(1);
    expect(plane.names('pods')).toEqual([]);
  });

  test.each([
    ['another uid', { uid: 'other' }],
    ['another name', { name: 'other' }],
    ['another kind', { kind: 'Job', apiVersion: 'batch/v1' }],
  ])('goes when what it calls its owner has %s', (_, wrong) => {
    const owner = create('replicasets', 'a');
    create('pods', 'p', [{ ...owner, ...wrong }]);
    plane.runSeconds(1);
    expect(plane.names('pods')).toEqual([]);
  });

  describe.each([
    ['kind', { kind: 'Widget', apiVersion: 'example.com/v1', name: 'c', uid: 'u' }],
    ['version', { kind: 'Job', apiVersion: 'batch/v1beta1', name: 'j', uid: 'u' }],
  ])('whose owner is of an unknown %s', (_, unknown) => {
    test('stays, and no error is reported', () => {
      create('pods', 'p', [unknown]);
      plane.runSeconds(100);
      expect(plane.names('pods')).toEqual(['default/p']);
      expect(plane.reported).toEqual([]);
    });

    test('keeps its other owners, too, whether they are gone, wait for it or are there', () => {
      const gone = { kind: 'ReplicaSet', apiVersion: 'apps/v1', name: 'gone', uid: 'gone' };
      create('pods', 'p', [gone, unknown]);
      create('pods', 'q', [gone, unknown, create('replicasets', 'there')]);
      create('pods', 'r', [blocking(create('replicasets', 'waiting')), unknown]);
      plane.store.delete('replicasets', 'default', 'waiting', { propagationPolicy: 'Foreground' });
      plane.runSeconds(100);
      expect(['p', 'q', 'r'].map((name) => ownerNames('pods', name).length)).toEqual([2, 3, 2]);
      expect(plane.names('replicasets')).toEqual(['default/there', 'default/waiting']);
    });

    test('is looked at again, and goes when that owner is taken from it', () => {
      const gone = { kind: 'ReplicaSet', apiVersion: 'apps/v1', name: 'gone', uid: 'gone' };
      create('pods', 'p', [gone, unknown]);
      plane.runSeconds(10);
      const body = { metadata: { ownerReferences: [gone] } };
      plane.store.patch('pods', 'default', 'p', { type: 'merge', body });
      plane.runSeconds(100);
      expect(plane.names('pods')).toEqual([]);
    });
  });

  test('in no namespace that calls one in a namespace its owner stays as it is', () => {
    const gone = { kind: 'Node', apiVersion: 'v1', name: 'gone', uid: 'gone' };
    const ownerReferences = [gone, create('replicasets', 'a')];
    plane.store.create('nodes', { ...makeNode('n'), metadata: { name: 'n', ownerReferences } });
    plane.runSeconds(100);
    expect(plane.store.get('nodes', '', 'n').metadata?.ownerReferences).toEqual(ownerReferences);
    expect(plane.reported).toEqual([]);
  });

  test('in a namespace may belong to one outside, such as the lease of a node', () => {
    const node = plane.store.create('nodes', makeNode('n'));
    const ownerReferences = [ownerReference('nodes', node)];
    plane.store.create('leases', { metadata: { name: 'n', namespace: 'kube-node-lease', ownerReferences } });
    plane.runSeconds(1);
    expect(plane.names('leases')).toHaveLength(1);
    plane.store.delete('nodes', '', 'n');
    plane.runSeconds(1);
    expect(plane.names('leases')).toEqual([]);
  });

  test.each([
    ['Background', ['j', 'r', 'p']],
    ['Foreground', ['p', 'r', 'j']],
  ] as const)('takes all below it with it: %s', (propagationPolicy, order) => {
    const job = create('jobs', 'j');
    const set = create('replicasets', 'r', [blocking(job)]);
    create('pods', 'p', [blocking(set)]);
    plane.runSeconds(1);
    const deleted = watchDeletions();
    plane.store.delete('jobs', 'default', 'j', { propagationPolicy });
    plane.runSeconds(1);
    expect(deleted).toEqual(order);
  });
});

describe('an owner that is deleted in the foreground', () => {
  test('waits for pods to end, but only for those that block it', () => {
    const owner = create('replicasets', 'a');
    create('pods', 'blocks', [blocking(owner)]);
    create('pods', 'does-not', [owner]);
    for (const name of ['blocks', 'does-not']) plane.store.bind('default', name, { target: { name: 'n' } });
    plane.store.delete('replicasets', 'default', 'a', { propagationPolicy: 'Foreground' });
    plane.runSeconds(1);
    expect(plane.names('pods')).toHaveLength(2);
    const { metadata } = plane.store.get('pods', 'default', 'does-not');
    expect(metadata?.deletionTimestamp).toBeDefined();
    plane.store.delete('pods', 'default', 'blocks', { gracePeriodSeconds: 0 });
    plane.runSeconds(1);
    expect([plane.names('replicasets'), plane.names('pods')]).toEqual([[], ['default/does-not']]);
  });

  test('no longer waits for a dependent that stops blocking it', () => {
    const owner = create('replicasets', 'a');
    create('pods', 'p', [blocking(owner)]);
    plane.store.bind('default', 'p', { target: { name: 'n' } });
    plane.store.delete('replicasets', 'default', 'a', { propagationPolicy: 'Foreground' });
    plane.runSeconds(1);
    const ownerReferences = [{ ...owner, blockOwnerDeletion: false }];
    plane.store.patch('pods', 'default', 'p', { type: 'merge', body: { metadata: { ownerReferences } } });
    plane.runSeconds(1);
    expect(plane.names('replicasets')).toEqual([]);
  });

  test('is released from a circle of owners that wait for each other', () => {
    const a = create('replicasets', 'a');
    const b = create('replicasets', 'b', [blocking(a)]);
    const body = { metadata: { ownerReferences: [blocking(b)] } };
    plane.store.patch('replicasets', 'default', 'a', { type: 'merge', body });
    plane.runSeconds(1);
    plane.store.delete('replicasets', 'default', 'a', { propagationPolicy: 'Foreground' });
    plane.runSeconds(10);
    expect(plane.names('replicasets')).toEqual([]);
  });
});

describe('what fails is tried again', () => {
  test.each([
    ['Background', 'get', 'jobs'],
    ['Background', 'delete', 'pods'],
    ['Foreground', 'delete', 'pods'],
    ['Foreground', 'patch', 'jobs'],
    ['Orphan', 'patch', 'pods'],
    ['Orphan', 'patch', 'jobs'],
  ] as const)('%s: to %s %s', (propagationPolicy, verb, resource) => {
    const job = create('jobs', 'j');
    for (const name of ['p', 'q']) create('pods', name, [blocking(job)]);
    plane.runSeconds(1);
    plane.isRefused = (call) => call.verb === verb && call.resource === resource;
    plane.store.delete('jobs', 'default', 'j', { propagationPolicy });
    plane.runSeconds(10);
    expect(plane.reported).not.toEqual([]);
    plane.isRefused = () => false;
    plane.runSeconds(100);
    expect(plane.names('jobs')).toEqual([]);
    expect(plane.names('pods')).toHaveLength(propagationPolicy === 'Orphan' ? 2 : 0);
  });
});

test('an owner that comes and goes before it is seen leaves nothing behind', () => {
  const jobs = plane.informers.of('jobs');
  jobs.stop();
  const job = create('jobs', 'j');
  create('pods', 'p', [job]);
  plane.runSeconds(1);
  expect(plane.names('pods')).toEqual(['default/p']);
  plane.store.delete('jobs', 'default', 'j', { propagationPolicy: 'Background' });
  jobs.start();
  plane.runSeconds(2);
  expect(plane.names('pods')).toEqual([]);
});

test('nothing is collected before every cache has synced', () => {
  plane = new ControlPlane();
  const { client, informers, loop, reportError } = plane;
  new GarbageCollector({ client, informers, loop, reportError }).start();
  const resources = Object.keys(RESOURCES) as Resource[];
  for (const resource of resources) if (resource !== 'jobs') informers.of(resource).start();
  create('pods', 'p', [{ apiVersion: 'v1', kind: 'Pod', name: 'gone', uid: 'gone' }]);
  plane.runSeconds(10);
  expect(plane.names('pods')).toEqual(['default/p']);
  informers.of('jobs').start();
  plane.runSeconds(1);
  expect(plane.names('pods')).toEqual([]);
});

test('a collector that was stopped makes up for what it missed when it is started again', () => {
  const owner = create('replicasets', 'a');
  create('pods', 'p', [owner]);
  plane.runSeconds(1);
  collector.stop();
  plane.store.delete('replicasets', 'default', 'a');
  plane.runSeconds(10);
  expect(plane.names('pods')).toEqual(['default/p']);
  collector.start();
  plane.runSeconds(1);
  expect(plane.names('pods')).toEqual([]);
});
