import { describe, expect, it } from 'vitest';
import { throughputItem } from '../../../src/perf/collect/throughput.ts';

const every = (count: number, millis: number, start = 0) =>
  Array.from({ length: count }, (_, i) => start + (i + 1) * millis);

describe('throughputItem', () => {
  it('is steady where pods come at equal distances', () => {
    const item = throughputItem(0, every(1000, 50), { Name: 'x' });
    expect(item).toEqual({
      data: { Average: 20, Perc50: 20, Perc90: 20, Perc95: 20, Perc99: 20 },
      unit: 'pods/s',
      labels: { Metric: 'SchedulingThroughput', Name: 'x' },
    });
  });

  it('counts from the start of the collection, and takes closer samples of short runs', () => {
    const { data } = throughputItem(1000, every(20, 5, 1000), {})!;
    expect(data['Average']).toBeCloseTo(200);
    expect(data['Perc50']).toBeCloseTo(200);
  });

  it('lets a sample with pods make up for those without', () => {
    const { data } = throughputItem(0, [...every(10, 100), ...every(30, 100, 28_000)], {})!;
    expect(data['Average']).toBeCloseTo(40 / 31);
    expect(data['Perc50']).toBeCloseTo(10 / 28);
    expect(data['Perc99']).toBe(10);
  });

  it('has nothing to say without pods, or without time', () => {
    expect(throughputItem(0, [], {})).toBeUndefined();
    expect(throughputItem(5, [5, 5], {})).toBeUndefined();
  });
});
