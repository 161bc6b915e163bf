import { expect, test } from 'vitest';
import { ClusterObjects } from '../../src/framework/cluster-objects.ts';
import { objectKey } from '../../src/framework/object-feed.ts';
import { makeClaim, makeStorageClass, makeVolume } from '../builders/make-storage.ts';

test('a feed has the objects of its kinds that were set or removed since they were last taken', () => {
  const objects = new ClusterObjects();
  objects.set('PersistentVolume', makeVolume('before'));
  const feed = objects.follow(['PersistentVolume', 'PersistentVolumeClaim']);
  expect([feed.hasChanges, feed.take()]).toEqual([false, new Map()]);

  objects.set('PersistentVolumeClaim', makeClaim('c', { namespace: 'a' }));
  objects.set('PersistentVolumeClaim', makeClaim('c', { namespace: 'a' }));
  objects.remove('PersistentVolume', 'before');
  objects.remove('PersistentVolume', 'unknown');
  objects.set('StorageClass', makeStorageClass('other'));
  expect(feed.hasChanges).toBe(true);
  expect(feed.take()).toEqual(
    new Map([
      [objectKey('PersistentVolumeClaim', 'c', 'a'), true],
      [objectKey('PersistentVolume', 'before'), false],
    ]),
  );
  expect([feed.hasChanges, feed.take()]).toEqual([false, new Map()]);
});

test('each reader has a feed of its own', () => {
  const objects = new ClusterObjects();
  const [first, second] = [objects.follow(['PersistentVolume']), objects.follow(['PersistentVolume'])];
  objects.set('PersistentVolume', makeVolume('v'));
  expect(first.take()?.size).toBe(1);
  expect(second.take()?.size).toBe(1);
});

test('a reader that is far behind starts over', () => {
  const objects = new ClusterObjects();
  const feed = objects.follow(['PersistentVolume']);
  for (let i = 0; i <= 10_000; i++) objects.set('PersistentVolume', makeVolume(`v${i}`));
  expect([feed.hasChanges, feed.take()]).toEqual([true, null]);
  objects.set('PersistentVolume', makeVolume('v'));
  expect(feed.take()).toEqual(new Map([[objectKey('PersistentVolume', 'v'), true]]));
});

test('new objects stand in the order in which they came, also those that had been removed', () => {
  const objects = new ClusterObjects();
  for (const name of ['a', 'b']) objects.set('PersistentVolume', makeVolume(name));
  const feed = objects.follow(['PersistentVolume']);
  objects.remove('PersistentVolume', 'a');
  objects.set('PersistentVolume', makeVolume('c'));
  objects.set('PersistentVolume', makeVolume('b'));
  objects.set('PersistentVolume', makeVolume('a'));
  expect([...(feed.take() ?? [])]).toEqual(
    [
      ['c', true],
      ['b', false],
      ['a', true],
    ].map(([name, isNew]) => [objectKey('PersistentVolume', String(name)), isNew]),
  );
});
