import { expect, test } from 'vitest';
import type { PodInfo } from '../../../src/framework/pod-info.ts';
import { podStartMillis, sortByImportance } from '../../../src/plugins/default-preemption/victims.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { makePod } from '../../builders/make-pod.ts';

const pod = (name: string, priority?: number, startTime?: string | Date): PodInfo =>
  makePodInfo(makePod(name, { spec: { priority }, status: { startTime } }));

const order = (...pods: PodInfo[]): string[] => {
  sortByImportance(pods);
  return pods.map(({ name }) => name);
};

test('the higher priority comes first, then the longer life; equal pods stay in place', () => {
  const early = '2026-01-01T00:00:00Z';
  const late = new Date('2026-01-02T00:00:00Z');
  expect(order(pod('low', -5, early), pod('none', undefined, early), pod('high', 7, late))).toEqual([
    'high',
    'none',
    'low',
  ]);
  expect(order(pod('late', 1, late), pod('early', 1, early), pod('same', 1, early))).toEqual(['early', 'same', 'late']);
});

test('a pod that has not started is younger than all that have; of two such pods the later one comes first', () => {
  expect(podStartMillis(pod('a'))).toBe(Number.POSITIVE_INFINITY);
  expect(order(pod('a', 1), pod('b', 1), pod('started', 1, '2026-01-01T00:00:00Z'))).toEqual(['started', 'b', 'a']);
});
