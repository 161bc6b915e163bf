import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import type { EngineName } from '../../engine/cycle/engine.ts';
import { RealClock } from '../../lib/clock.ts';
import { CodedError } from '../../lib/errors.ts';
import { type CarriedPlan, readPlan, writePlan } from '../../sweep/plan-file.ts';
import { prepareSweep } from '../../sweep/prepare-sweep.ts';
import { RowWriter } from '../../sweep/rows.ts';
import { runSweep, type SweepOutcome } from '../../sweep/run-sweep.ts';
import type { SeedList } from '../../sweep/seed-list.ts';
import { runIndexAt, runsOfShard, type Shard, shardOfArray } from '../../sweep/shard.ts';
import { SimulationPool } from '../../sweep/simulation-pool.ts';
import type { SimulationSpec } from '../../sweep/simulation-worker.ts';
import { headerOf, shardHeader } from '../../sweep/sweep-header.ts';
import { SweepRuns } from '../../sweep/sweep-plan.ts';
import { refuseIdleFlags } from '../flags/effects.ts';
import type { KubernetesFlags } from '../flags/kubernetes-flags.ts';
import { type LogFlags, loggerOf } from '../flags/log-level.ts';
import type { EngineFlags } from '../flags/options.ts';
import { PLAN_FLAGS, planOf, type SweepPlanFlags } from '../flags/sweep-flags.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Provenance } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { EXIT_INTERRUPTED } from './outcome.ts';
import { openSweepOutput, outputName, type SweepOutput } from './sweep-output.ts';

/** The flags of `berth sweep`. */
export interface SweepFlags extends LogFlags, Required<EngineFlags>, SweepPlanFlags, KubernetesFlags {
  readonly engine: EngineName;
  readonly shard?: Shard;
  readonly shards?: number;
  readonly shardList?: SeedList;
  readonly plan?: readonly string[];
  readonly savePlan?: string;
  readonly output?: string;
  readonly resume?: true;
}

/**
 * How many runs per thread may be under way or wait for an earlier one: a long run may take as long as this many short
 * ones.
 */
const WINDOW_RUNS_PER_WORKER = 16;
const PLAN_MAX_BYTES = 2 ** 31 - 1;

/** Runs what the flags ask for, and returns the exit code. */
export async function sweep(flags: SweepFlags, own: Command, origin: Provenance, terminal: Terminal): Promise<number> {
  const carried = await readSweep(flags, own, origin.berth, terminal);
  if (flags.savePlan !== undefined) {
    const file = terminal.createFile(flags.savePlan);
    file.write(writePlan(carried));
    file.close();
    return 0;
  }
  const { output: pattern } = flags;
  if (pattern === undefined) throw new CodedError('Usage', "required option '-o, --output <file>' not specified");
  if (flags.on !== undefined) {
    // Other sweeps need not wait for what speaks to a cluster.
    const { sweepOnKubernetes } = await import('./sweep-kubernetes.ts');
    return sweepOnKubernetes(carried, { ...flags, output: pattern }, terminal);
  }
  const { plan, contents } = carried;
  const shard = shardOf(flags, terminal);
  const whole = headerOf(plan, contents, carried.berth);
  const header = shard === undefined ? whole : shardHeader(whole, shard);
  const name = outputName(pattern, shard ?? WHOLE);
  const runs = new SweepRuns(plan);
  const output = await openSweepOutput(
    { name, header, runs, shard: shard ?? WHOLE },
    flags.resume !== undefined,
    terminal,
  );
  const workers = flags.workers === 'auto' ? availableParallelism() : flags.workers;
  const { engine, index } = flags;
  const spec: SimulationSpec = { plan, files: contents, executor: { engine, index } };
  return runAll({ spec, runs, shard: shard ?? WHOLE, workers, output, name }, flags, terminal);
}

const WHOLE: Shard = { shard: 1, of: 1 };

interface SweepWork {
  readonly spec: SimulationSpec;
  readonly runs: SweepRuns;
  readonly shard: Shard;
  readonly workers: number;
  readonly output: SweepOutput;
  readonly name: string;
}

async function runAll(work: SweepWork, flags: SweepFlags, terminal: Terminal): Promise<number> {
  const { runs, shard, workers, output, name } = work;
  const count = runsOfShard(shard, runs.count);
  const clock = new RealClock();
  const start = clock.nowMillis();
  const logger = loggerOf(flags, terminal).named('sweep');
  let isComplete = false;
  try {
    logger.info('begins', { runs: count - output.keptRows, resumedRuns: output.keptRows, workers });
    const ended = await simulateAll(work, count, terminal);
    isComplete = !ended.isInterrupted;
    const { repeated } = ended;
    if (repeated > 0) logger.warn('runs were started once more after their worker died', { runs: repeated });
    const seconds = (clock.nowMillis() - start) / 1000;
    terminal.log(summaryOf({ ...ended, count, resumedRuns: output.keptRows, seconds, workers }));
    if (isComplete) return 0;
    const goOn = name.endsWith('.ndjson') || !/\.(?:csv|parquet)$|^-$/.test(name);
    const remedy = goOn ? `--resume goes on with ${name}` : `${name} was not written`;
    terminal.log(`interrupted: ${count - ended.written} runs are missing, ${remedy}`);
    return EXIT_INTERRUPTED;
  } finally {
    await output.close(isComplete);
  }
}

async function simulateAll(work: SweepWork, count: number, terminal: Terminal): Promise<SweepOutcome> {
  const { spec, runs, shard, workers, output } = work;
  const first = output.keptRows;
  if (first === count) return { written: first, repeated: 0, isInterrupted: false };
  const interruption = new AbortController();
  const pool = new SimulationPool(spec, Math.min(workers, count - first));
  const rows = new RowWriter(spec.plan);
  const release = terminal.onInterrupt(() => interruption.abort());
  try {
    return await withProgress(terminal, count, 'runs', (show) => {
      show(first);
      return runSweep(first, count, {
        simulate: async (position) => {
          const run = runs.at(runIndexAt(shard, position));
          const { result, seconds } = await pool.run(run);
          return rows.line(run, result, seconds);
        },
        append: output.append,
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

/** The plan of the flags, or that of a file, with the contents of all files that it needs. */
async function readSweep(flags: SweepFlags, own: Command, berth: string, terminal: Terminal): Promise<CarriedPlan> {
  if (flags.plan !== undefined) {
    const beside = PLAN_FLAGS.map((flag) => ({
      flag,
      needs: 'a plan of its own (it stands beside --plan)',
      isMet: false,
    }));
    refuseIdleFlags(own, beside);
    const [name = ''] = flags.plan;
    const parts = await Promise.all(flags.plan.map((part) => terminal.files.read(part, PLAN_MAX_BYTES)));
    const carried = readPlan(Buffer.concat(parts), name);
    if (carried.berth === berth) return carried;
    throw new CodedError('OtherSweep', `${name}: was saved by berth ${carried.berth}, this is ${berth}`);
  }
  const plan = await planOf(flags, own, terminal);
  const { engine, index } = flags;
  const { contents, warnings } = await prepareSweep(plan, terminal.files, { engine, index });
  for (const warning of warnings) terminal.log(`warning: ${warning}`);
  return { berth, plan, contents };
}

/** The shard that the flags or an array scheduler name; undefined: all runs. */
function shardOf({ shard, shards, shardList }: SweepFlags, terminal: Terminal): Shard | undefined {
  if (shard !== undefined) return shard;
  const found = shardOfArray(process.env, shardList?.count ?? shards);
  if (found === undefined) {
    if (shards === undefined) return undefined;
    throw new CodedError('Usage', '--shards has no effect outside of an array of tasks (--shard I/N names a part)');
  }
  const [number, of] = [shardList?.at(found.shard - 1) ?? found.shard, shards ?? found.of];
  terminal.log(`shard ${number} of ${of}, by ${found.variable}`);
  return { shard: number, of };
}

interface Summary extends SweepOutcome {
  readonly count: number;
  readonly resumedRuns: number;
  readonly seconds: number;
  readonly workers: number;
}

/** The summary line, which contains everything that depends on the machine and is therefore not in the file. */
function summaryOf({ written, repeated, count, resumedRuns, seconds, workers }: Summary): string {
  const runs = written - resumedRuns;
  const before = resumedRuns > 0 ? `, ${resumedRuns} of them from before` : '';
  const perSecond = seconds > 0 ? runs / seconds : 0;
  const speed = `${perSecond.toFixed(1)} runs/s`;
  const deaths = repeated > 0 ? `; ${repeated} runs started once more after their worker died` : '';
  return `${written} of ${count} runs${before}, in ${seconds.toFixed(2)} s (${speed}, workers ${workers})${deaths}`;
}
