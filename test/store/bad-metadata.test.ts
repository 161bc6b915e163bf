import { describe, expect, it } from 'vitest';
import type { Job } from '../../src/api/job.ts';
import type { Pod } from '../../src/api/pod.ts';
import { makePod } from '../builders/make-pod.ts';
import { makeStore } from '../builders/make-store.ts';
import { refusal } from './refusal.ts';

const JOB: Job = { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } };

describe('the metadata of what is stored', () => {
  it.each<[string, object, string]>([
    [
      'an owner without a version',
      { ownerReferences: [{ kind: 'X', name: 'x', uid: 'u' }] },
      'metadata.ownerReferences[0].apiVersion: Invalid value: "": version must not be empty',
    ],
    [
      'an owner with a group alone',
      { ownerReferences: [{ apiVersion: 'apps/', kind: 'X', name: 'x', uid: 'u' }] },
      'metadata.ownerReferences[0].apiVersion: Invalid value: "apps/": version must not be empty',
    ],
    [
      'an owner that is an event',
      { ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'x', uid: 'u' }] },
      '/v1, Kind=Event is disallowed from being an owner',
    ],
    [
      'both propagations',
      { finalizers: ['orphan', 'foregroundDeletion'] },
      'finalizer orphan and foregroundDeletion cannot be both set',
    ],
    [
      'a finalizer without a domain',
      { finalizers: ['kubernetes', 'foo'] },
      'metadata.finalizers[1]: Invalid value: "foo": name is neither a standard finalizer name nor is it fully',
    ],
    ['a prefix that is none', { generateName: 'a.' }, 'metadata.generateName: Invalid value: "a.": must be a prefix'],
    ['a prefix that is a dash', { generateName: '-' }, 'metadata.generateName: Invalid value: "-"'],
    ['a prefix that is too long', { generateName: 'a'.repeat(254) }, 'metadata.generateName: Invalid value: "aaa'],
    [
      'large annotations',
      { annotations: { a: 'ü'.repeat(65_536), b: 'x'.repeat(131_072) } },
      'metadata.annotations: Too long: may not be more than 262144 bytes',
    ],
  ])('refuses %s, on whatever kind', (_, metadata, message) => {
    const { store } = makeStore();
    const objects = [
      ['pods', makePod('x')],
      ['jobs', JOB],
      ['nodes', {}],
    ] as const;
    for (const [resource, object] of objects) {
      const given = { ...object, metadata: { name: 'x', ...metadata } };
      const error = refusal(() => store.create(resource as 'pods', given as Pod));
      expect([resource, error.reason]).toEqual([resource, 'Invalid']);
      expect(error.message).toContain(message);
    }
  });

  it('takes a finalizer of a lease that has no domain', () => {
    const { store } = makeStore();
    const lease = store.create('leases', { metadata: { name: 'l', finalizers: ['foo'] } });
    expect(lease.metadata?.finalizers).toEqual(['foo']);
  });

  it('takes a prefix that a name may go on from', () => {
    const { store } = makeStore();
    for (const generateName of ['a', 'a-', 'a--', 'a.b-']) {
      const { metadata } = store.create('pods', { ...makePod('p'), metadata: { generateName } });
      expect(metadata?.generateName).toBe(generateName);
    }
  });

  it('counts all annotations, not only those that change', () => {
    const { store } = makeStore();
    const half = 'x'.repeat(200 * 1024);
    const first = { ...makePod('p'), metadata: { name: 'p', annotations: { a: half } } };
    const pod = store.create('pods', first);
    const both = { metadata: { annotations: { b: half } } };
    expect(refusal(() => store.patch('pods', 'default', 'p', { type: 'merge', body: both })).reason).toBe('Invalid');
    const second = { ...makePod('q'), metadata: { name: 'q', annotations: { a: half, b: half } } };
    expect(refusal(() => store.create('pods', second)).message).toContain('metadata.annotations: Too long');
    expect(store.list('pods').items).toEqual([pod]);
  });

  it('refuses it on an update too', () => {
    const { store } = makeStore();
    for (const resource of ['pods', 'jobs'] as const) {
      store.create(resource, { ...(resource === 'jobs' ? JOB : makePod('x')), metadata: { name: 'x' } });
      const body = { metadata: { finalizers: ['foo'] } };
      const error = refusal(() => store.patch(resource, 'default', 'x', { type: 'merge', body }));
      expect(error.message).toContain('metadata.finalizers[0]: Invalid value: "foo"');
    }
  });
});
