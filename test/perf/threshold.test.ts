import { describe, expect, it } from 'vitest';
import { DEFAULT_THRESHOLD_METRIC, type ThresholdMetric } from '../../src/perf/config/test-case.ts';
import { thresholdRatio, withThreshold } from '../../src/perf/threshold.ts';

const items = [
  { data: { Average: 300 }, unit: 'pods/s', labels: { Metric: 'SchedulingThroughput', Name: 'x' } },
  { data: { Perc99: 4 }, unit: 'ms', labels: { Metric: 'attempt', Name: 'x', result: 'error' } },
  { data: { Perc99: 2 }, unit: 'ms', labels: { Metric: 'attempt', Name: 'x', result: 'scheduled' } },
];
const workload = (
  value: number,
  byTopic: Readonly<Record<string, number>> = {},
  thresholdMetric?: ThresholdMetric,
) => ({
  threshold: { value, byTopic: new Map(Object.entries(byTopic)) },
  thresholdMetric: thresholdMetric ?? DEFAULT_THRESHOLD_METRIC,
});
const LATENCY: ThresholdMetric = {
  name: 'attempt',
  labels: { result: 'scheduled' },
  dataBucket: 'Perc99',
  expectLower: true,
};

describe('thresholdRatio', () => {
  it('is above 1 when the threshold is met', () => {
    expect(thresholdRatio(workload(100), 'misc', items)).toMatchObject({ measured: 300, threshold: 100, ratio: 3 });
    expect(thresholdRatio(workload(3, {}, LATENCY), 'misc', items)).toMatchObject({ measured: 2, ratio: 1.5 });
  });

  it('depends on the topic, where it says so', () => {
    const byTopic = workload(0, { misc: 150 });
    expect(thresholdRatio(byTopic, 'misc', items)?.ratio).toBe(2);
    expect(thresholdRatio(byTopic, 'other', items)).toBeUndefined();
  });

  it('is nothing of what was not measured', () => {
    expect(thresholdRatio(workload(3, {}, { ...LATENCY, dataBucket: 'Max' }), 'misc', items)).toBeUndefined();
    expect(thresholdRatio(workload(100), 'misc', [])).toBeUndefined();
  });
});

describe('withThreshold', () => {
  it('puts it beside the value that it is about', () => {
    const shown = withThreshold(items, LATENCY, 3);
    expect(shown[2]!.data).toEqual({ Perc99: 2, Perc99Threshold: 3 });
    expect(shown.slice(0, 2)).toEqual(items.slice(0, 2));
  });
});
