import { expect, test } from 'vitest';
import { PodRecords } from '../../../src/kubelet/pleg/pod-records.ts';
import type { RuntimePod } from '../../../src/kubelet/pleg/runtime.ts';

const pod = (uid: string, listedAtMillis: number): RuntimePod => ({
  uid,
  containers: [],
  sandboxes: [],
  listedAtMillis,
});

test('the old state stays until it is committed', () => {
  const records = new PodRecords();
  records.setCurrent([pod('a', 1)]);
  expect(records.get('a')).toEqual({ old: undefined, current: pod('a', 1) });
  records.commit('a');
  records.setCurrent([pod('a', 2)]);
  records.setCurrentPod(pod('a', 3));
  expect(records.get('a')).toEqual({ old: pod('a', 1), current: pod('a', 3) });
  records.commit('a');
  expect(records.get('a')).toEqual({ old: pod('a', 3) });
});

test('a pod that is not listed any more is forgotten by the commit', () => {
  const records = new PodRecords();
  records.setCurrent([pod('a', 1), pod('b', 1)]);
  records.commit('a');
  records.setCurrent([]);
  expect(records.get('a')).toEqual({ old: pod('a', 1) });
  expect(records.uids()).toEqual(['a', 'b']);
  records.commit('a');
  expect([records.uids(), records.get('a')]).toEqual([['b'], {}]);
});

test('pods are put into the order in which they were first seen, new ones last', () => {
  const records = new PodRecords();
  records.setCurrent(['b', 'a', 'c'].map((uid) => pod(uid, 1)));
  records.commit('a');
  records.setGone('a');
  expect(records.inOrder(['new', 'c', 'a', 'newer', 'b'])).toEqual(['b', 'a', 'c', 'new', 'newer']);
  expect([records.has('a'), records.has('new'), records.get('a').current]).toEqual([true, false, undefined]);
});
