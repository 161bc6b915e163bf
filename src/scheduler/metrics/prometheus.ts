import type { Metric, Registry } from 'prom-client';
import { latePackage } from '../../lib/host-modules.ts';
import type { MetricFamily } from './family.ts';
import { Histogram } from './histogram.ts';

interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * The families as metrics of a registry of prom-client's, which writes them out. prom-client's own metrics look up a
 * text of all labels at every observation; these are read when somebody asks for them.
 */
export function registryOf(families: readonly MetricFamily[], beforeRead: (family: MetricFamily) => void): Registry {
  const registry = new (latePackage('prom-client').Registry)();
  for (const family of families) registry.registerMetric(readMetric(family, beforeRead) as unknown as Metric);
  return registry;
}

/** What a registry needs of a metric. */
function readMetric(family: MetricFamily, beforeRead: (family: MetricFamily) => void) {
  const { name, help, kind: type } = family;
  const metric = { name, help, type, aggregator: 'sum' };
  return {
    ...metric,
    async get() {
      beforeRead(family);
      return { ...metric, values: [...valuesOf(family)] };
    },
    reset: () => family.clear(),
  };
}

function* valuesOf(family: MetricFamily): Generator<Value> {
  const { name, labelNames } = family;
  for (const [labelValues, child] of family.children()) {
    const labels = Object.fromEntries(labelNames.map((label, i) => [label, labelValues[i] ?? '']));
    if (!(child instanceof Histogram)) {
      yield { metricName: name, labels, value: child.value };
      continue;
    }
    let below = 0;
    for (const [i, bound] of child.upperBounds.entries()) {
      below += child.counts[i] as number;
      yield { metricName: `${name}_bucket`, labels: { ...labels, le: bound }, value: below };
    }
    yield { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: child.count };
    yield { metricName: `${name}_sum`, labels, value: child.sum };
    yield { metricName: `${name}_count`, labels, value: child.count };
  }
}
