import { describe, expect, it } from 'vitest';
import type { PersistentVolume } from '../../../src/api/storage.ts';
import { ClusterObjects } from '../../../src/framework/cluster-objects.ts';
import { AssumeCache } from '../../../src/plugins/volume-binding/assume-cache.ts';
import { findMatchingVolume, unboundClaim } from '../../../src/plugins/volume-binding/volume-matching.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, makeVolume } from '../../builders/make-storage.ts';

describe('AssumeCache', () => {
  const [known, assumed, newer] = [makeVolume('v'), makeVolume('v', { phase: 'Bound' }), makeVolume('v')];

  function caches(): { objects: ClusterObjects; cache: AssumeCache } {
    const objects = new ClusterObjects();
    objects.set('PersistentVolume', known);
    return { objects, cache: new AssumeCache(objects, objects.assumed) };
  }

  /** The volume that a claim would get. */
  function free({ candidates }: AssumeCache): PersistentVolume | null {
    return findMatchingVolume(unboundClaim(makeClaim('c'), candidates), makeNode('n'), new Set());
  }

  it('shows what is assumed until it is restored', () => {
    const { cache } = caches();
    expect(cache.volume('v')).toBe(known);
    cache.assumeVolume(assumed);
    expect(cache.volume('v')).toBe(assumed);
    expect(free(cache)).toBeNull();
    cache.restoreVolume('v');
    expect([cache.volume('v'), free(cache)]).toEqual([known, known]);
  });

  it('gives way to a newer object, for good', () => {
    const { objects, cache } = caches();
    cache.assumeVolume(assumed);
    objects.set('PersistentVolume', newer);
    expect(cache.volume('v')).toBe(newer);
    objects.set('PersistentVolume', known);
    expect(cache.volume('v')).toBe(known);
  });

  it('forgets with the object that is removed', () => {
    const { objects, cache } = caches();
    cache.assumeVolume(assumed);
    objects.remove('PersistentVolume', 'v');
    expect(cache.volume('v')).toBeUndefined();
    expect(free(cache)).toBeNull();
  });

  it('assumes nothing of what is not known', () => {
    const { cache } = caches();
    cache.assumeVolume(makeVolume('w'));
    expect(cache.volume('w')).toBeUndefined();
  });

  it('keeps claims of each namespace apart', () => {
    const { objects, cache } = caches();
    const [here, there] = [makeClaim('c'), makeClaim('c', { namespace: 'other' })];
    const selected = makeClaim('c', { annotations: { a: 'b' } });
    objects.set('PersistentVolumeClaim', here);
    objects.set('PersistentVolumeClaim', there);
    cache.assumeClaim('default', selected);
    expect([cache.claim('default', 'c'), cache.claim('other', 'c')]).toEqual([selected, there]);
    cache.restoreClaim('default', 'c');
    expect(cache.claim('default', 'c')).toBe(here);
  });
});
