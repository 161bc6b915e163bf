import { groupBy } from '../../lib/group-by.ts';
import type { MetricFamily } from '../../scheduler/metrics/family.ts';
import { Histogram } from '../../scheduler/metrics/histogram.ts';
import type { LabelValues, MetricSelection } from '../config/test-case.ts';
import { type DataItem, percentileBuckets } from './data-item.ts';

const MILLIS_PER_SECOND = 1000;

/** The reported metrics, and for each the labels by which its histograms are grouped, whatever their values. */
const DEFAULT_SELECTION: ReadonlyMap<string, readonly string[]> = new Map([
  ['scheduler_framework_extension_point_duration_seconds', ['extension_point']],
  ['scheduler_scheduling_attempt_duration_seconds', ['result']],
  ['scheduler_pod_scheduling_sli_duration_seconds', []],
  ['scheduler_plugin_execution_duration_seconds', ['plugin', 'extension_point']],
  ['scheduler_queueing_hint_execution_duration_seconds', ['plugin', 'event']],
  ['scheduler_event_handling_duration_seconds', ['event']],
]);

/** Collects the reported histograms of a run. */
export class HistogramCollector {
  readonly #families: readonly MetricFamily[];
  readonly #selection: MetricSelection | undefined;

  /** Without a selection, the histograms that upstream reports are collected. */
  constructor(families: readonly MetricFamily[], selection: MetricSelection | undefined) {
    this.#selection = selection;
    this.#families = families.filter(
      ({ name, kind }) => kind === 'histogram' && (selection ?? DEFAULT_SELECTION).has(name),
    );
  }

  /** Starts a measurement by dropping earlier observations. */
  start(): void {
    for (const family of this.#families) family.clear();
  }

  /** One item for each metric and combination of labels with observations, in milliseconds. */
  items(labels: DataItem['labels']): DataItem[] {
    return this.#families.flatMap((family) =>
      grouped(family, this.#labelsOf(family.name)).map(({ shown, histogram }) => ({
        data: dataOf(histogram),
        unit: 'ms',
        labels: { Metric: family.name, ...labels, ...shown },
      })),
    );
  }

  #labelsOf(metric: string): readonly LabelValues[] {
    const selected = this.#selection?.get(metric);
    return selected ?? (DEFAULT_SELECTION.get(metric) ?? []).map((label) => ({ label, values: [] }));
  }
}

/**
 * Merges the histograms that agree in these labels. `values`: the label values that count; an empty list stands for
 * all.
 */
function grouped(family: MetricFamily, labels: readonly LabelValues[]) {
  const observed = [...family.children()].flatMap(([labelValues, child]) => {
    if (!(child instanceof Histogram) || child.count === 0) return [];
    const pairs = labels.map(({ label }) => [label, labelValues[family.labelNames.indexOf(label)] ?? ''] as const);
    const isMeant = labels.every(({ values }, i) => values.length === 0 || values.includes(pairs[i]?.[1] ?? ''));
    return isMeant ? [{ pairs, child }] : [];
  });
  return [...groupBy(observed, ({ pairs }) => JSON.stringify(pairs)).values()].map((group) => {
    const [{ pairs, child }] = group as [(typeof group)[number]];
    const histogram = new Histogram(child.upperBounds);
    for (const each of group) histogram.add(each.child);
    return { shown: Object.fromEntries(pairs), histogram };
  });
}

function dataOf(histogram: Histogram): DataItem['data'] {
  const percentiles = percentileBuckets((percent) => histogram.quantile(percent / 100) * MILLIS_PER_SECOND);
  return { ...percentiles, Average: histogram.average * MILLIS_PER_SECOND };
}
