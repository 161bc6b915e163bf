import type { DataItem } from './collect/data-item.ts';
import type { ThresholdMetric, Workload } from './config/test-case.ts';

/** A measurement compared with upstream's threshold. */
export interface ThresholdRatio {
  readonly metric: string;
  readonly dataBucket: string;
  readonly threshold: number;
  readonly measured: number;
  /** How many times better than the threshold the measurement is: from 1 on the threshold is met. */
  readonly ratio: number;
}

/**
 * Compares the workload with its threshold. Returns undefined if it has none in this topic, or if its metric was not
 * measured.
 */
export function thresholdRatio(
  { threshold: { value, byTopic }, thresholdMetric }: Pick<Workload, 'threshold' | 'thresholdMetric'>,
  topic: string,
  items: readonly DataItem[],
): ThresholdRatio | undefined {
  const threshold = byTopic.get(topic) ?? value;
  if (threshold === 0) return undefined;
  const { name: metric, dataBucket, expectLower } = thresholdMetric;
  const measured = items.find((item) => isAbout(item, thresholdMetric))?.data[dataBucket];
  if (measured === undefined) return undefined;
  return { metric, dataBucket, threshold, measured, ratio: expectLower ? threshold / measured : measured / threshold };
}

/** The items with the threshold next to the value that it is for, as perf-dash draws it. */
export function withThreshold(items: readonly DataItem[], metric: ThresholdMetric, threshold: number): DataItem[] {
  return items.map((item) =>
    isAbout(item, metric) ? { ...item, data: { ...item.data, [`${metric.dataBucket}Threshold`]: threshold } } : item,
  );
}

function isAbout({ labels }: DataItem, metric: ThresholdMetric): boolean {
  const isMatching = Object.entries(metric.labels).every(([name, value]) => labels[name] === value);
  return labels['Metric'] === metric.name && isMatching;
}
