import { Command, Option } from 'commander';
import { type Effect, refuseIdleFlags } from '../flags/effects.ts';
import { addInputOptions, INPUT_HELP } from '../flags/input-flags.ts';
import { addEngineOptions, outputOption } from '../flags/options.ts';
import { addProfilingOptions } from '../flags/profiling.ts';
import { addSchedulerOptions } from '../flags/scheduler-flags.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Outcome } from './outcome.ts';
import type { ScheduleFlags } from './run-schedule.ts';
import { SCHEDULE_FORMATS } from './schedule-output.ts';

const AFTER_HELP = `${INPUT_HELP}

Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs, CronJobs (one run) and PodTemplates get the pods that they
lack, after the pods of the input, as their controllers would make them; --no-expand makes none.

A pod that fits nowhere may preempt: the pods that it evicts are removed at once (status preempted), and it is
scheduled again before the next pod, first of all on the node that was nominated for it. A pending pod with a
status.nominatedNodeName has room kept there. priorityClassName gives the priority where spec.priority is missing.

Pods of groups (spec.schedulingGroup; --feature-gates GenericWorkload=true,GangScheduling=true) are placed together: all
pods then go through the queue of a scheduler, and --explain shows the end.

Examples:
  kubectl get nodes,pods -A -o json | berth schedule -f -
  berth schedule -f cluster.yaml -f new/ -R --only unplaced -o wide
  berth schedule -f cluster.yaml --explain web-1 --nodes
  berth schedule -f cluster.yaml --config scheduler.yaml --tie-break upstream -o name

Exit code: 0 all pods placed, 2 some did not fit or lost their place, 1 error, 130 after Ctrl-C (143 after SIGTERM),
which print what there is.`;

export function scheduleCommand(terminal: Terminal, outcome: Outcome): Command {
  const command = addInputOptions(new Command('schedule'), 'manifests, such as the dump of a cluster')
    .description('Places the pending pods of some manifests, in file order, and says why the others do not fit.')
    .addOption(outputOption('how placements are printed', SCHEDULE_FORMATS))
    .addOption(new Option('--only <what>', 'print only these pods').choices(['unplaced']))
    .option('-n, --namespace <name>', 'print only pods of this namespace; all are scheduled')
    .option('--no-headers', 'print the table without its titles')
    .option('-q, --quiet', 'print neither warnings nor a summary')
    .option(
      '--explain <pod>',
      'also print the verdict on the nodes, when the turn of this pod (name or namespace/name) comes',
    )
    .option('--nodes', 'with --explain: a row for every node, not one for all nodes with the same verdict');
  addEngineOptions(command, { engine: 'simd' }).addHelpText('after', AFTER_HELP);
  return addProfilingOptions(addSchedulerOptions(command)).action(async (flags: ScheduleFlags, own: Command) => {
    refuseIdleFlags(own, idleFlags(flags));
    // Other commands need not wait for the scheduler.
    const { schedule } = await import('./run-schedule.ts');
    outcome.exitCode = await schedule(flags, terminal);
  });
}

/** What the flags need that have an effect only together with others. */
function idleFlags(flags: ScheduleFlags): Effect[] {
  const isTable = flags.output === 'table' || flags.output === 'wide';
  return [
    { flag: 'recursive', needs: '-f', isMet: flags.filename !== undefined },
    { flag: 'nodes', needs: '--explain, and a table', isMet: flags.explain !== undefined && isTable },
    { flag: 'no-headers', needs: 'a table (-o table, -o wide)', isMet: isTable },
    { flag: 'explain', needs: 'another output than names', isMet: flags.output !== 'name' },
    { flag: 'phases', needs: 'another output than names', isMet: flags.output !== 'name' },
    { flag: 'seed', needs: '--tie-break random', isMet: flags.tieBreak === 'random' },
    { flag: 'trace-events', needs: '--trace', isMet: flags.trace !== undefined },
    { flag: 'index', needs: 'an engine with kernels', isMet: flags.engine !== 'reference' },
    { flag: 'workers', needs: 'an engine with kernels', isMet: flags.engine !== 'reference' },
  ];
}
