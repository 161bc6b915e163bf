import { type BenchCase, WARM_UP_ROUNDS } from '../../benchmark/bench-case.ts';
import { rungBelow } from '../../benchmark/pod-ladder.ts';
import { type CaseRun, runCase, stepCount } from '../../benchmark/run-case.ts';
import type { EngineName, SubjectFactory } from '../../benchmark/subject.ts';
import { DEFAULT_SUITE, defaultRepeat, ENGINES, gatesOfKind } from '../../benchmark/suite.ts';
import type { Clock } from '../../lib/clock.ts';
import { whole } from '../../lib/shown-count.ts';
import type { ClusterManifest } from '../../manifests/cluster-manifest.ts';
import type { Profiling } from '../flags/profiling.ts';
import type { Interruption } from '../terminal/interruption.ts';
import { PROCESSOR_CLOCK } from '../terminal/processor-clock.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { BenchFlags } from './bench-flags.ts';

/** A cluster to measure; it is built only when its turn comes. */
export interface BenchCluster {
  readonly kind: string;
  readonly label: string;
  readonly build: () => ClusterManifest;
  /** How many of its pods the reference engine places on 5,000 nodes, unless it was asked for by name. */
  readonly referencePods: number;
}

export interface Measuring {
  readonly flags: BenchFlags;
  readonly clusters: readonly BenchCluster[];
  readonly options: BenchCase['options'];
  readonly profiling: Profiling;
  readonly clock: Clock;
  readonly createSubject: SubjectFactory;
  readonly interruption: Interruption;
}

/** A tour shows every kind on every engine, and would take several minutes until the code of each is compiled. */
const TOUR_WARM_UP_SECONDS = 1;

/** The number of nodes that `referencePods` is meant for. */
const REFERENCE_NODES = 5000;

/** Measures every cluster on every engine. Ctrl-C ends it after the current case. */
export function measure(measuring: Measuring, terminal: Terminal): Promise<CaseRun[]> {
  const { flags, clusters, options, profiling, clock, createSubject, interruption } = measuring;
  const { index = true, workers = 1 } = flags;
  const engines = flags.engine ?? ENGINES;
  const repeatOf = (engine: EngineName) => flags.repeat ?? defaultRepeat(engine);
  const stepsPerCluster = engines.reduce((sum, engine) => sum + stepCount(repeatOf(engine)), 0);
  const warmUp = {
    warmUpRounds: WARM_UP_ROUNDS,
    ...(flags.tour && { warmUpSeconds: TOUR_WARM_UP_SECONDS }),
    warmsUpBy: PROCESSOR_CLOCK,
  };
  const collectYoungGarbage = (): void => terminal.collectYoungGarbage();
  const base = { createSubject, clock, memory: terminal.heap, collectYoungGarbage, ...warmUp };
  return withProgress(terminal, clusters.length * stepsPerCluster, 'building', async (show) => {
    const runs: CaseRun[] = [];
    let done = 0;
    for (const bench of clusters) {
      const cluster = bench.build();
      for (const engine of engines) {
        if (await interruption.pause()) return runs;
        const variant = engine === 'reference' ? {} : { index, workers };
        const featureGates = { ...gatesOfKind(bench.kind), ...options.featureGates };
        const caseOptions = { ...options, ...variant, featureGates };
        const benchCase: BenchCase = { suite: DEFAULT_SUITE, kind: bench.kind, cluster, engine, options: caseOptions };
        const what = `${bench.label}, ${engine}`;
        show(done, what);
        const onStep = () => show(++done, what);
        const tracers = profiling.startCase(what, clusters.length * engines.length);
        const podCount = engine === 'reference' ? referencePodCount(bench, cluster, flags, terminal) : undefined;
        const run = runCase(benchCase, { repeat: repeatOf(engine), podCount }, { ...base, onStep, tracers });
        const phases = tracers.phases();
        runs.push(phases === null ? run : { ...run, result: { ...run.result, phases } });
      }
    }
    return runs;
  });
}

/** The reference engine takes minutes where the others take a second, unless it is asked for. Undefined: all pods. */
function referencePodCount(
  { label, referencePods }: BenchCluster,
  { nodes, pods }: ClusterManifest,
  flags: BenchFlags,
  terminal: Terminal,
): number | undefined {
  if (flags.engine !== undefined) return undefined;
  const count = rungBelow((referencePods * REFERENCE_NODES) / Math.max(nodes.length, 1));
  const pending = pods.filter(({ spec }) => !spec?.nodeName).length;
  if (count >= pending) return undefined;
  if (!flags.tour) {
    const all = '--engine simd,scalar,reference: all';
    terminal.log(`${label}: the reference engine places the first ${whole(count)} pods (${all})`);
  }
  return count;
}
