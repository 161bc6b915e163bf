import type { EngineLimits, RunnerFactory } from '../../src/engine/columns/column-engine-options.ts';
import { type EngineName, Scheduler, type SchedulerOptions } from '../../src/index.ts';
import type { ScriptCase } from '../parity/script/script-case.ts';
import { PartsRunner } from '../pool/parts-runner.ts';

/** One way to the same decisions. */
export interface Way {
  readonly name: string;
  readonly engine: EngineName;
  readonly index?: boolean;
  readonly batches: boolean;
  readonly validate?: boolean;
  readonly limits?: EngineLimits;
  readonly createRunner?: RunnerFactory;
}

/** How a script is played, whatever the way. */
export interface Playing {
  readonly tieBreak: NonNullable<SchedulerOptions['tieBreak']>;
  /** Whether every pod is explained before it is scheduled: to be asked brings everything up to date. */
  readonly isAsked: boolean;
}

/** A limit so small that everything kept is given up every few signatures. */
const LITTLE_ROOM: EngineLimits = { objects: 3, bytes: Number.POSITIVE_INFINITY };
const inParts: RunnerFactory = (modules) => new PartsRunner(modules, 1);

export const REFERENCE: Way = { name: 'reference', engine: 'reference', batches: false, validate: true };

/** Every engine and variant beside the reference. */
export const OTHER_WAYS: readonly Way[] = [
  { name: 'simd, in batches', engine: 'simd', batches: true, validate: true },
  { name: 'simd', engine: 'simd', batches: false },
  { name: 'simd, little room, in batches', engine: 'simd', batches: true, limits: LITTLE_ROOM },
  { name: 'simd, without index', engine: 'simd', index: false, batches: false },
  { name: 'scalar, in batches', engine: 'scalar', batches: true },
  { name: 'scalar, little room', engine: 'scalar', batches: false, limits: LITTLE_ROOM },
  { name: 'scalar, without index, in batches', engine: 'scalar', index: false, batches: true },
  { name: 'simd, without index, in parts', engine: 'simd', index: false, batches: true, createRunner: inParts },
  { name: 'reference, in batches', engine: 'reference', batches: true },
];

export function newScheduler(way: Way, script: ScriptCase, { tieBreak }: Playing): Scheduler {
  const { engine, index = true, validate = false, limits, createRunner } = way;
  const { seed, percentageOfNodesToScore, postFilter: preemption } = script;
  const options = { engine, index, validate, tieBreak, seed, percentageOfNodesToScore, preemption };
  return new Scheduler({ ...options, ...(limits && { limits }) }, createRunner);
}
