import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_SCHEDULER_NAME } from '../../api/defaults.ts';
import { BENCH_KINDS, type BenchKind } from '../../benchmark/suite.ts';
import { schedulerNames } from '../../config/scheduler-names.ts';
import type { TieBreak } from '../../framework/tie-break.ts';
import { RealClock } from '../../lib/clock.ts';
import { CodedError } from '../../lib/errors.ts';
import { shownName } from '../../manifests/file-source.ts';
import { runSweep, type SweepOutcome } from '../../sweep/run-sweep.ts';
import { SeedList } from '../../sweep/seed-list.ts';
import { SimulationPool } from '../../sweep/simulation-pool.ts';
import type { SimulationSpec } from '../../sweep/simulator.ts';
import { checkFound, headerLine, runLine } from '../../sweep/sweep-lines.ts';
import { runAt, runCount, type SweepParameters } from '../../sweep/sweep-plan.ts';
import { refuseIdleFlags } from '../flags/effects.ts';
import { type LogFlags, loggerOf } from '../flags/log-level.ts';
import {
  addEngineOptions,
  type EngineFlags,
  NODES_MAX,
  numberOption,
  PODS_MAX,
  percentageOption,
  tieBreakOption,
} from '../flags/options.ts';
import { readConfiguration, refuseExtenders } from '../flags/scheduler-flags.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Provenance } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { EXIT_INTERRUPTED, type Outcome } from './outcome.ts';

interface SweepFlags extends LogFlags, Required<EngineFlags> {
  readonly kind: BenchKind;
  readonly nodes: number;
  readonly pods: number;
  readonly seeds: SeedList;
  readonly config: readonly string[];
  readonly tieBreak: TieBreak;
  readonly percentageOfNodesToScore?: number;
  readonly output: string;
  readonly resume?: true;
}

/**
 * How many runs per thread may be under way or wait for an earlier one: a long run may take as long as this many short
 * ones.
 */
const WINDOW_RUNS_PER_WORKER = 16;

const AFTER_HELP = `
Every run is a simulation of its own: a cluster made from its seed, all its pods placed, ties drawn from the same seed.
The file has one JSON object a line: first the parameters, then the runs in order, every configuration with every seed.
What was written stays when the sweep is stopped, however that happens; --resume goes on behind it, and the file becomes
what it would have been (only the origin in its first line says which command began it, and when).

Examples:
  berth sweep --kind hetero --nodes 1000 --pods 5000 --seeds 1..100 --tie-break random -o sweep.ndjson
  berth sweep --seeds 1..100 --config a.yaml b.yaml -o sweep.ndjson --resume

Exit code: 0 all runs are in the file, 1 error, 130 after Ctrl-C, 143 after SIGTERM.`;

export function sweepCommand(terminal: Terminal, outcome: Outcome, origin: Provenance): Command {
  const command = new Command('sweep')
    .description('Runs many simulations side by side, one for every seed and configuration.')
    .addOption(new Option('--kind <kind>', 'synthetic cluster').choices(BENCH_KINDS).default('hetero'))
    .addOption(numberOption('nodes', 'nodes of a cluster', 1, NODES_MAX).default(1000))
    .addOption(numberOption('pods', 'pods to place in it', 1, PODS_MAX).default(5000))
    .addOption(
      new Option('--seeds <list>', 'one run each: 1..100, 7, or several of them as 1..10,50')
        .argParser(parseSeeds)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--config <file...>', 'KubeSchedulerConfigurations; every seed is run with each').default([], 'none'),
    )
    .addOption(tieBreakOption())
    .addOption(percentageOption());
  return addEngineOptions(command, { engine: 'simd', index: true, workers: 'auto' })
    .addOption(new Option('-o, --output <file>', 'where results go, as JSON lines').makeOptionMandatory())
    .option('--resume', 'go on with the file of a sweep that was stopped')
    .addHelpText('after', AFTER_HELP)
    .action(async (flags: SweepFlags, own: Command) => {
      const isMet = flags.engine !== 'reference';
      refuseIdleFlags(own, [{ flag: 'index', needs: 'an engine with kernels', isMet }]);
      outcome.exitCode = await sweep(flags, origin, terminal);
    });
}

async function sweep(flags: SweepFlags, origin: Provenance, terminal: Terminal): Promise<number> {
  const { parameters, spec } = await readParameters(flags, terminal);
  const count = runCount(parameters);
  const header = headerLine(parameters, origin);
  const file = await terminal.openResultFile(flags.output, flags.resume === undefined);
  try {
    const kept = await checkFound(file.lines(), header, parameters, flags.output);
    await file.truncate(kept.bytes);
    if (kept.bytes === 0) await file.append(`${header}\n`);

    const workers = flags.workers === 'auto' ? availableParallelism() : flags.workers;
    const clock = new RealClock();
    const start = clock.nowMillis();
    const logger = loggerOf(flags, terminal).named('sweep');
    logger.info('begins', { runs: count - kept.runs, resumedRuns: kept.runs, workers });
    const ended = await simulateAll(
      kept.runs,
      { parameters, spec, workers, append: (text) => file.append(text) },
      terminal,
    );
    const { repeated } = ended;
    if (repeated > 0) logger.warn('runs were started once more after their worker died', { runs: repeated });
    const seconds = (clock.nowMillis() - start) / 1000;
    const summary = summaryOf({ ...ended, count, resumedRuns: kept.runs, seconds, workers, podsPerRun: flags.pods });
    terminal.log(summary);
    if (!ended.isInterrupted) return 0;
    terminal.log(`interrupted: ${count - ended.written} runs are missing, --resume goes on with ${flags.output}`);
    return EXIT_INTERRUPTED;
  } finally {
    await file.close();
  }
}

interface SweepWork {
  readonly parameters: SweepParameters;
  readonly spec: SimulationSpec;
  readonly workers: number;
  readonly append: (text: string) => Promise<void>;
}

async function simulateAll(first: number, work: SweepWork, terminal: Terminal): Promise<SweepOutcome> {
  const { parameters, spec, workers, append } = work;
  const count = runCount(parameters);
  if (first === count) return { written: first, repeated: 0, isInterrupted: false };
  const interruption = new AbortController();
  const pool = new SimulationPool(spec, Math.min(workers, count - first));
  const release = terminal.onInterrupt(() => interruption.abort());
  try {
    return await withProgress(terminal, count, 'runs', (show) => {
      show(first);
      return runSweep(first, count, {
        simulate: async (index) => runLine(parameters, index, await pool.run(runAt(parameters, index))),
        append,
        windowRuns: workers * WINDOW_RUNS_PER_WORKER,
        signal: interruption.signal,
        onWritten: show,
      });
    });
  } finally {
    release();
    await pool.end();
  }
}

async function readParameters(flags: SweepFlags, terminal: Terminal) {
  const { kind, nodes, pods, seeds, tieBreak, engine, index, percentageOfNodesToScore = null } = flags;
  const files = await Promise.all(
    flags.config.map(async (name) => {
      const { configuration, text } = await readConfiguration(name, terminal);
      refuseExtenders(configuration);
      if (!schedulerNames(configuration).has(DEFAULT_SCHEDULER_NAME)) {
        const reason = `profiles: none is for ${DEFAULT_SCHEDULER_NAME}, which the pods of a synthetic cluster ask for`;
        throw new CodedError('NothingToSchedule', `${shownName(name)}: ${reason}`);
      }
      return { name: shownName(name), text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
  const configs = files.map(({ name, sha256 }) => ({ name, sha256 }));
  const parameters: SweepParameters = { kind, nodes, pods, seeds, tieBreak, percentageOfNodesToScore, configs };
  const configurations = files.map(({ text }) => text);
  const spec: SimulationSpec = { kind, nodes, pods, engine, index, tieBreak, percentageOfNodesToScore, configurations };
  return { parameters, spec };
}

interface Summary extends SweepOutcome {
  readonly count: number;
  readonly resumedRuns: number;
  readonly seconds: number;
  readonly workers: number;
  readonly podsPerRun: number;
}

/** The summary line, which contains everything that depends on the machine and is therefore not in the file. */
function summaryOf({ written, repeated, count, resumedRuns, seconds, workers, podsPerRun }: Summary): string {
  const runs = written - resumedRuns;
  const before = resumedRuns > 0 ? `, ${resumedRuns} of them from before` : '';
  const perSecond = seconds > 0 ? runs / seconds : 0;
  const speed = `${perSecond.toFixed(1)} runs/s, ${Math.round(perSecond * podsPerRun)} pods/s`;
  const deaths = repeated > 0 ? `; ${repeated} runs started once more after their worker died` : '';
  return `${written} of ${count} runs${before}, in ${seconds.toFixed(2)} s (${speed}, workers ${workers})${deaths}`;
}

function parseSeeds(text: string): SeedList {
  try {
    return SeedList.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`${error instanceof Error ? error.message : String(error)}.`);
  }
}
