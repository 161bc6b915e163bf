import { Command, Option } from 'commander';
import { durationArgument } from '../flags/duration.ts';
import { type Effect, refuseIdleFlags } from '../flags/effects.ts';
import { addInputOptions, INPUT_HELP, inputEffects } from '../flags/input-flags.ts';
import { addEngineOptions, outputOption } from '../flags/options.ts';
import { addSchedulerOptions } from '../flags/scheduler-flags.ts';
import type { Provenance } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Outcome } from './outcome.ts';
import type { ExplainFlags } from './run-explain.ts';

const AFTER_HELP = `${INPUT_HELP}

Pending pods that stand before it in the input are placed first, as by "berth schedule". A pod that has a node is taken
off it, and decided anew. For a pod that fits nowhere the smallest changes are sought that place it, without preemption:
requests, selectors, tolerations, constraints, a label, one more node. Each was verified by deciding again. For a group
of pods that has no place all of its pods are changed, and the whole group is tried.

With --replay the cluster is that of a recording of "berth simulate" at the time --at, counted from its beginning.

Examples:
  kubectl get all,nodes,pv,pvc -A -o json | berth explain web-1 -f -
  berth explain shop/web-1 -f cluster.yaml -o html > web-1.html
  berth explain web-1 -f cluster.yaml --nodes --config scheduler.yaml
  berth explain shop/db-1 --replay run.ndjson.gz --at 15m

Exit code: 0 the pod fits, 2 it does not, 1 error, 130 after Ctrl-C.`;

export function explainCommand(terminal: Terminal, outcome: Outcome, origin: Provenance): Command {
  const command = new Command('explain').argument('<pod>', 'name, or namespace/name');
  addInputOptions(command, 'the cluster, such as the dump of one', ['replay', 'at'])
    .description('Says for every node why it takes a pod or not, and what would make the pod fit.')
    .option('-n, --namespace <name>', 'the namespace of the pod')
    .addOption(
      new Option('--replay <file>', 'the cluster is that of this recording').conflicts([
        'config',
        'tieBreak',
        'featureGates',
      ]),
    )
    .addOption(new Option('--at <duration>', 'the time in the recording, such as 10m').argParser(durationArgument))
    .option('--nodes', 'a row for every node, not one for all nodes with the same verdict')
    .option('--no-remedies', 'do not look for changes that would place it')
    .addOption(outputOption('html: a page of its own', ['table', 'json', 'html']))
    .option('-q, --quiet', 'print no warnings');
  addEngineOptions(command, { engine: 'simd' }).addHelpText('after', AFTER_HELP);
  return addSchedulerOptions(command).action(async (name: string, flags: ExplainFlags, own: Command) => {
    refuseIdleFlags(own, idleFlags(flags));
    // Other commands need not wait for what decides and tries out.
    const { explain } = await import('./run-explain.ts');
    outcome.exitCode = await explain(name, { ...flags, origin }, terminal);
  });
}

function idleFlags(flags: ExplainFlags): Effect[] {
  return [
    ...inputEffects(flags),
    { flag: 'at', needs: '--replay', isMet: flags.replay !== undefined },
    { flag: 'nodes', needs: 'a table', isMet: flags.output === 'table' },
    { flag: 'seed', needs: '--tie-break random', isMet: flags.tieBreak === 'random' },
    { flag: 'index', needs: 'an engine with kernels', isMet: flags.engine !== 'reference' },
    { flag: 'workers', needs: 'an engine with kernels', isMet: flags.engine !== 'reference' },
  ];
}
