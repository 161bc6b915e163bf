import { whole } from '../../lib/shown-count.ts';
import type { DataItem } from '../../perf/collect/data-item.ts';
import type { PerfReport, WorkloadResult } from '../../perf/perf-report.ts';
import { formatTable, machineText } from './bench-table.ts';
import { goBenchHead } from './gobench.ts';
import { perfDashText } from './perfdash.ts';

const THROUGHPUT = 'SchedulingThroughput';
const ATTEMPT = 'scheduler_scheduling_attempt_duration_seconds';
/** The name that upstream's results begin with, so that graphs show both together. */
const BENCHMARK = 'BenchmarkPerfScheduling';

const TITLES = ['workload', 'pods/s', 'p50', 'p99', 'attempt p99 ms', 'threshold', 'ratio', 's', 'work s'] as const;
const DISPENSABLE = ['work s', 's', 'attempt p99 ms', 'p50', 'threshold', 'p99'];
const ALIGNS = ['left', ...TITLES.slice(1).map(() => 'right' as const)] as const;

/** One line for each measurement; workloads that were not run follow below. */
export function formatPerfTable({ machine, results, notRun, failed }: PerfReport, width?: number): string {
  const rows = results.flatMap(rowsOf);
  const list = (title: string, entries: PerfReport['notRun']): string =>
    entries.length === 0
      ? ''
      : [`${title}:`, ...entries.map(({ name, reason }) => `  ${name}: ${reason}`), ''].join('\n');
  const counts = `${results.length} run, ${failed.length} failed, ${notRun.length} not run\n`;
  const table = formatTable({ titles: TITLES, aligns: ALIGNS, rows, dispensable: DISPENSABLE }, width);
  return `${machineText(machine)}\n${table}${counts}${list('not run', notRun)}${list('failed', failed)}`;
}

function rowsOf({ name, items, seconds, workSeconds, threshold }: WorkloadResult): string[][] {
  const measured = [...new Set(items.map(({ labels }) => labels['Name'] ?? ''))];
  return measured.map((each) => {
    const own = items.filter(({ labels }) => labels['Name'] === each);
    const throughput = own.find(isOf(THROUGHPUT))?.data;
    const attempt = own.find((item) => isOf(ATTEMPT)(item) && item.labels['result'] === 'scheduled')?.data;
    const isAboutThis = throughput?.[`${threshold?.dataBucket}Threshold`] !== undefined;
    return [
      measured.length === 1 ? name : each,
      rate(throughput?.['Average']),
      rate(throughput?.['Perc50']),
      rate(throughput?.['Perc99']),
      attempt === undefined ? '-' : (attempt['Perc99'] ?? 0).toFixed(2),
      threshold === undefined || !isAboutThis ? '' : whole(threshold.threshold),
      threshold === undefined || !isAboutThis ? '' : `${threshold.ratio.toFixed(1)}x`,
      seconds.toFixed(1),
      workSeconds === undefined ? '-' : workSeconds.toFixed(1),
    ];
  });
}

function rate(value: number | undefined): string {
  return value === undefined ? '-' : whole(value);
}

function isOf(metric: string): (item: DataItem) => boolean {
  return ({ labels }) => labels['Metric'] === metric;
}

/** The JSON that Kubernetes' perf-dash shows. */
export function formatPerfDashItems({ results, machine }: PerfReport): string {
  return perfDashText(
    machine,
    results.flatMap((result) => result.items.map(withUpstreamName)),
  );
}

function withUpstreamName(item: DataItem): DataItem {
  return { ...item, labels: { ...item.labels, Name: `${BENCHMARK}/${item.labels['Name']}` } };
}

/** Go's benchmark lines for benchstat, one for each workload, in the form of upstream's. */
export function formatPerfGoBench({ results, machine }: PerfReport): string {
  const lines = results.map(({ name, items, seconds }) => {
    const metrics = items.flatMap(({ data, unit, labels }) => {
      const { Metric: metric = '', Name: _, ...others } = labels;
      const parts = [metric.replace('_seconds', `_${unit}`), ...Object.values(others)];
      return Object.entries(data).map(([bucket, value]) => `${amount(value)} ${[...parts, bucket].join('/')}`);
    });
    const values = [...metrics, `${amount(seconds)} runtime_seconds`];
    return `${BENCHMARK}/${name}-${machine.cores}\t1\t${values.join('\t')}`;
  });
  return `${[...goBenchHead(machine), ...lines].join('\n')}\n`;
}

function amount(value: number): string {
  return String(Number(value.toPrecision(6)));
}
