import { describeMachine } from '../../benchmark/machine.ts';
import { MetricsServer, type MetricsSource } from '../../cluster/metrics-server.ts';
import { CodedError } from '../../lib/errors.ts';
import { readPerfConfig } from '../../perf/config/read-perf-config.ts';
import { PERF_FORMAT, PERF_VERSION, type PerfReport } from '../../perf/perf-report.ts';
import type { PerfStack } from '../../perf/perf-stack.ts';
import { type PerfOptions, runPerf } from '../../perf/run-perf.ts';
import type { PerfFlags } from '../flags/perf-flags.ts';
import { formatPerfDashItems, formatPerfGoBench, formatPerfTable } from '../output/perf-report.ts';
import type { Interruption } from '../terminal/interruption.ts';
import { PROCESSOR_CLOCK } from '../terminal/processor-clock.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { BenchOutputFlags } from './bench-flags.ts';

interface PerfModules extends Pick<PerfOptions, 'clock' | 'seed' | 'scheduler' | 'configuration'> {
  readonly interruption: Interruption;
}

/** Runs the workloads and prints the results. Throws `WorkloadsFailed` afterwards if some were started and failed. */
export async function benchPerf(
  flags: PerfFlags & BenchOutputFlags & { readonly perfConfig: string },
  { interruption, ...modules }: PerfModules,
  terminal: Terminal,
): Promise<void> {
  const { perfConfig, workload, label, metricsPort, output } = flags;
  const config = await readPerfConfig(perfConfig, terminal.files);
  let current: PerfStack | null = null;
  const source = (): MetricsSource | null =>
    current === null ? null : { registry: current.metrics.registry, isReady: current.isReady };
  const server = metricsPort === undefined ? null : await MetricsServer.open(metricsPort, source);
  if (server !== null) terminal.log(`metrics: ${server.url}/metrics`);
  const run = await withProgress(terminal, 1, 'reading', (show) =>
    runPerf(config, terminal.files, {
      ...modules,
      filter: { pattern: workload, labels: label },
      warmsUpBy: PROCESSOR_CLOCK,
      pause: () => interruption.pause(),
      collectGarbage: () => terminal.collectGarbage(),
      collectYoungGarbage: () => terminal.collectYoungGarbage(),
      onStack: (stack) => {
        current = stack;
      },
      onProgress: (done, total, what) => show(done / total, what),
    }),
  ).finally(() => server?.close());
  const { file, topic } = config;
  const report: PerfReport = {
    ...{ format: PERF_FORMAT, version: PERF_VERSION, machine: describeMachine(), origin: flags.origin },
    ...{ config: file, topic },
    ...run,
  };
  for (const { name, reason } of report.notRun)
    if (reason !== 'interrupted') terminal.log(`not run: ${name}: ${reason}`);
  for (const { name, reason } of report.failed) terminal.log(`failed: ${name}: ${reason}`);
  await terminal.print(format(report, output, terminal.columns));
  if (report.failed.length > 0) {
    const count = report.failed.length === 1 ? '1 workload' : `${report.failed.length} workloads`;
    throw new CodedError('WorkloadsFailed', `${count} of ${file} did not run to the end`);
  }
}

function format(report: PerfReport, output: BenchOutputFlags['output'], width: number | undefined): string {
  if (output === 'json') return `${JSON.stringify(report, null, 2)}\n`;
  if (output === 'perfdash') return formatPerfDashItems(report);
  return output === 'gobench' ? formatPerfGoBench(report) : formatPerfTable(report, width);
}
