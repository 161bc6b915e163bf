import { type Command, InvalidArgumentError, Option } from 'commander';
import { numberOption } from './options.ts';

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

function pattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    throw new InvalidArgumentError('Expected a regular expression.');
  }
}
