import { Command, Option } from 'commander';
import { SeedList } from '../../sweep/seed-list.ts';
import { parseShard, SHARDS_MAX } from '../../sweep/shard.ts';
import { refuseIdleFlags } from '../flags/effects.ts';
import { INPUT_HELP } from '../flags/input-flags.ts';
import { addKubernetesOptions, KUBERNETES_FLAGS } from '../flags/kubernetes-flags.ts';
import { addEngineOptions, numberOption, optionParser } from '../flags/options.ts';
import { addPlanOptions } from '../flags/sweep-flags.ts';
import type { Provenance } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Outcome } from './outcome.ts';
import type { SweepFlags } from './run-sweep.ts';
import { mergeCommand } from './sweep-merge.ts';
import { reportCommand } from './sweep-report.ts';

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
    // Other commands need not wait for what runs side by side.
    const { sweep } = await import('./run-sweep.ts');
    outcome.exitCode = await sweep(flags, own, origin, terminal);
  });
}
