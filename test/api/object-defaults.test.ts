import { describe, expect, it } from 'vitest';
import { defaultObject } from '../../src/api/object-defaults.ts';

describe('defaultObject', () => {
  it('puts objects into a namespace, where their kind has one', () => {
    expect(defaultObject('Service', { metadata: { name: 'a' } }).metadata).toEqual({ name: 'a', namespace: 'default' });
    expect(defaultObject('StorageClass', { metadata: { name: 'a' } }).metadata).toEqual({ name: 'a' });
    const kept = { metadata: { name: 'a', namespace: 'b' } };
    expect(defaultObject('PersistentVolumeClaim', kept)).toBe(kept);
  });

  it('writes the name of a namespace on it', () => {
    expect(defaultObject('Namespace', { metadata: { name: 'a', labels: { b: 'c' } } }).metadata?.labels).toEqual({
      b: 'c',
      'kubernetes.io/metadata.name': 'a',
    });
  });

  it('binds at once unless a class says otherwise', () => {
    expect(defaultObject('StorageClass', { provisioner: 'p' }).volumeBindingMode).toBe('Immediate');
    const waiting = { provisioner: 'p', volumeBindingMode: 'WaitForFirstConsumer' };
    expect(defaultObject('StorageClass', waiting)).toBe(waiting);
  });

  it('lets a controller without selector select what it makes', () => {
    const template = { metadata: { labels: { app: 'web' } } };
    const selector = (spec: object) => defaultObject('ReplicationController', { metadata: {}, spec }).spec?.selector;
    expect(selector({ template })).toEqual({ app: 'web' });
    expect(selector({ template, selector: {} })).toEqual({ app: 'web' });
    expect(selector({ template, selector: { a: 'b' } })).toEqual({ a: 'b' });
    expect(selector({})).toBeUndefined();
  });
});
