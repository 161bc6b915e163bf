import { Command, Option } from 'commander';
import { describeMachine } from '../../cluster/bench/machine.ts';
import type { BenchReport, BenchResult } from '../../cluster/bench/result.ts';
import { type BenchCase, runCase, stepCount } from '../../cluster/bench/run-case.ts';
import type { EngineName, SubjectFactory } from '../../cluster/bench/subject.ts';
import {
  BENCH_KINDS,
  type BenchKind,
  DEFAULT_SUITE,
  defaultRepeat,
  ENGINES,
  syntheticCluster,
  TOUR_PODS,
} from '../../cluster/bench/suite.ts';
import type { ClusterObjects } from '../../cluster/cluster-objects.ts';
import { Scheduler } from '../../core/scheduler.ts';
import { RealClock } from '../../lib/clock.ts';
import { CodedError } from '../../lib/errors.ts';
import { engineOption, fileOption, wholeNumber, wholeNumbers } from '../options.ts';
import { formatAgreement, formatBenchTable } from '../output/bench-table.ts';
import { formatPhases } from '../output/phase-table.ts';
import { addProfilingOptions, type Profiling, type ProfilingFlags, profiled } from '../profiling.ts';
import { startProgress } from '../progress.ts';
import { readFiles } from '../read-files.ts';
import { addSchedulerOptions, type SchedulerFlags, schedulerOptions } from '../scheduler-flags.ts';
import type { Terminal } from '../terminal.ts';

interface BenchFlags extends SchedulerFlags, ProfilingFlags {
  readonly filename?: readonly string[];
  readonly kind?: BenchKind;
  readonly nodes: readonly number[];
  readonly pods: number;
  readonly engine?: EngineName;
  readonly repeat?: number;
  readonly output: 'table' | 'json';
  readonly tour?: true;
}

/** Nodes fill the kernels' memory at 4 GiB; a million is what the layout is made for. */
const NODES_MAX = 1_000_000;
const PODS_MAX = 10_000_000;
const REPEAT_MAX = 1000;
const TOUR_NODES = 5000;

/** A cluster to measure; it is built only when its turn comes. */
interface BenchCluster {
  readonly kind: string;
  readonly label: string;
  readonly build: () => ClusterObjects;
}

export function benchCommand(terminal: Terminal): Command {
  const command = new Command('bench')
    .description('Measures how fast pods are placed, on a synthetic cluster or on your own (-f).')
    .addOption(new Option('--suite <name>', 'what is measured').choices([DEFAULT_SUITE]).default(DEFAULT_SUITE))
    .addOption(new Option('--kind <kind>', 'synthetic cluster (default: all of them)').choices(BENCH_KINDS))
    .addOption(
      new Option('--nodes <number>', 'nodes; several as 1000,5000')
        .argParser((text) => wholeNumbers(text, 1, NODES_MAX))
        .default([TOUR_NODES], String(TOUR_NODES)),
    )
    .addOption(
      new Option('--pods <number>', 'pods to place')
        .argParser((text) => wholeNumber(text, 1, PODS_MAX))
        .default(10_000),
    )
    .addOption(fileOption('bench the nodes and pods of manifests instead').conflicts(['kind', 'tour']))
    .addOption(engineOption())
    .addOption(
      new Option('--repeat <number>', 'runs of which the median counts (default: 5, reference 1)').argParser((text) =>
        wholeNumber(text, 1, REPEAT_MAX),
      ),
    )
    .addOption(
      new Option('-o, --output <format>', 'how results are printed').choices(['table', 'json']).default('table'),
    )
    .option('--tour', `every kind at ${TOUR_NODES} nodes on all engines, in under a minute`);
  return addProfilingOptions(addSchedulerOptions(command)).action((flags: BenchFlags) => bench(flags, terminal));
}

async function bench(flags: BenchFlags, terminal: Terminal): Promise<void> {
  const options = await schedulerOptions(flags, terminal);
  const clusters = await clustersOf(flags, terminal);
  const results = await profiled(flags, terminal, async (profiling) =>
    measure(flags, clusters, options, profiling, terminal),
  );
  await printResults({ machine: describeMachine(), results }, flags, terminal);
}

/** Every cluster on every engine. */
function measure(
  flags: BenchFlags,
  clusters: readonly BenchCluster[],
  options: BenchCase['options'],
  profiling: Profiling,
  terminal: Terminal,
): BenchResult[] {
  const engines = flags.engine === undefined ? ENGINES : [flags.engine];
  const repeatOf = (engine: EngineName) => flags.repeat ?? defaultRepeat(engine);
  const stepsPerCluster = engines.reduce((sum, engine) => sum + stepCount({ repeat: repeatOf(engine) }), 0);
  const progress = startProgress(terminal, clusters.length * stepsPerCluster, 'building');
  const results: BenchResult[] = [];
  let done = 0;
  try {
    for (const { kind, label, build } of clusters) {
      const cluster = build();
      for (const engine of engines) {
        const repeat = repeatOf(engine);
        const benchCase: BenchCase = { suite: DEFAULT_SUITE, kind, cluster, engine, options, repeat };
        const what = `${label}, ${engine}`;
        progress.update(done, what);
        const onStep = () => progress.update(++done, what);
        const tracers = profiling.startCase(what, clusters.length * engines.length);
        const result = runCase(benchCase, { createSubject, clock: CLOCK, onStep, tracers });
        const phases = tracers.phases();
        results.push(phases === null ? result : { ...result, phases });
      }
    }
  } finally {
    progress.stop();
  }
  return results;
}

const CLOCK = new RealClock();
const createSubject: SubjectFactory = (options) => new Scheduler(options);

async function clustersOf(flags: BenchFlags, terminal: Terminal): Promise<BenchCluster[]> {
  if (flags.filename !== undefined) {
    const manifests = await readFiles(flags.filename, terminal);
    return [{ kind: 'file', label: flags.filename.join(' '), build: () => manifests }];
  }
  const kinds = flags.kind === undefined || flags.tour ? BENCH_KINDS : [flags.kind];
  const nodeCounts = flags.tour ? [TOUR_NODES] : flags.nodes;
  return kinds.flatMap((kind) => {
    const podCount = flags.tour ? TOUR_PODS[kind] : flags.pods;
    return nodeCounts.map((nodeCount) => ({
      kind,
      label: `${kind}, ${nodeCount} nodes, ${podCount} pods`,
      build: () => syntheticCluster(kind, nodeCount, podCount, flags.seed),
    }));
  });
}

async function printResults({ machine, results }: BenchReport, flags: BenchFlags, terminal: Terminal): Promise<void> {
  const agreement = formatAgreement(results);
  if (flags.output === 'json') await terminal.print(`${JSON.stringify({ machine, results }, null, 2)}\n`);
  else {
    await terminal.print(formatBenchTable(machine, results));
    await terminal.print(agreement.map((line) => `${line}\n`).join(''));
    for (const result of results) {
      const { kind, nodes, pods, engine, phases } = result;
      const title = `\n${kind}, ${nodes} nodes, ${pods} pods, ${engine}`;
      if (phases !== undefined) await terminal.print(formatPhases(title, phases));
    }
  }
  const different = agreement.filter((line) => line.includes('DIFFERENT'));
  // Ties drawn at random come out alike too: every engine draws from the same seed.
  if (different.length > 0) throw new CodedError('EnginesDisagree', different.join('; '));
}
