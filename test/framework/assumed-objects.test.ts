import { expect, test } from 'vitest';
import { AssumedObjects } from '../../src/framework/assumed-objects.ts';
import { ClusterObjects } from '../../src/framework/cluster-objects.ts';

const [known, assumed, newer] = ['known', 'assumed', 'newer'].map((text) => ({ metadata: { name: 'a', text } })) as [
  object,
  object,
  object,
];

test('what is assumed hides what is known until it is restored', () => {
  const objects = new AssumedObjects();
  expect(objects.current(known)).toBe(known);
  objects.assume(known, assumed);
  expect([objects.current(known), objects.current(newer)]).toEqual([assumed, newer]);
  objects.restore(known);
  expect(objects.current(known)).toBe(known);
});

test('objects of a cluster are assumed by name, until they are replaced or removed', () => {
  const objects = new ClusterObjects();
  objects.assume('PersistentVolume', assumed);
  expect(objects.getAssumed('PersistentVolume', 'a')).toBeUndefined();
  for (const end of [() => objects.set('PersistentVolume', newer), () => objects.remove('PersistentVolume', 'a')]) {
    objects.set('PersistentVolume', known);
    objects.assume('PersistentVolume', assumed);
    objects.set('PersistentVolume', known);
    expect([objects.get('PersistentVolume', 'a'), objects.getAssumed('PersistentVolume', 'a')]).toEqual([
      known,
      assumed,
    ]);
    expect([...objects.allAssumed()]).toEqual([['PersistentVolume', assumed]]);
    end();
    expect([...objects.allAssumed()]).toEqual([]);
    objects.set('PersistentVolume', known);
    expect(objects.getAssumed('PersistentVolume', 'a')).toBe(known);
  }
});
