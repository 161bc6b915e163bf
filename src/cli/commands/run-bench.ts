import { checkAgreement } from '../../benchmark/agreement.ts';
import type { BenchCase } from '../../benchmark/bench-case.ts';
import { placeInKernel } from '../../benchmark/core/kernel-case.ts';
import { BENCH_KINDS, syntheticCluster, TOUR_PODS } from '../../benchmark/suite.ts';
import { RealClock } from '../../lib/clock.ts';
import { CodedError } from '../../lib/errors.ts';
import type { Expand } from '../../manifests/workload-manifest.ts';
import { expansionFor } from '../flags/expansion.ts';
import { inputFiles } from '../flags/input-flags.ts';
import { profiled } from '../flags/profiling.ts';
import { refuseExtenders, schedulerOptions } from '../flags/scheduler-flags.ts';
import { Interruption } from '../terminal/interruption.ts';
import { readFiles } from '../terminal/read-files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { benchCore } from './bench-core.ts';
import { type BenchFlags, DEFAULT_PODS, isOfFiles, TOUR_NODES } from './bench-flags.ts';
import { type BenchCluster, measure } from './bench-measure.ts';
import { openBenchOutput, printBench } from './bench-output.ts';
import { benchPerf } from './bench-perf.ts';
import { benchSubject } from './bench-subject.ts';
import { EXIT_INTERRUPTED, type Outcome } from './outcome.ts';

/** Any pods may be in a file, so that few are placed by the reference engine. */
const FILE_REFERENCE_PODS = 100;

/** Measures what the flags ask for, and prints it. */
export async function bench(flags: BenchFlags, terminal: Terminal, outcome: Outcome): Promise<void> {
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
