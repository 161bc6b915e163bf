import { describe, expect, it } from 'vitest';
import type { FakeClock } from '../../src/lib/clock.ts';
import type { DeleteOptions } from '../../src/store/objects/store-client.ts';
import type { Store } from '../../src/store/store.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { makeStore } from '../builders/make-store.ts';
import { refusal } from './refusal.ts';

function isThere(store: Store, name = 'p'): boolean {
  return store.list('pods', { fieldSelector: `metadata.name=${name}` }).items.length > 0;
}

/** A pod that runs on a node, with a minute to end. */
function withRunningPod(finalizers: readonly string[] = []): { readonly store: Store; readonly clock: FakeClock } {
  const { store, clock } = makeStore();
  const pod = makePod('p', { nodeName: 'n' });
  store.create('pods', {
    metadata: { name: 'p', finalizers },
    spec: { ...pod.spec, terminationGracePeriodSeconds: 60 },
  });
  store.updateStatus('pods', { metadata: { name: 'p' }, status: { phase: 'Running' } });
  return { store, clock };
}

describe('deleting a pod', () => {
  it('gives it its grace period first', () => {
    const { store, clock } = withRunningPod();
    clock.advance(1500);
    store.delete('pods', 'default', 'p');
    expect(store.get('pods', 'default', 'p').metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:01:01Z',
      deletionGracePeriodSeconds: 60,
      generation: 2,
    });
    store.delete('pods', 'default', 'p', { gracePeriodSeconds: 0 });
    expect(isThere(store)).toBe(false);
  });

  it('can only be hurried', () => {
    const { store, clock } = withRunningPod(['example.com/hold']);
    store.delete('pods', 'default', 'p');
    const before = store.get('pods', 'default', 'p');
    clock.advance(5000);
    for (const gracePeriodSeconds of [undefined, 60, 90]) store.delete('pods', 'default', 'p', { gracePeriodSeconds });
    expect(store.get('pods', 'default', 'p')).toBe(before);
    store.delete('pods', 'default', 'p', { gracePeriodSeconds: 10 });
    expect(store.get('pods', 'default', 'p').metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:00:10Z',
      deletionGracePeriodSeconds: 10,
      generation: 2,
    });
    store.delete('pods', 'default', 'p', { gracePeriodSeconds: 0 });
    expect(store.get('pods', 'default', 'p').metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
    });
    const last = store.get('pods', 'default', 'p');
    store.delete('pods', 'default', 'p');
    expect(store.get('pods', 'default', 'p')).toBe(last);
  });

  it('has times of its own when the grace period is no duration of Go', () => {
    const { store } = withRunningPod(['example.com/hold']);
    store.delete('pods', 'default', 'p', { gracePeriodSeconds: 9_223_372_037 });
    const deletionTimestamp = '1733-09-22T00:12:43Z';
    expect(store.get('pods', 'default', 'p').metadata).toMatchObject({ deletionTimestamp });
    store.delete('pods', 'default', 'p', { gracePeriodSeconds: 10 });
    expect(store.get('pods', 'default', 'p').metadata?.deletionTimestamp).toBe('2026-01-01T00:00:09Z');
  });

  it.each<[string, number | undefined, number | undefined]>([
    ['its own grace period', undefined, 60],
    ['what the request says', 7, 7],
    ['a second when the request is below zero', -5, 1],
    ['nothing', 0, undefined],
  ])('takes %s', (_, gracePeriodSeconds, expected) => {
    const { store } = withRunningPod();
    store.delete('pods', 'default', 'p', { gracePeriodSeconds });
    expect(store.list('pods').items[0]?.metadata?.deletionGracePeriodSeconds).toBe(expected);
  });

  it('is done at once when it is on no node, or has ended', () => {
    const { store } = withRunningPod();
    store.create('pods', makePod('waiting'));
    store.updateStatus('pods', { metadata: { name: 'p' }, status: { phase: 'Succeeded' } });
    for (const name of ['waiting', 'p']) {
      store.delete('pods', 'default', name, { gracePeriodSeconds: 30 });
      expect(isThere(store, name)).toBe(false);
    }
  });

  it('waits for finalizers, and those for the grace period', () => {
    const { store } = withRunningPod(['example.com/hold']);
    store.delete('pods', 'default', 'p');
    const removal = { type: 'merge', body: { metadata: { finalizers: null } } } as const;
    store.patch('pods', 'default', 'p', removal);
    expect(isThere(store)).toBe(true);
    store.delete('pods', 'default', 'p', { gracePeriodSeconds: 0 });
    expect(isThere(store)).toBe(false);
  });
});

describe('deleting what has no grace period', () => {
  it('removes it at once, or marks it while a finalizer holds it', () => {
    const { store } = makeStore();
    store.create('nodes', makeNode('free'));
    store.create('nodes', { ...makeNode('held'), metadata: { name: 'held', finalizers: ['example.com/hold'] } });
    for (const name of ['free', 'held']) store.delete('nodes', '', name);
    const [held, ...others] = store.list('nodes').items;
    expect(others).toEqual([]);
    expect(held?.metadata).toMatchObject({
      name: 'held',
      deletionTimestamp: '2026-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
    });
    store.delete('nodes', '', 'held');
    expect(store.list('nodes').items[0]).toBe(held);
    store.patch('nodes', '', 'held', { type: 'strategic', body: { metadata: { finalizers: [] } } });
    expect(store.list('nodes').items[0]).toBe(held);
    const body = { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/hold'] } };
    store.patch('nodes', '', 'held', { type: 'strategic', body });
    expect(store.list('nodes').items).toEqual([]);
  });

  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };

  it.each<[DeleteOptions['propagationPolicy'], readonly string[], readonly string[] | undefined]>([
    ['Background', [], undefined],
    ['Foreground', [], ['foregroundDeletion']],
    ['Orphan', [], ['orphan']],
    // The default policy of a Job in batch/v1 is Orphan.
    [undefined, [], ['orphan']],
    [undefined, ['foregroundDeletion'], ['foregroundDeletion']],
    ['Background', ['orphan'], undefined],
    ['Foreground', ['example.com/hold', 'orphan'], ['example.com/hold', 'foregroundDeletion']],
  ])('a Job with policy %s and finalizers %j leaves %j', (propagationPolicy, finalizers, expected) => {
    const { store } = makeStore();
    store.create('jobs', { metadata: { name: 'j', finalizers }, spec: { template } });
    store.delete('jobs', 'default', 'j', { propagationPolicy });
    const [job] = store.list('jobs').items;
    expect(job?.metadata?.finalizers).toEqual(expected);
    if (job !== undefined) expect(job.metadata).toMatchObject({ generation: 2, deletionGracePeriodSeconds: 0 });
  });

  it('a pod in the foreground waits for the garbage collector', () => {
    const { store } = makeStore();
    store.create('pods', makePod('p'));
    store.delete('pods', 'default', 'p', { propagationPolicy: 'Foreground' });
    expect(store.get('pods', 'default', 'p').metadata?.finalizers).toEqual(['foregroundDeletion']);
  });
});

describe('delete refuses', () => {
  it.each<[string, unknown, string, string]>([
    ['another uid', { preconditions: { uid: 'x' } }, 'Conflict', 'UID in precondition: x, UID in object meta:'],
    ['another version', { preconditions: { resourceVersion: '1' } }, 'Conflict', 'ResourceVersion in precondition: 1'],
    [
      'an unknown policy',
      { propagationPolicy: 'Never' },
      'Invalid',
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Never"',
    ],
    ['half a second', { gracePeriodSeconds: 0.5 }, 'BadRequest', 'gracePeriodSeconds: must be an integer'],
  ])('%s', (_, options, reason, message) => {
    const { store } = withRunningPod();
    const before = store.list('pods');
    const error = refusal(() => store.delete('pods', 'default', 'p', options as DeleteOptions));
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(message);
    expect(store.list('pods')).toEqual(before);
  });

  it('what is not there, and what only once was', () => {
    const { store } = withRunningPod();
    expect(refusal(() => store.delete('pods', 'default', 'q')).reason).toBe('NotFound');
    const { uid, resourceVersion } = store.get('pods', 'default', 'p').metadata ?? {};
    const options = { gracePeriodSeconds: 0, preconditions: { uid, resourceVersion } };
    store.delete('pods', 'default', 'p', options);
    store.create('pods', makePod('p'));
    expect(refusal(() => store.delete('pods', 'default', 'p', options)).reason).toBe('Conflict');
  });
});

it('deletes as if nothing had been said where null is', () => {
  const { store } = withRunningPod();
  const nothing = { gracePeriodSeconds: null, propagationPolicy: null, preconditions: { uid: null } };
  store.delete('pods', 'default', 'p', nothing as unknown as DeleteOptions);
  expect(store.get('pods', 'default', 'p').metadata?.deletionGracePeriodSeconds).toBe(60);
  store.delete('pods', 'default', 'p', { preconditions: null } as unknown as DeleteOptions);
});

describe('deleting a namespace', () => {
  it('takes its content along, and nothing new comes in', () => {
    const { store } = makeStore();
    store.create('namespaces', { metadata: { name: 'team' } });
    store.create('pods', makePod('waiting', { namespace: 'team' }));
    store.create('pods', makePod('running', { namespace: 'team', nodeName: 'n' }));
    store.create('leases', { metadata: { name: 'l', namespace: 'team' }, spec: {} });
    store.delete('namespaces', '', 'team');
    expect(store.get('namespaces', '', 'team')).toMatchObject({
      metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
      status: { phase: 'Terminating' },
    });
    expect(store.list('pods', { namespace: 'team' }).items.map(({ metadata }) => metadata?.name)).toEqual(['running']);
    expect(store.list('leases').items).toEqual([]);
    const error = refusal(() => store.create('pods', makePod('new', { namespace: 'team' })));
    expect(error).toMatchObject({
      reason: 'Forbidden',
      causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }],
    });
    store.patch('namespaces', '', 'team', { type: 'merge', body: { metadata: { labels: { a: 'b' } } } });
    store.delete('namespaces', '', 'team');
    expect(store.get('namespaces', '', 'team').metadata?.labels).toMatchObject({ a: 'b' });
    store.delete('pods', 'team', 'running', { gracePeriodSeconds: 0 });
    expect(refusal(() => store.get('namespaces', '', 'team')).reason).toBe('NotFound');
    expect(refusal(() => store.create('pods', makePod('new', { namespace: 'team' }))).reason).toBe('NotFound');
  });

  it('waits for its finalizers, and says so', () => {
    const { store } = makeStore();
    store.create('namespaces', { metadata: { name: 'team', finalizers: ['example.com/hold'] } });
    store.delete('namespaces', '', 'team');
    const held = store.get('namespaces', '', 'team');
    expect(held).toMatchObject({
      metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
      status: { phase: 'Terminating' },
    });
    store.delete('namespaces', '', 'team');
    expect(store.get('namespaces', '', 'team')).toBe(held);
    store.patch('namespaces', '', 'team', { type: 'merge', body: { metadata: { finalizers: null } } });
    expect(refusal(() => store.get('namespaces', '', 'team')).reason).toBe('NotFound');
  });

  it('is done at once when it is empty, and never with those of the system', () => {
    const { store } = makeStore();
    store.create('namespaces', { metadata: { name: 'team' } });
    store.delete('namespaces', '', 'team');
    store.delete('namespaces', '', 'kube-node-lease');
    const names = store.list('namespaces').items.map(({ metadata }) => metadata?.name);
    expect(names).toEqual(['default', 'kube-public', 'kube-system']);
    for (const name of names) {
      expect(refusal(() => store.delete('namespaces', '', name ?? '')).message).toBe(
        `namespaces "${name}" is forbidden: this namespace may not be deleted`,
      );
    }
  });
});
