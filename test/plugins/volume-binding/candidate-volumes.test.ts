import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileLabelSelector, type Selector } from '../../../src/api/label-selector.ts';
import type { PersistentVolume } from '../../../src/api/storage.ts';
import { ClusterObjects } from '../../../src/framework/cluster-objects.ts';
import { CandidateVolumes } from '../../../src/plugins/volume-binding/candidate-volumes.ts';
import { makeClaim, makeVolume, type VolumeOptions } from '../../builders/make-storage.ts';

const GI = 2n ** 30n * 1_000_000_000n;
const ssd = { matchLabels: { disk: 'ssd' } };

/** The names of the volumes that name the claim, and of the free ones in the order in which they are tried. */
function namesOf(candidates: CandidateVolumes, claimName: string, className: string, size = 1, selector?: typeof ssd) {
  const claim = makeClaim(claimName, { className, spec: { selector } });
  const compiled = selector === undefined ? null : (compileLabelSelector(selector) as Selector);
  const tried: PersistentVolume[] = [];
  const { reachable, reads } = candidates.freeOf(className).matching(claim, BigInt(size) * GI, compiled);
  reachable.find({ zone: 'a' }, ({ volume }) => {
    tried.push(volume);
    return false;
  });
  const labels = [...reads].map(({ key, values }) => `${key}: ${values === null ? 'any' : [...values].sort().join()}`);
  return { kept: candidates.keptFor(className, claim).map(({ volume }) => volume), tried, labels: labels.sort() };
}

const keptFor = (name: string, claim: string): PersistentVolume => {
  return makeVolume(name, { spec: { claimRef: { name: claim, namespace: 'default' } } });
};

test('lists the volumes that name the claim as they became known, and free ones the smallest first', () => {
  const objects = new ClusterObjects();
  for (const volume of [makeVolume('v'), keptFor('b', 'c0'), keptFor('a', 'c0'), makeVolume('s', { size: '2Gi' })]) {
    objects.set('PersistentVolume', volume);
  }
  const candidates = new CandidateVolumes(objects, objects.assumed);
  const names = (claim: string) => {
    const { kept, tried } = namesOf(candidates, claim, 'wait');
    return [kept, tried].map((volumes) => volumes.map(({ metadata }) => metadata?.name).join(' '));
  };
  expect([names('c0'), names('c1')]).toEqual([
    ['b a', 'v s'],
    ['', 'v s'],
  ]);
  objects.set('PersistentVolume', makeVolume('b'));
  objects.remove('PersistentVolume', 'v');
  objects.set('PersistentVolume', makeVolume('v'));
  expect(names('c0')).toEqual(['a', 'b v s']);
  objects.assume('PersistentVolume', keptFor('b', 'c1'));
  expect([names('c0'), names('c1')]).toEqual([
    ['a', 'v s'],
    ['b', 'v s'],
  ]);
});

const ASKED: readonly (readonly [claim: string, className: string, size: number, selector?: typeof ssd])[] = [
  ['c0', 'wait', 1],
  ['c1', 'other', 2],
  ['c1', 'wait', 1, ssd],
];

test('knows what one knows that starts now, whatever came before', () => {
  const affinity = fc.constantFrom('In', 'Exists', 'Gt').map((operator) => {
    const matchExpressions = [{ key: 'zone', operator, values: operator === 'In' ? ['a', 'b'] : ['7'] }];
    return { required: { nodeSelectorTerms: [{ matchExpressions }] } };
  });
  const options: fc.Arbitrary<VolumeOptions> = fc.record({
    size: fc.constantFrom('1Gi', '2Gi', '3Gi'),
    className: fc.constantFrom('wait', 'wait', 'other'),
    labels: fc.constantFrom({}, { disk: 'ssd' }),
    phase: fc.constantFrom('Available', 'Available', 'Pending'),
    spec: fc.record(
      { claimRef: fc.constantFrom('c0', 'c1').map((name) => ({ name, namespace: 'default' })), nodeAffinity: affinity },
      { requiredKeys: [] },
    ),
  });
  const volume = fc
    .tuple(fc.constantFrom('v0', 'v1', 'v2', 'v3'), options)
    .map(([name, drawn]) => makeVolume(name, drawn));
  const step = fc.tuple(volume, fc.constantFrom('set', 'set', 'assume', 'restore', 'remove'), fc.boolean());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => {
      const objects = new ClusterObjects();
      const kept = new CandidateVolumes(objects, objects.assumed);
      for (const [changed, action, isRead] of steps) {
        const name = changed.metadata?.name ?? '';
        const known = objects.get('PersistentVolume', name);
        if (action === 'set') objects.set('PersistentVolume', changed);
        else if (action === 'assume') objects.assume('PersistentVolume', changed);
        else if (action === 'remove') objects.remove('PersistentVolume', name);
        else if (known !== undefined) objects.assumed.restore(known);
        if (!isRead) continue;
        const fresh = new CandidateVolumes(objects, objects.assumed);
        for (const args of ASKED) {
          const [found, expected] = [namesOf(kept, ...args), namesOf(fresh, ...args)];
          expect(found.labels).toEqual(expected.labels);
          for (const list of ['kept', 'tried'] as const) {
            expect(found[list].length).toBe(expected[list].length);
            // The very objects that are known now, since an older one of the same name may look the same.
            expect(found[list].every((each, i) => each === expected[list][i])).toBe(true);
          }
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('follows more changes than are kept', () => {
  const objects = new ClusterObjects();
  const candidates = new CandidateVolumes(objects, objects.assumed);
  const tried = () => namesOf(candidates, 'c', 'wait').tried.length;
  expect(tried()).toBe(0);
  for (let i = 0; i < 10_001; i++) objects.set('PersistentVolume', makeVolume(`v${i}`));
  expect(tried()).toBe(10_001);
  for (let i = 0; i < 10_001; i++) objects.assume('PersistentVolume', keptFor(`v${i}`, 'd'));
  expect(tried()).toBe(0);
});
