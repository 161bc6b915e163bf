import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import type { Patch } from '../../../src/store/objects/store-client.ts';
import type { Store } from '../../../src/store/store.ts';
import { makePod } from '../../builders/make-pod.ts';
import { makeStore } from '../../builders/make-store.ts';
import { refusal } from '../refusal.ts';

function withPod(): { readonly store: Store; readonly pod: Pod } {
  const { store } = makeStore();
  const metadata = { name: 'p', labels: { app: 'web' }, finalizers: ['example.com/a', 'example.com/b'] };
  return { store, pod: store.create('pods', { ...makePod('p'), metadata }) };
}

describe('patch', () => {
  it('merges into the object, and leaves its status alone', () => {
    const { store, pod } = withPod();
    const body = { metadata: { labels: { tier: 'x' }, annotations: { n: '1' } }, status: { phase: 'Failed' } };
    const patched = store.patch('pods', 'default', 'p', { type: 'merge', body });
    expect(patched.metadata).toMatchObject({ labels: { app: 'web', tier: 'x' }, annotations: { n: '1' } });
    expect(patched.status).toBe(pod.status);
    expect(patched.spec).toBe(pod.spec);
  });

  it('changes nothing but the status through the status', () => {
    const { store, pod } = withPod();
    const condition = { type: 'DisruptionTarget', status: 'True' };
    const body = { metadata: { labels: { app: 'x' } }, status: { phase: 'Failed', conditions: [condition] } };
    const patched = store.patch('pods', 'default', 'p', { type: 'strategic', body }, 'status');
    expect(patched.status).toEqual({ phase: 'Failed', qosClass: 'BestEffort', conditions: [condition] });
    expect(patched.metadata?.labels).toBe(pod.metadata?.labels);
  });

  it('takes single finalizers off, and owners', () => {
    const { store } = withPod();
    const owner = { apiVersion: 'v1', kind: 'X', name: 'x', uid: '1' };
    store.patch('pods', 'default', 'p', { type: 'strategic', body: { metadata: { ownerReferences: [owner] } } });
    const body = {
      metadata: {
        '$deleteFromPrimitiveList/finalizers': ['example.com/a'],
        ownerReferences: [{ $patch: 'delete', uid: '1' }],
      },
    };
    const { metadata } = store.patch('pods', 'default', 'p', { type: 'strategic', body });
    expect(metadata?.finalizers).toEqual(['example.com/b']);
    expect(metadata?.ownerReferences).toBeUndefined();
  });

  it('fills in what it brings along', () => {
    const { store, pod } = withPod();
    const tolerations = [...(pod.spec?.tolerations ?? []), { key: 'x', operator: 'Exists' }];
    const patched = store.patch('pods', 'default', 'p', {
      type: 'merge',
      body: { spec: { tolerations } },
    });
    expect(patched.spec).toEqual({ ...pod.spec, tolerations });
    expect(patched.metadata?.generation).toBe(2);
  });

  it('does not keep hold of the patch', () => {
    const { store } = withPod();
    const labels: Record<string, string> = { tier: 'x' };
    const patched = store.patch('pods', 'default', 'p', { type: 'merge', body: { metadata: { labels } } });
    labels['tier'] = 'y';
    expect(patched.metadata?.labels).toEqual({ app: 'web', tier: 'x' });
  });

  it.each(['merge', 'strategic'] as const)('lends no members to an object (%s)', (type) => {
    const { store, pod } = withPod();
    const body = JSON.parse('{"__proto__":{"x":1},"metadata":{"__proto__":{"uid":"y"},"labels":{"a":"b"}}}');
    const patched = store.patch('pods', 'default', 'p', { type, body });
    expect(Object.getPrototypeOf(patched)).toBe(Object.prototype);
    expect(patched.metadata).toMatchObject({ uid: pod.metadata?.uid, labels: { app: 'web', a: 'b' } });
  });

  it.each<[string, Patch, string, string]>([
    ['another uid', merge({ metadata: { uid: 'x' } }), 'Conflict', 'Precondition failed: UID in precondition: x'],
    ['an old version', merge({ metadata: { resourceVersion: '1' } }), 'Conflict', 'the object has been modified'],
    [
      'another name',
      merge({ metadata: { name: 'q' } }),
      'BadRequest',
      'the name of the object (q) does not match the name on the URL (p)',
    ],
    ['no name', merge({ metadata: { name: null } }), 'BadRequest', 'was undeterminable'],
    [
      'another namespace',
      merge({ metadata: { namespace: 'kube-system' } }),
      'BadRequest',
      'the namespace of the provided object does not match',
    ],
    ['a bad label', merge({ metadata: { labels: { a: '-' } } }), 'Invalid', 'metadata.labels.a: bad label value "-"'],
    ['metadata that are a text', merge({ metadata: 'x' }), 'BadRequest', 'metadata must be an object'],
    ['no spec', merge({ spec: null }), 'Invalid', 'spec: is required'],
    ['another kind', merge({ kind: 'Node' }), 'Invalid', 'kind: unknown kind "Node"'],
    ['a patch that is a list', merge([]), 'BadRequest', 'a patch must be an object'],
    ['a patch of another type', { type: 'apply', body: {} } as never, 'BadRequest', 'unknown patch type "apply"'],
    ['a nameless item', { type: 'strategic', body: { spec: { containers: [{}] } } }, 'BadRequest', 'merge key: name'],
  ])('refuses %s', (_, patch, reason, message) => {
    const { store, pod } = withPod();
    const error = refusal(() => store.patch('pods', 'default', 'p', patch));
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(message);
    expect(store.get('pods', 'default', 'p')).toBe(pod);
    expect(store.list('pods').resourceVersion).toBe(pod.metadata?.resourceVersion);
  });

  it('refuses what is not there, and subresources that are not', () => {
    const { store } = withPod();
    expect(refusal(() => store.patch('pods', 'default', 'q', merge({}))).reason).toBe('NotFound');
    expect(refusal(() => store.patch('pods', 'default', 'p', merge({}), 'scale' as 'status')).message).toBe(
      'unknown subresource "scale"',
    );
  });
});

function merge(body: unknown): Patch {
  return { type: 'merge', body };
}
