import { type Command, InvalidArgumentError, Option } from 'commander';
import { describeMachine } from '../../benchmark/machine.ts';
import { MetricsServer, type MetricsSource } from '../../cluster/metrics-server.ts';
import { CodedError } from '../../lib/errors.ts';
import { readPerfConfig } from '../../perf/config/read-perf-config.ts';
import { PERF_FORMAT, PERF_VERSION, type PerfReport } from '../../perf/perf-report.ts';
import type { PerfStack } from '../../perf/perf-stack.ts';
import { type PerfOptions, runPerf } from '../../perf/run-perf.ts';
import { numberOption } from '../flags/options.ts';
import { formatPerfDashItems, formatPerfGoBench, formatPerfTable } from '../output/perf-report.ts';
import type { Interruption } from '../terminal/interruption.ts';
import { PROCESSOR_CLOCK } from '../terminal/processor-clock.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { BenchOutputFlags } from './bench-output.ts';

export interface PerfFlags {
  readonly perfConfig?: string;
  readonly workload?: RegExp;
  readonly label?: string;
  readonly metricsPort?: number;
}

const PORT_MAX = 65_535;

/** Flags of the other benchmarks, which cannot be combined with --perf-config. */
const NOT_WITH_PERF = [
  'suite',
  'kind',
  'nodes',
  'pods',
  'filename',
  'kustomize',
  'repeat',
  'report',
  'tour',
  'phases',
  'trace',
];

export const PERF_HELP = `
--perf-config runs a file of kube-scheduler's own benchmark (scheduler_perf) on a whole control plane: store, informers,
queue, cycles, binding. Nobody waits: sleeps, back-offs and intervals pass on a clock that jumps over idle time, work
takes the time that it takes, and figures count both. Every workload is rehearsed with few objects first, until that
gets no faster. Thresholds are upstream's, of other machines, and shown as a ratio. What cannot be run is named, and
does not count as run. Without --tie-break one of the first 16 equally good nodes is drawn, as many as kube-scheduler
has workers.
--label performance,-short selects by labels: with a minus those that a workload must not have.`;

export function addPerfOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--perf-config <file>', "run a benchmark file of kube-scheduler's scheduler_perf").conflicts(
        NOT_WITH_PERF,
      ),
    )
    .addOption(new Option('--workload <regex>', 'of these workloads, by TestCase/Workload').argParser(pattern))
    .option('--label <labels>', 'of workloads with these labels')
    .addOption(
      numberOption('metrics-port', 'serve /metrics, /healthz and /readyz meanwhile; 0: any port', 0, PORT_MAX),
    );
}

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

function pattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    throw new InvalidArgumentError('Expected a regular expression.');
  }
}
