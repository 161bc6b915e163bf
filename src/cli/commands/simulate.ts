import { Command, Option } from 'commander';
import { SeedList } from '../../sweep/seed-list.ts';
import { durationOption } from '../flags/duration.ts';
import { type Effect, refuseIdleFlags } from '../flags/effects.ts';
import { addInputOptions, INPUT_HELP, inputEffects } from '../flags/input-flags.ts';
import {
  addEngineOptions,
  NODES_MAX,
  numberOption,
  optionParser,
  outputOption,
  shapeOption,
} from '../flags/options.ts';
import { addSchedulerOptions } from '../flags/scheduler-flags.ts';
import { addSeveralSchedulersOptions, severalSchedulersEffects } from '../flags/several-schedulers.ts';
import { attemptsOption, IN_RECORDINGS, type SimulateFlags } from '../flags/simulate-flags.ts';
import type { Provenance } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Outcome } from './outcome.ts';

const AFTER_HELP = `${INPUT_HELP}
--workload, --faults and annotations of pods have formats of their own: berth schema workload|faults|annotations.

Without --until a simulation ends when nothing happens any more: everything that can end has. How long containers run
is said by annotations of their pods (berth.dev/run-duration and others), by a workload, or by the trace.

The same input and seed give the same event log, line by line, whatever the engine and the number of workers. --record
writes it down with everything that is needed to run it again; --replay does that, and names the first difference.

A pod that does not run at the end is listed with its reason; one on a node that does not answer does not run. The
figures of use are those of ready nodes. The latency of a pod that still waits counts until the end.

Examples:
  berth simulate -f cluster.yaml --lose zone=b --until 1h
  berth simulate --workload rollout.yaml --nodes 50 --shape cpu=16,memory=64Gi --faults faults.yaml --report r.html
  berth simulate -f jobs.yaml --nodes 10 --record run.ndjson.gz && berth simulate --replay run.ndjson.gz
  berth simulate -f cluster.yaml --until 1h --compare a.yaml b.yaml
  berth simulate -f jobs.yaml --nodes 10 --compare a.yaml b.yaml --seeds 1..20
  berth simulate -f jobs.yaml --nodes 5000 --schedulers 4 --decision-time 2ms

Exit code: 0, 2 when pods do not run at the end (0 with --allow-pending; pods of DaemonSets on lost nodes do not
count), when Jobs are not finished and nothing happens any more, or when a replay was not as recorded, 1 error,
130 after Ctrl-C (143 after SIGTERM), which print what there is.`;

export function simulateCommand(terminal: Terminal, outcome: Outcome, origin: Provenance): Command {
  const command = addInputOptions(new Command('simulate'), 'objects that are there from the beginning')
    .description('Runs a whole cluster on a virtual clock: scheduler, controllers, node agents, and what goes wrong.')
    .addOption(numberOption('nodes', 'add so many synthetic nodes', 1, NODES_MAX))
    .addOption(shapeOption())
    .option('--workload <file>', 'objects that come, and change, in the course of time')
    .addOption(new Option('--openb <files...>', 'an openb trace in time: NODES.csv PODS.csv'))
    .option('--alibaba <file>', 'batch tasks of the Alibaba trace of 2018 (batch_task.csv), as Jobs')
    .addOption(
      new Option(
        '--trace <file>',
        'what happened in a real cluster: of berth record, an audit log, or of SimKube (beside -f or --nodes)',
      ),
    )
    .addOption(attemptsOption())
    .option('--faults <file>', 'what goes wrong, and when')
    .addOption(
      new Option(
        '--lose <nodes...>',
        'these nodes crash after ten minutes: names with commas, or labels such as zone=b',
      ),
    )
    .addOption(durationOption('until', 'simulated time after which it ends, such as 24h'))
    .addOption(
      new Option('--compare <files...>', 'scheduler configurations on the same input, side by side').conflicts([
        ...['config', 'record', 'replay'],
      ]),
    )
    .addOption(
      new Option('--compare-faults <files...>', 'plans of faults on the same input, side by side').conflicts([
        ...['faults', 'lose', 'record', 'replay', 'report', 'errors'],
      ]),
    )
    .addOption(
      new Option('--seeds <list>', 'a run for each seed, such as 1..20: means, intervals, and what is due to chance')
        .argParser(optionParser(SeedList.parse))
        .conflicts(['seed', 'record', 'replay', 'report', 'errors']),
    )
    .option('--record <file>', 'write input and event log, NDJSON, gzip-compressed')
    .addOption(
      new Option('--replay <file>', 'run a recording again and compare').conflicts([...IN_RECORDINGS, 'record']),
    )
    .addOption(outputOption('how figures are printed', ['table', 'json']))
    .option('--errors', 'also list the errors that stopped nothing, by kind')
    .option('--allow-pending', 'exit code 0 although pods do not run, or Jobs are not finished')
    .option('--report <file>', 'also write an HTML page with plots over simulated time');
  addSeveralSchedulersOptions(command);
  addEngineOptions(command, { engine: 'simd' }).addHelpText('after', AFTER_HELP);
  return addSchedulerOptions(command).action(async (flags: SimulateFlags, own: Command) => {
    refuseIdleFlags(own, idleFlags(flags));
    // Other commands need not wait for what a simulation loads.
    const { simulate } = await import('./run-simulate.ts');
    outcome.exitCode = await simulate(flags, terminal, origin);
  });
}

/** What the flags need that have an effect only together with others. */
function idleFlags(flags: SimulateFlags): Effect[] {
  const hasKernels = flags.engine !== 'reference';
  // A trace beside nodes is one of users, which holds manifests.
  const hasObjects = flags.workload !== undefined || (flags.trace !== undefined && flags.nodes !== undefined);
  return [
    ...inputEffects(flags, hasObjects),
    { flag: 'shape', needs: '--nodes, which says how many', isMet: flags.nodes !== undefined },
    { flag: 'attempts', needs: '--trace', isMet: flags.trace !== undefined },
    { flag: 'errors', needs: 'a table (-o json has them always)', isMet: flags.output === 'table' },
    ...severalSchedulersEffects(flags),
    { flag: 'index', needs: 'an engine with kernels', isMet: hasKernels },
    { flag: 'workers', needs: 'an engine with kernels', isMet: hasKernels },
  ];
}
