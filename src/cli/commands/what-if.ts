import { Command, Option } from 'commander';
import { durationArgument } from '../flags/duration.ts';
import { type Effect, refuseIdleFlags } from '../flags/effects.ts';
import { addInputOptions, INPUT_HELP } from '../flags/input-flags.ts';
import { addEngineOptions, outputOption, shapeOption } from '../flags/options.ts';
import { addSchedulerOptions } from '../flags/scheduler-flags.ts';
import { isAsked, isOnlyConfig, type WhatIfFlags } from '../flags/what-if-flags.ts';
import type { Provenance } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Outcome } from './outcome.ts';

const AFTER_HELP = `${INPUT_HELP}

Pending pods of the input are placed first. --lose, --drain and --scale then happen in this order, and one of
--remove-nodes, --add-nodes and --fit is asked of what comes of it. A pod that loses its node comes back as its
controller makes it, under its old name, and is placed like any other: the more important first, preempting where it
may. A pod without a controller is lost (--replace-bare: somebody makes it again); those of DaemonSets and static pods
belong to their node. A lost node is gone for good. An evicted pod counts for its PodDisruptionBudget as healthy as soon
as it has another node.

--for 1h asks the same of two simulations, with the change and without it: controllers, time-outs, restarts and back-off
take their time. The change comes after ten minutes; lost nodes crash, and budgets delay drains as they would. What
--remove-nodes, --add-nodes and --fit have found is done then: nodes are drained in their order and deleted, created, or
the pods that fit are.

--config alone asks what another configuration would change: all pods are placed anew with --from-config (the default
configuration, without) and with it. Beside other questions --config is the configuration in force, as everywhere.

Examples:
  kubectl get all,nodes,pdb,pv,pvc -A -o json | berth what-if -f - --lose zone=b
  berth what-if -f cluster.yaml --lose 'topology.kubernetes.io/zone in (a,b),!gpu' -o wide
  berth what-if -f cluster.yaml --drain node-1,node-2
  berth what-if -f cluster.yaml --remove-nodes
  berth what-if -f cluster.yaml --scale deployment/web=50 --add-nodes --shape cpu=16,memory=64Gi,label:pool=web
  berth what-if -f cluster.yaml --fit pod.yaml
  berth what-if -f cluster.yaml --config packing.yaml
  berth what-if -f cluster.yaml --drain node-1,node-2 --for 1h
  berth what-if -f cluster.yaml --remove-nodes --for 2h --report removal.html

Exit code: 0, 2 when pods that are to run have no node, are lost or cannot be evicted, 1 error, 130 after Ctrl-C.`;

export function whatIfCommand(terminal: Terminal, outcome: Outcome, origin: Provenance): Command {
  const command = addInputOptions(new Command('what-if'), 'the cluster, such as the dump of one')
    .description('Tries something out on a copy of a cluster, and says which pods it concerns and why.')
    .addOption(new Option('--lose <nodes...>', 'these nodes are gone: names with commas, or labels such as zone=b'))
    .option('--drain <nodes>', 'these nodes are drained in this order, as PodDisruptionBudgets allow')
    .option('--scale <workload=replicas>', 'a workload gets so many pods, such as deployment/web=50')
    .addOption(new Option('--remove-nodes', 'how many nodes can go?').conflicts(['addNodes', 'fit']))
    .addOption(new Option('--add-nodes', 'how many new nodes until all pods fit?').conflicts('fit'))
    .addOption(shapeOption())
    .option('--fit <file>', 'how many more of the pod in this file fit, and what stops the next?')
    .addOption(
      new Option('--for <duration>', 'simulate the change, and what follows for so long, such as 1h').argParser(
        durationArgument,
      ),
    )
    .option('--from-config <file>', 'the configuration of today, for --config alone')
    .option('-n, --namespace <name>', 'the namespace of --scale', 'default')
    .option('--replace-bare', 'pods without a controller come back, too')
    .addOption(outputOption('wide: a row for each pod', ['table', 'wide', 'json']))
    .option('--report <file>', 'also write an HTML page: pods and why, nodes before and after')
    .option('--no-headers', 'print the table without its titles')
    .option('-q, --quiet', 'print neither warnings nor times');
  addEngineOptions(command, { engine: 'simd' }).addHelpText('after', AFTER_HELP);
  return addSchedulerOptions(command).action(async (flags: WhatIfFlags, own: Command) => {
    refuseIdleFlags(own, idleFlags(flags));
    // Other commands need not wait for what a trial loads.
    const { whatIf } = await import('./run-what-if.ts');
    outcome.exitCode = await whatIf(flags, terminal, origin);
  });
}

function idleFlags(flags: WhatIfFlags): Effect[] {
  return [
    { flag: 'recursive', needs: '-f', isMet: flags.filename !== undefined },
    { flag: 'shape', needs: '--add-nodes', isMet: flags.addNodes !== undefined },
    { flag: 'namespace', needs: '--scale', isMet: flags.scale !== undefined },
    { flag: 'from-config', needs: '--config as the only question', isMet: isOnlyConfig(flags) },
    { flag: 'replace-bare', needs: 'another question than --config', isMet: isAsked(flags) },
    { flag: 'no-headers', needs: 'a table (-o table, -o wide) without --for', isMet: hasTable(flags) },
    {
      flag: 'seed',
      needs: '--tie-break random, or --for',
      isMet: flags.tieBreak === 'random' || flags.for !== undefined,
    },
    { flag: 'index', needs: 'an engine with kernels', isMet: flags.engine !== 'reference' },
    { flag: 'workers', needs: 'an engine with kernels', isMet: flags.engine !== 'reference' },
  ];
}

function hasTable({ output, for: forMillis }: WhatIfFlags): boolean {
  return output !== 'json' && forMillis === undefined;
}
