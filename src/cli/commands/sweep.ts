import { availableParallelism } from 'node:os';
import { Command, Option } from 'commander';
import type { EngineName } from '../../engine/cycle/engine.ts';
import { RealClock } from '../../lib/clock.ts';
import { CodedError } from '../../lib/errors.ts';
import { type CarriedPlan, readPlan, writePlan } from '../../sweep/plan-file.ts';
import { prepareSweep } from '../../sweep/prepare-sweep.ts';
import { RowWriter } from '../../sweep/rows.ts';
import { runSweep, type SweepOutcome } from '../../sweep/run-sweep.ts';
import { SeedList } from '../../sweep/seed-list.ts';
import { parseShard, runIndexAt, runsOfShard, SHARDS_MAX, type Shard, shardOfArray } from '../../sweep/shard.ts';
import { SimulationPool } from '../../sweep/simulation-pool.ts';
import type { SimulationSpec } from '../../sweep/simulation-worker.ts';
import { headerOf, shardHeader } from '../../sweep/sweep-header.ts';
import { SweepRuns } from '../../sweep/sweep-plan.ts';
import { refuseIdleFlags } from '../flags/effects.ts';
import { INPUT_HELP } from '../flags/input-flags.ts';
import { addKubernetesOptions, KUBERNETES_FLAGS, type KubernetesFlags } from '../flags/kubernetes-flags.ts';
import { type LogFlags, loggerOf } from '../flags/log-level.ts';
import { addEngineOptions, type EngineFlags, numberOption, optionParser } from '../flags/options.ts';
import { addPlanOptions, PLAN_FLAGS, planOf, type SweepPlanFlags } from '../flags/sweep-flags.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Provenance } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { EXIT_INTERRUPTED, type Outcome } from './outcome.ts';
import { mergeCommand } from './sweep-merge.ts';
import { openSweepOutput, outputName, type SweepOutput } from './sweep-output.ts';
import { reportCommand } from './sweep-report.ts';

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

const AFTER_HELP = `${INPUT_HELP}

A run places the pods of a cluster: a synthetic one made from its seed, or that of -f. With --simulate, --workload,
--faults, --lose, --recording, --until or --shape it is a whole cluster on a virtual clock. The seed is used for all
that is random. Every combination of all values is run with every seed; --list has combinations of its own, which are
combined with the other flags.
The output is a table with a row a run, in order: JSON lines, CSV or Parquet by the ending of its name. The first JSON
line says what is run. What was written stays when the sweep is stopped, however that happens; --resume goes on behind
it, and the file becomes what it would have been.

--shard 3/8 runs every eighth run from the third one. The shard is also taken from SLURM_ARRAY_TASK_ID,
AWS_BATCH_JOB_ARRAY_INDEX, or, with --shards, JOB_COMPLETION_INDEX of a Kubernetes Job; {shard} in the name of the
output is its number. berth sweep merge makes one file of all shards, byte for byte the one of a single machine; berth
sweep report has means and intervals of its figures.

--on kubernetes makes an Indexed Job of --shards pods, follows it, reads their logs, merges them, and removes the Job;
-o yaml prints the Job instead. --resume goes on with what is missing. It needs the package @kubernetes/client-node.
The output of any sweep may be an object, s3://BUCKET/NAME or https://HOST/NAME, which is written when the sweep ends.

Examples:
  berth sweep --kind hetero --nodes 1000 --pods 5000 --seeds 1..100 --tie-break random -o sweep.ndjson
  berth sweep --seeds 1..100 --config a.yaml b.yaml -o sweep.ndjson --resume
  berth sweep --workload jobs.yaml --nodes 50,100 --faults none.yaml storm.yaml --seeds 1..20 -o sweep.csv
  berth sweep -f cluster.yaml --seeds 1..9 --vary config.percentageOfNodesToScore=10,50,100 -o sweep.parquet
  berth sweep --seeds 1..1000 --shard 3/8 -o part-{shard}.ndjson
  berth sweep --seeds 1..1000 --on kubernetes --shards 50 --image registry/berth -o sweep.ndjson

Exit code: 0 all runs are in the file, 1 error, 130 after Ctrl-C, 143 after SIGTERM.`;

export function sweepCommand(terminal: Terminal, outcome: Outcome, origin: Provenance): Command {
  const command = addPlanOptions(
    new Command('sweep').description('Runs many simulations side by side, one for every seed and combination.'),
  );
  addKubernetesOptions(addEngineOptions(command, { engine: 'simd', index: true, workers: 'auto' }));
  command
    .addOption(new Option('--shard <I/N>', 'run only part I of N').argParser(optionParser(parseShard)))
    .addOption(
      new Option('--shard-list <list>', 'the shards of the tasks').argParser(optionParser(SeedList.parse)).hideHelp(),
    )
    .addOption(
      numberOption('shards', 'how many tasks the array has in which this is one, or is to have', 1, SHARDS_MAX),
    )
    .option('--plan <file...>', 'run what --save-plan wrote; several files are the parts of one')
    .option('--save-plan <file>', 'run nothing, but write what would be run, with all files that it needs')
    .option('-o, --output <file>', 'where the table goes: .ndjson, .csv or .parquet; - for standard output')
    .option('--resume', 'go on with the file of a sweep that was stopped')
    .addHelpText('after', AFTER_HELP)
    .addCommand(mergeCommand(terminal))
    .addCommand(reportCommand(terminal, origin));
  // A flag behind the name of a subcommand is the subcommand's.
  return command.enablePositionalOptions().action(async (flags: SweepFlags, own: Command) => {
    const isOnCluster = flags.on !== undefined;
    refuseIdleFlags(own, [
      { flag: 'index', needs: 'an engine with kernels', isMet: flags.engine !== 'reference' },
      ...KUBERNETES_FLAGS.map((flag) => ({ flag, needs: '--on kubernetes', isMet: isOnCluster })),
      { flag: 'results-secret', needs: '--results', isMet: flags.results !== undefined },
      { flag: 'shard', needs: 'a run on this machine (it stands beside --on)', isMet: !isOnCluster },
    ]);
    outcome.exitCode = await sweep(flags, own, origin, terminal);
  });
}

async function sweep(flags: SweepFlags, own: Command, origin: Provenance, terminal: Terminal): Promise<number> {
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
