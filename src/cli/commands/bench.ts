import { Command, Option } from 'commander';
import { CLUSTER_KINDS, DEFAULT_SUITE, ENGINES } from '../../benchmark/suite.ts';
import { type Effect, refuseIdleFlags } from '../flags/effects.ts';
import { addInputOptions, INPUT_HELP, inputEffects } from '../flags/input-flags.ts';
import {
  addIndexOptions,
  choicesOption,
  NODES_MAX,
  numberOption,
  outputOption,
  PODS_MAX,
  wholeNumbers,
} from '../flags/options.ts';
import { addPerfOptions, PERF_HELP } from '../flags/perf-flags.ts';
import { addProfilingOptions } from '../flags/profiling.ts';
import { addSchedulerOptions } from '../flags/scheduler-flags.ts';
import type { Provenance } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { compareCommand } from './bench-compare.ts';
import { BENCH_FORMATS, type BenchFlags, DEFAULT_PODS, isOfFiles, TOUR_NODES } from './bench-flags.ts';
import type { Outcome } from './outcome.ts';

const REPEAT_MAX = 1000;
const BUDGET_SECONDS_MAX = 86_400;
const BUDGET_SECONDS = 600;

/** Flags that choose other clusters than those of manifests. */
const NOT_WITH_FILES = ['kind', 'tour', 'suite'];

/** Flags that a suite refuses, since its figures are of a scheduler without tracers. */
const NOT_IN_SUITE = ['tour', 'phases', 'trace', 'cpuProfile'];

const AFTER_HELP = `
The core suite runs all kinds with 1000 to 1000000 nodes on every engine, with and without index, with one worker and
with two, and computes its figures; --kind, --nodes, --engine, --index and --workers restrict it, --pods and --repeat
replace what it finds fitting. Cases that its budget has no room for are named on standard error. Nothing watches it:
--phases, --trace and --cpu-profile are for single cases.
${PERF_HELP}
${INPUT_HELP}

Examples:
  berth bench --kind spread --nodes 5000 --pods 10000 -o json
  berth bench -f cluster.yaml --engine simd
  berth bench --suite core --budget 600 --report core.html
  berth bench --perf-config performance-config.yaml --workload 'SchedulingBasic/500Nodes'
  berth bench compare before.json after.json --fail-above 5%

Exit code: 0, or 1 when variants of the scheduler made different decisions, or workloads did not run to their end; 130
after Ctrl-C (143 after SIGTERM), which print what was measured.`;

export function benchCommand(terminal: Terminal, outcome: Outcome, origin: Provenance): Command {
  const command = addInputOptions(new Command('bench'), 'bench the nodes and pods of manifests instead', NOT_WITH_FILES)
    .description('Measures how fast pods are placed, on a synthetic cluster or on your own (-f).')
    .addOption(new Option('--suite <name>', 'run a whole suite').choices([DEFAULT_SUITE]).conflicts(NOT_IN_SUITE))
    .addOption(choicesOption('kind', 'synthetic cluster (default: all of a tour)', CLUSTER_KINDS))
    .addOption(
      new Option('--nodes <number>', `nodes; several as 1000,5000 (default: ${TOUR_NODES})`).argParser((text) =>
        wholeNumbers(text, 1, NODES_MAX),
      ),
    )
    .addOption(numberOption('pods', `pods to place (default: ${DEFAULT_PODS})`, 1, PODS_MAX))
    .enablePositionalOptions();
  addIndexOptions(command.addOption(choicesOption('engine', 'who computes (default: all of them)', ENGINES)))
    .addOption(numberOption('repeat', 'runs of which the median counts (default: 5, reference 1)', 1, REPEAT_MAX))
    .addOption(numberOption('budget', 'seconds that a suite may take', 1, BUDGET_SECONDS_MAX).default(BUDGET_SECONDS))
    .addOption(
      outputOption('how results are printed; perfdash: JSON for perf-dash; gobench: for benchstat', BENCH_FORMATS),
    )
    .option('--report <file>', 'also write an HTML page with a plot of throughput against nodes')
    .option('--tour', `every kind at ${TOUR_NODES} nodes on all engines, in two minutes`)
    .addHelpText('after', AFTER_HELP)
    .addCommand(compareCommand(terminal, outcome, origin));
  return addProfilingOptions(addSchedulerOptions(addPerfOptions(command))).action(
    async (flags: BenchFlags, own: Command) => {
      refuseIdleFlags(own, idleFlags(flags));
      const isTieBreakOpen = own.getOptionValueSource('tieBreak') === 'default';
      // Other commands need not wait for what is measured.
      const { bench } = await import('./run-bench.ts');
      return bench({ ...flags, isTieBreakOpen, origin: { ...origin, seed: flags.seed } }, terminal, outcome);
    },
  );
}

/** What the flags need that have an effect only together with others. */
function idleFlags(flags: BenchFlags): Effect[] {
  const { tour, suite, trace, perfConfig, engine, output, tieBreak } = flags;
  const isFile = isOfFiles(flags);
  const isOwn = tour === undefined && !isFile;
  const own = 'a benchmark of its own (not --tour, not -f)';
  return [
    ...inputEffects(flags),
    ...['index', 'workers'].map((flag) => ({
      flag,
      needs: 'an engine with kernels',
      isMet: engine === undefined || engine.some((name) => name !== 'reference'),
    })),
    { flag: 'phases', needs: 'a table or JSON', isMet: output === 'table' || output === 'json' },
    { flag: 'seed', needs: 'a synthetic cluster, or --tie-break random', isMet: !isFile || tieBreak === 'random' },
    { flag: 'budget', needs: '--suite', isMet: suite !== undefined },
    { flag: 'trace-events', needs: '--trace', isMet: trace !== undefined },
    ...['kind', 'nodes', 'pods'].map((flag) => ({ flag, needs: own, isMet: isOwn })),
    ...['workload', 'label', 'metrics-port'].map((flag) => ({
      flag,
      needs: '--perf-config',
      isMet: perfConfig !== undefined,
    })),
  ];
}
