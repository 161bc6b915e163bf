import { expect, test } from 'vitest';
import { millisPerNode, zoneOf, zoneState } from '../../../src/controllers/node-lifecycle/zone-states.ts';
import { makeNode } from '../../builders/make-node.ts';

test.each([
  [0, 0, 'normal'],
  [5, 0, 'normal'],
  [0, 1, 'full disruption'],
  [1, 2, 'normal'],
  [3, 3, 'normal'],
  [2, 3, 'partial disruption'],
] as const)('%d ready, %d not: %s', (ready, unready, state) => {
  expect(zoneState(ready, unready)).toBe(state);
});

test('nodes of a zone in disruption go slowly, or not at all', () => {
  expect(millisPerNode('normal', 3)).toBe(10_000);
  expect(millisPerNode('full disruption', 3)).toBe(10_000);
  expect(millisPerNode('partial disruption', 51)).toBe(100_000);
  expect(millisPerNode('partial disruption', 50)).toBe(Number.POSITIVE_INFINITY);
});

test('a zone has a region and a name', () => {
  expect(zoneOf(makeNode('a'))).toBe('');
  expect(zoneOf(makeNode('a', { zone: 'z' }))).toBe(':z');
  expect(zoneOf(makeNode('a', { zone: 'z', labels: { 'topology.kubernetes.io/region': 'r' } }))).toBe('r:z');
});
