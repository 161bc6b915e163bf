import { Command, Option } from 'commander';
import { checkAgreement } from '../../benchmark/agreement.ts';
import type { BenchCase } from '../../benchmark/bench-case.ts';
import { placeInKernel } from '../../benchmark/core/kernel-case.ts';
import {
  BENCH_KINDS,
  CLUSTER_KINDS,
  DEFAULT_SUITE,
  ENGINES,
  syntheticCluster,
  TOUR_PODS,
} from '../../benchmark/suite.ts';
import { RealClock } from '../../lib/clock.ts';
import { CodedError } from '../../lib/errors.ts';
import type { Expand } from '../../manifests/workload-manifest.ts';
import { type Effect, refuseIdleFlags } from '../flags/effects.ts';
import { expansionFor } from '../flags/expansion.ts';
import { addInputOptions, INPUT_HELP, inputEffects, inputFiles } from '../flags/input-flags.ts';
import {
  addIndexOptions,
  choicesOption,
  NODES_MAX,
  numberOption,
  outputOption,
  PODS_MAX,
  wholeNumbers,
} from '../flags/options.ts';
import { addProfilingOptions, profiled } from '../flags/profiling.ts';
import { addSchedulerOptions, refuseExtenders, schedulerOptions } from '../flags/scheduler-flags.ts';
import { Interruption } from '../terminal/interruption.ts';
import type { Provenance } from '../terminal/provenance.ts';
import { readFiles } from '../terminal/read-files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { compareCommand } from './bench-compare.ts';
import { benchCore } from './bench-core.ts';
import type { BenchFlags } from './bench-flags.ts';
import { type BenchCluster, measure } from './bench-measure.ts';
import { BENCH_FORMATS, openBenchOutput, printBench } from './bench-output.ts';
import { addPerfOptions, benchPerf, PERF_HELP } from './bench-perf.ts';
import { benchSubject } from './bench-subject.ts';
import { EXIT_INTERRUPTED, type Outcome } from './outcome.ts';

const REPEAT_MAX = 1000;
const BUDGET_SECONDS_MAX = 86_400;
const BUDGET_SECONDS = 600;
const TOUR_NODES = 5000;
const DEFAULT_PODS = 10_000;
/** Any pods may be in a file, so that few are placed by the reference engine. */
const FILE_REFERENCE_PODS = 100;

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
  return addProfilingOptions(addSchedulerOptions(addPerfOptions(command))).action((flags: BenchFlags, own: Command) => {
    refuseIdleFlags(own, idleFlags(flags));
    const isTieBreakOpen = own.getOptionValueSource('tieBreak') === 'default';
    return bench({ ...flags, isTieBreakOpen, origin: { ...origin, seed: flags.seed } }, terminal, outcome);
  });
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

async function bench(flags: BenchFlags, terminal: Terminal, outcome: Outcome): Promise<void> {
  const options = await schedulerOptions(flags, terminal);
  refuseExtenders(options.configuration);
  const interruption = new Interruption(terminal);
  if (flags.perfConfig !== undefined) {
    await perf({ ...flags, perfConfig: flags.perfConfig }, { ...options, interruption }, terminal);
  } else if (flags.suite !== undefined) {
    const modules = {
      flags,
      options,
      clock: CLOCK,
      createSubject: benchSubject,
      kernelCase: placeInKernel,
      interruption,
    };
    await benchCore(modules, terminal);
  } else {
    const expand = flags.expand ? expansionFor(options) : undefined;
    const clusters = await clustersOf(flags, terminal, interruption, expand);
    const output = openBenchOutput(flags, terminal);
    const runs = await profiled(flags, terminal, (profiling) =>
      measure(
        { flags, clusters, options, profiling, clock: CLOCK, createSubject: benchSubject, interruption },
        terminal,
      ),
    );
    await printBench({ results: runs.map(({ result }) => result) }, checkAgreement(runs), output, terminal);
  }
  interruption.release();
  if (!interruption.isAsked) return;
  terminal.log('interrupted: what was measured is printed');
  outcome.exitCode = EXIT_INTERRUPTED;
}

async function perf(
  flags: BenchFlags & { readonly perfConfig: string },
  { interruption, configuration, seed = 1, tieBreak, ...options }: BenchCase['options'] & Interruptible,
  terminal: Terminal,
): Promise<void> {
  const { engine: engines = [], index, workers, isTieBreakOpen } = flags;
  const [engine] = engines;
  if (engines.length > 1) throw new CodedError('Usage', '--engine: --perf-config takes one engine');
  const variant = {
    ...(engine !== undefined && { engine }),
    ...(index !== undefined && { index }),
    ...(workers !== undefined && { workers }),
    ...(tieBreak !== undefined && !isTieBreakOpen && { tieBreak }),
  };
  const scheduler = { ...options, ...variant };
  const modules = { clock: CLOCK, seed, scheduler, configuration, interruption };
  await profiled(flags, terminal, () => benchPerf(flags, modules, terminal));
}

interface Interruptible {
  readonly interruption: Interruption;
}

const CLOCK = new RealClock();

/** Whether manifests are measured, not a synthetic cluster. */
function isOfFiles({ filename, kustomize }: BenchFlags): boolean {
  return filename !== undefined || kustomize !== undefined;
}

async function clustersOf(
  flags: BenchFlags,
  terminal: Terminal,
  interruption: Interruption,
  expand: Expand | undefined,
): Promise<BenchCluster[]> {
  if (isOfFiles(flags)) {
    const { strict: isStrict, validate, filename = [], kustomize } = flags;
    const reading = { isStrict, validate, expand };
    const manifests = await readFiles(await inputFiles(flags, terminal), terminal, interruption, reading);
    const label = [...filename, ...(kustomize === undefined ? [] : [kustomize])].join(' ');
    return [{ kind: 'file', label, build: () => manifests, referencePods: FILE_REFERENCE_PODS }];
  }
  const { tour, nodes = [TOUR_NODES], pods = DEFAULT_PODS } = flags;
  const kinds = flags.kind === undefined || tour ? BENCH_KINDS : flags.kind;
  const nodeCounts = tour ? [TOUR_NODES] : nodes;
  return kinds.flatMap((kind) => {
    const podCount = tour ? TOUR_PODS[kind].kernels : pods;
    return nodeCounts.map((nodeCount) => ({
      kind,
      label: `${kind}, ${nodeCount} nodes, ${podCount} pods`,
      referencePods: TOUR_PODS[kind].reference,
      build: () => syntheticCluster(kind, nodeCount, podCount, flags.seed),
    }));
  });
}
