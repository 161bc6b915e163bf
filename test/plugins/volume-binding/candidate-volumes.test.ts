import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PersistentVolume } from '../../../src/api/storage.ts';
import { ClusterObjects } from '../../../src/framework/cluster-objects.ts';
import { CandidateVolumes } from '../../../src/plugins/volume-binding/candidate-volumes.ts';
import { makeClaim, makeVolume } from '../../builders/make-storage.ts';

const boundTo = (name: string, claim: string, className = 'wait'): PersistentVolume => {
  return makeVolume(name, { className, spec: { claimRef: { name: claim, namespace: 'default' } } });
};

test('lists free volumes and those that name the claim, as they became known', () => {
  const objects = new ClusterObjects();
  objects.set('PersistentVolume', makeVolume('v'));
  const candidates = new CandidateVolumes(objects);
  const names = (claim: string, className = 'wait') => {
    return candidates.volumesFor(className, makeClaim(claim)).map(({ metadata }) => metadata?.name);
  };
  objects.set('PersistentVolume', boundTo('a', 'c0'));
  objects.set('PersistentVolume', makeVolume('b', { className: 'other' }));
  expect([names('c0'), names('c1'), names('c0', 'other'), names('c0', 'none')]).toEqual([['v', 'a'], ['v'], ['b'], []]);
  objects.set('PersistentVolume', boundTo('v', 'c1'));
  expect([names('c0'), names('c1')]).toEqual([['a'], ['v']]);
  objects.set('PersistentVolume', makeVolume('v'));
  expect(names('c0')).toEqual(['v', 'a']);
  objects.remove('PersistentVolume', 'v');
  objects.set('PersistentVolume', makeVolume('v'));
  expect(names('c0')).toEqual(['a', 'v']);
});

test('leaves out only volumes of other classes and other claims, whatever came before', () => {
  const volume = fc
    .tuple(fc.constantFrom('v0', 'v1', 'v2', 'v3'), fc.constantFrom('', 'c0', 'c1'), fc.constantFrom('wait', 'other'))
    .map(([name, claim, className]) =>
      claim === '' ? makeVolume(name, { className }) : boundTo(name, claim, className),
    );
  const step = fc.tuple(volume, fc.constantFrom('set', 'set', 'remove'), fc.boolean());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const objects = new ClusterObjects();
      const candidates = new CandidateVolumes(objects);
      for (const [changed, action, isRead] of steps) {
        if (action === 'set') objects.set('PersistentVolume', changed);
        else objects.remove('PersistentVolume', changed.metadata?.name ?? '');
        if (!isRead) continue;
        const expected = [...objects.list('PersistentVolume')].filter(({ spec }) => {
          return spec?.storageClassName === 'wait' && (spec.claimRef?.name ?? 'c0') === 'c0';
        });
        const found = candidates.volumesFor('wait', makeClaim('c0'));
        expect(found.length).toBe(expected.length);
        // The very objects that are known now, since an older one of the same name may look the same.
        expect(found.every((volume, i) => volume === expected[i])).toBe(true);
      }
    }),
  );
});
