import { describe, expect, it } from 'vitest';
import { defaultStorageClassName, withPriority, withStorageClass } from '../../src/api/admission.ts';
import type { PodSpec } from '../../src/api/pod.ts';

describe('withPriority', () => {
  const high = { metadata: { name: 'high' }, value: 1000, preemptionPolicy: 'Never' };
  const usual = { metadata: { name: 'usual' }, value: 5 };
  const classes = new Map([['high', high]]);
  const spec = (given: PodSpec, globalDefault: typeof usual | null = null) =>
    withPriority({ spec: given }, classes, globalDefault)?.spec;

  it('takes priority and policy from the class, and leaves what the pod has', () => {
    expect(spec({ priorityClassName: 'high' })).toMatchObject({ priority: 1000, preemptionPolicy: 'Never' });
    const own = { priorityClassName: 'high', preemptionPolicy: 'PreemptLowerPriority' };
    expect(spec(own)).toEqual({ ...own, priority: 1000 });
    const admitted = { priorityClassName: 'gone', priority: 0 };
    expect(spec(admitted)).toBe(admitted);
  });

  it('knows the classes of the system', () => {
    expect(spec({ priorityClassName: 'system-node-critical' })?.priority).toBe(2_000_001_000);
    expect(spec({ priorityClassName: 'system-cluster-critical' })?.priority).toBe(2_000_000_000);
  });

  it('takes the default class where none is named', () => {
    expect(spec({}, usual)).toEqual({ priority: 5 });
    expect(spec({ priorityClassName: '' }, usual)?.priority).toBe(5);
    expect(spec({})).toEqual({});
  });

  it('has no answer for a class that is not there', () => {
    expect(withPriority({ spec: { priorityClassName: 'low' } }, classes, usual)).toBeNull();
  });
});

describe('the default storage class', () => {
  const storageClass = (name: string, creationTimestamp?: string, key = 'storageclass.kubernetes.io') => ({
    metadata: {
      name,
      ...(creationTimestamp && { creationTimestamp }),
      annotations: { [`${key}/is-default-class`]: 'true' },
    },
  });

  it('is the newest, then the first by name', () => {
    expect(defaultStorageClassName([{ metadata: { name: 'a' } }])).toBeNull();
    const [a, b] = [storageClass('a'), storageClass('b', undefined, 'storageclass.beta.kubernetes.io')];
    expect(defaultStorageClassName([b, a])).toBe('a');
    expect(defaultStorageClassName([a, storageClass('c', '2026-01-01T00:00:00Z'), b])).toBe('c');
  });

  it('goes to claims without a class that have no volume yet', () => {
    expect(withStorageClass({}, 'fast').spec).toEqual({ storageClassName: 'fast' });
    const kept = [
      { spec: { storageClassName: '' } },
      { spec: { volumeName: 'pv' } },
      { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' } } },
    ];
    for (const claim of kept) expect(withStorageClass(claim, 'fast')).toBe(claim);
    const claim = { spec: {} };
    expect(withStorageClass(claim, null)).toBe(claim);
  });
});
