import { type Command, Option } from 'commander';
import type { SchedulersRequest, SimulationRequest } from '../../simulation/load-simulation.ts';
import { durationOption } from './duration.ts';
import type { Effect } from './effects.ts';
import { numberOption } from './options.ts';

/** The flags of a simulation with several schedulers. */
export interface SeveralSchedulersFlags {
  readonly schedulers?: number;
  readonly shard?: SchedulersRequest['shard'];
  readonly decisionTime?: string;
  readonly decisionTimePerNode?: string;
  readonly commitTime?: string;
}

const SCHEDULERS_MAX = 1024;
/** About what kube-scheduler takes, which looks at a twentieth of many nodes, and an API server with etcd. */
const DEFAULTS = { decisionTime: '500us', decisionTimePerNode: '50ns', commitTime: '200us' } as const;

export function addSeveralSchedulersOptions(command: Command): Command {
  const { decisionTime, decisionTimePerNode, commitTime } = DEFAULTS;
  return command
    .addOption(
      numberOption('schedulers', 'so many schedulers on one cluster, whose decisions take time', 1, SCHEDULERS_MAX),
    )
    .addOption(
      new Option('--shard <what>', 'what they share out: pods, or nodes as well (default: pods)').choices([
        ...['nodes', 'pods'],
      ]),
    )
    .addOption(durationOption('decision-time', `how long a decision takes (default: ${decisionTime})`, true))
    .addOption(
      durationOption('decision-time-per-node', `and for each node seen (default: ${decisionTimePerNode})`, true),
    )
    .addOption(
      durationOption('commit-time', `how long the API takes for a binding, one by one (default: ${commitTime})`, true),
    );
}

export function severalSchedulersEffects({ schedulers }: SeveralSchedulersFlags): Effect[] {
  const needs = '--schedulers, which says how many';
  return ['shard', 'decision-time', 'decision-time-per-node', 'commit-time'].map((flag) => {
    return { flag, needs, isMet: schedulers !== undefined };
  });
}

/** The part of the request that the flags ask for; nothing without `--schedulers`. */
export function schedulersRequest(flags: SeveralSchedulersFlags): Pick<SimulationRequest, 'schedulers'> {
  const { schedulers: count, shard = 'pods' } = flags;
  if (count === undefined) return {};
  const { decisionTime, decisionTimePerNode, commitTime } = { ...DEFAULTS, ...flags };
  return { schedulers: { count, shard, decisionTime, decisionTimePerNode, commitTime } };
}
