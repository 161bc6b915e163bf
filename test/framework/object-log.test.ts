import { expect, test } from 'vitest';
import { ClusterObjects } from '../../src/framework/cluster-objects.ts';
import { makeStorageClass, makeVolume } from '../builders/make-storage.ts';

test('a log has the objects of its kind that were set or removed since they were last taken', () => {
  const objects = new ClusterObjects();
  const before = makeVolume('before');
  objects.set('PersistentVolume', before);
  const log = objects.followObjects('PersistentVolume');
  expect([log.hasChanges, log.take()]).toEqual([false, []]);

  const [first, second] = [makeVolume('v'), makeVolume('v')];
  objects.set('PersistentVolume', first);
  objects.set('PersistentVolume', second);
  objects.remove('PersistentVolume', 'before');
  objects.remove('PersistentVolume', 'unknown');
  objects.set('StorageClass', makeStorageClass('other'));
  expect(log.hasChanges).toBe(true);
  const taken = log.take() ?? [];
  expect(taken.length).toBe(3);
  for (const [i, object] of [first, second, before].entries()) expect(taken[i]).toBe(object);
  expect([log.hasChanges, log.take()]).toEqual([false, []]);
});

test('a reader that is far behind starts over', () => {
  const objects = new ClusterObjects();
  const log = objects.followObjects('PersistentVolume');
  for (let i = 0; i <= 10_000; i++) objects.set('PersistentVolume', makeVolume(`v${i}`));
  expect([log.hasChanges, log.take()]).toEqual([true, null]);
  const volume = makeVolume('v');
  objects.set('PersistentVolume', volume);
  expect(log.take()).toEqual([volume]);
});
