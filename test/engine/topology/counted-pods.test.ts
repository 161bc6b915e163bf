import { expect, test } from 'vitest';
import { type CountedPods, CountedPodsGroups } from '../../../src/engine/topology/counted-pods.ts';
import { PartNumbers } from '../../../src/engine/topology/counted-pods-key.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';

const podOf = (labels: Record<string, string>, namespace = 'default') =>
  makePodInfo({ metadata: { name: 'p', namespace, labels }, spec: {} });

function start() {
  const added: CountedPods[] = [];
  const groups = new CountedPodsGroups(new PartNumbers(), (countedPods) => added.push(countedPods));
  return { groups, added };
}

test('pods with equal labels in a namespace are one group', () => {
  const { groups, added } = start();
  const web = groups.of(podOf({ app: 'web', tier: 'x' }), null);
  expect(groups.of(podOf({ app: 'web', tier: 'x' }), null)).toBe(web);
  expect(groups.of(podOf({ app: 'web', tier: 'x' }, 'other'), null)).not.toBe(web);
  expect(groups.of(podOf({ app: 'db' }), null)).not.toBe(web);
  expect([added.length, web.marks]).toEqual([3, ['app=web', 'tier=x']]);
});

test('groups are found by a mark', () => {
  const { groups } = start();
  const [web, db] = [groups.of(podOf({ app: 'web' }), null), groups.of(podOf({ app: 'db' }), null)];
  expect([...groups.with(['app=web'])]).toEqual([web]);
  expect([...groups.with(null)]).toEqual([web, db]);
});

test('a group without pods is gone, and the next such pod makes another', () => {
  const { groups, added } = start();
  const labels = { app: 'web' };
  const web = groups.of(podOf(labels), null);
  for (const slot of [0, 3]) web.perSlot.add(slot);
  groups.remove(web, 0);
  expect([web.isGone, [...web.perSlot.entries()]]).toEqual([false, [[3, 1]]]);
  groups.remove(web, 3);
  expect([web.isGone, [...groups.with(null)], [...groups.with(['app=web'])]]).toEqual([true, [], []]);
  expect(groups.of(podOf(labels), null)).not.toBe(web);
  expect(added.length).toBe(2);
});
