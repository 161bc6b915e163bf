import type { BenchReport, BenchResult, Machine } from '../../benchmark/result.ts';
import { percentile } from '../../lib/percentile.ts';
import { type DataItem, percentileBuckets, withAllLabels } from '../../perf/collect/data-item.ts';

/** Names from scheduler_perf, so that its results and these can be shown side by side. */
const THROUGHPUT = 'SchedulingThroughput';
const LATENCY = 'scheduler_scheduling_algorithm_duration_seconds';

/** The JSON that Kubernetes' perf-dash shows: throughput, latency and memory of every case. */
export function formatPerfDash({ machine, results }: BenchReport): string {
  return perfDashText(machine, results.flatMap(dataItems));
}

export function perfDashText({ cpu, node, platform, cores }: Machine, items: readonly DataItem[]): string {
  const labels = { cpu, node, platform, cores: String(cores) };
  return `${JSON.stringify({ version: 'v1', dataItems: withAllLabels(items), labels }, null, 2)}\n`;
}

function dataItems(result: BenchResult): DataItem[] {
  const labels = labelsOf(result);
  const item = (metric: string, unit: string, data: DataItem['data']) => ({
    data,
    unit,
    labels: { Metric: metric, ...labels },
  });
  const { latencyMicros, bytesPerNode, bytesPerPod } = result;
  return [
    item(THROUGHPUT, 'pods/s', throughput(result)),
    item(LATENCY, 'ms', {
      Perc50: latencyMicros.p50 / 1000,
      Perc90: latencyMicros.p90 / 1000,
      Perc99: latencyMicros.p99 / 1000,
    }),
    item('MemoryPerNode', 'bytes', { Average: bytesPerNode }),
    ...(bytesPerPod === null ? [] : [item('MemoryPerPod', 'bytes', { Average: bytesPerPod })]),
  ];
}

/** Percentiles over the repetitions. As in upstream, a higher percentile is a faster run. */
function throughput({ podsPerSecond, seconds, secondsOfRuns }: BenchResult): DataItem['data'] {
  const rates = secondsOfRuns.map((run) => (run > 0 ? (podsPerSecond * seconds) / run : 0)).sort((a, b) => a - b);
  return {
    Average: rates.reduce((sum, rate) => sum + rate, 0) / rates.length,
    ...percentileBuckets((percent) => percentile(rates, percent)),
  };
}

function labelsOf(result: BenchResult): Record<string, string> {
  const { suite, kind, nodes, pods, engine, index, workers, percentageOfNodesScored } = result;
  return {
    Name: `${suite}/${kind}_${nodes}Nodes`,
    kind,
    nodes: String(nodes),
    pods: String(pods),
    engine,
    index: index ? 'on' : 'off',
    workers: String(workers),
    percentageOfNodesScored: String(Math.round(percentageOfNodesScored)),
  };
}
