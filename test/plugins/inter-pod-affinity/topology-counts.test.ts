import { describe, expect, test } from 'vitest';
import { TopologyCounts } from '../../../src/plugins/inter-pod-affinity/topology-counts.ts';
import { node } from '../sample-cluster.ts';

const a = node('a', { zone: 'a', rack: '1' });
const b = node('b', { zone: 'b', rack: '1' });

describe('TopologyCounts', () => {
  test('counts for all nodes of a domain', () => {
    const counts = new TopologyCounts();
    counts.add(a, 'rack', 2);
    expect([counts.of(a, 'rack'), counts.of(b, 'rack'), counts.of(a, 'zone')]).toEqual([2, 2, 0]);
    expect([counts.hasAny(b), counts.hasAny(node('c'))]).toEqual([true, false]);
  });

  test('a node without the label adds nothing', () => {
    const counts = new TopologyCounts();
    counts.add(a, 'absent', 1);
    expect(counts.isEmpty).toBe(true);
  });

  test('a count that comes down to 0 is forgotten', () => {
    const counts = new TopologyCounts();
    counts.add(a, 'zone', 1);
    counts.add(b, 'zone', 1);
    counts.add(a, 'zone', -1);
    expect([counts.isEmpty, counts.hasAny(a), counts.hasAny(b)]).toEqual([false, false, true]);
    counts.add(b, 'zone', -1);
    expect(counts.isEmpty).toBe(true);
  });

  test('a negative count is none', () => {
    const counts = new TopologyCounts();
    counts.add(a, 'zone', -1);
    expect([counts.hasAny(a), counts.isEmpty]).toEqual([false, false]);
  });

  test('a copy goes its own way', () => {
    const counts = new TopologyCounts();
    counts.add(a, 'zone', 1);
    const copy = counts.clone();
    copy.add(a, 'zone', 1);
    copy.add(b, 'zone', 1);
    expect([counts.of(a, 'zone'), counts.of(b, 'zone'), copy.of(a, 'zone'), copy.of(b, 'zone')]).toEqual([1, 0, 2, 1]);
  });
});
