import { Option } from 'commander';
import type { EngineName } from '../../engine/cycle/engine.ts';
import type { SimulationRequest } from '../../simulation/load-simulation.ts';
import type { SeedList } from '../../sweep/seed-list.ts';
import type { InputFlags } from './input-flags.ts';
import type { EngineFlags } from './options.ts';
import type { SchedulerFlags } from './scheduler-flags.ts';
import type { SeveralSchedulersFlags } from './several-schedulers.ts';

/** The flags of `berth simulate`. */
export interface SimulateFlags
  extends SchedulerFlags,
    EngineFlags,
    SimulationFiles,
    InputFlags,
    SeveralSchedulersFlags {
  readonly engine: EngineName;
  readonly nodes?: number;
  readonly shape?: readonly string[];
  readonly openb?: readonly string[];
  readonly compare?: readonly string[];
  readonly compareFaults?: readonly string[];
  readonly seeds?: SeedList;
  readonly record?: string;
  readonly replay?: string;
  readonly output: 'table' | 'json';
  readonly report?: string;
  readonly lose?: readonly string[];
  readonly errors?: boolean;
  readonly allowPending?: boolean;
}

type SimulationFiles = Pick<SimulationRequest, 'workload' | 'alibaba' | 'faults' | 'until' | 'trace' | 'attempts'>;

/** Flags for what a recording has itself, so that a replay refuses them. */
export const IN_RECORDINGS = [
  ...[
    'trace',
    'attempts',
    'filename',
    'kustomize',
    'recursive',
    'strict',
    'validate',
    'expand',
    'nodes',
    'shape',
    'workload',
  ],
  ...['openb', 'alibaba', 'faults', 'lose', 'until', 'compare', 'config', 'tieBreak', 'seed', 'allowPending'],
  ...['percentageOfNodesToScore', 'featureGates'],
  ...['schedulers', 'shard', 'decisionTime', 'decisionTimePerNode', 'commitTime'],
];

export function attemptsOption(): Option {
  const text =
    'when pods of --trace are tried: recorded, as there; queue, as a queue says here (default: recorded, but queue ' +
    'with --config, --compare or --schedulers)';
  return new Option('--attempts <when>', text).choices(['recorded', 'queue']).conflicts(['schedulers']);
}
