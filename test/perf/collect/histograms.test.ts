import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../src/lib/clock.ts';
import { withAllLabels } from '../../../src/perf/collect/data-item.ts';
import { HistogramCollector } from '../../../src/perf/collect/histograms.ts';
import { SchedulerMetrics } from '../../../src/scheduler/metrics/scheduler-metrics.ts';

const ATTEMPT = 'scheduler_scheduling_attempt_duration_seconds';

function observed() {
  const metrics = new SchedulerMetrics(new FakeClock());
  metrics.attemptFinished('error', 'a', 1000);
  return metrics;
}

describe('HistogramCollector', () => {
  it('reports what was observed since the start, distinguished by the labels that upstream chose', () => {
    const metrics = observed();
    const collector = new HistogramCollector(metrics.families, undefined);
    collector.start();
    metrics.attemptFinished('scheduled', 'a', 1);
    metrics.attemptFinished('scheduled', 'b', 3);
    metrics.pluginFinished('NodeName', 'filter', 'Success', 0.01);
    metrics.cacheSize('nodes', 3);
    const items = collector.items({ Name: 'x' });
    expect(items.map(({ labels }) => labels)).toEqual([
      { Metric: ATTEMPT, Name: 'x', result: 'scheduled' },
      {
        Metric: 'scheduler_plugin_execution_duration_seconds',
        Name: 'x',
        plugin: 'NodeName',
        extension_point: 'Filter',
      },
    ]);
    expect(items[0]).toMatchObject({ unit: 'ms', data: { Average: 2, Perc50: 1 } });
  });

  it('reports the metrics and label values that a test case asks for', () => {
    const metrics = observed();
    metrics.attemptFinished('scheduled', 'a', 1);
    metrics.permitWaitFinished('Success', 1);
    const selection = new Map([
      [ATTEMPT, [{ label: 'result', values: ['error'] }]],
      ['scheduler_permit_wait_duration_seconds', []],
      ['scheduler_schedule_attempts_total', []],
    ]);
    const items = new HistogramCollector(metrics.families, selection).items({});
    expect(items.map(({ labels }) => labels)).toEqual([
      { Metric: ATTEMPT, result: 'error' },
      { Metric: 'scheduler_permit_wait_duration_seconds' },
    ]);
  });
});

describe('withAllLabels', () => {
  it('gives every item every label', () => {
    const items = [{ a: '1' }, { b: '2' }].map((labels) => ({ data: {}, unit: 'ms', labels }));
    expect(withAllLabels(items).map(({ labels }) => labels)).toEqual([
      { a: '1', b: 'not applicable' },
      { a: 'not applicable', b: '2' },
    ]);
  });
});
