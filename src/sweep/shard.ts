import { CodedError } from '../lib/errors.ts';

/**
 * A part of the runs of a sweep: every `count`-th one, so that each shard has its share of the long ones.
 *
 *   runs     1 2 3 4 5 6 7 8
 *   shard 1  x     x     x
 *   shard 2    x     x     x
 *   shard 3      x     x
 */
export interface Shard {
  /** The number of the shard, from 1. */
  readonly shard: number;
  /** The number of shards. */
  readonly of: number;
}

export const SHARDS_MAX = 1_000_000;

/** The number of runs of a shard. */
export function runsOfShard({ shard, of }: Shard, runs: number): number {
  return Math.max(0, Math.ceil((runs - (shard - 1)) / of));
}

/** The index among all runs of the run at `position` of a shard, both from 0. */
export function runIndexAt({ shard, of }: Shard, position: number): number {
  return shard - 1 + position * of;
}

/** Parses `3/8`. @throws CodedError `InvalidShard` */
export function parseShard(text: string): Shard {
  const [, shard, of] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  if (shard === undefined || of === undefined) throw invalid(`"${text}" is not a shard such as 3/8`);
  return checked({ shard: Number(shard), of: Number(of) }, `"${text}"`);
}

/** A shard, and the variable that named it. */
export interface ShardOfArray extends Shard {
  readonly variable: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The shard that an array scheduler gave this process by its environment; undefined outside of an array.
 *
 * @param shards the number of shards, which the pods of a Kubernetes Job do not learn
 * @throws CodedError `InvalidShard`
 */
export function shardOfArray(environment: Environment, shards: number | undefined): ShardOfArray | undefined {
  const found = ARRAYS.filter(({ variable }) => environment[variable] !== undefined);
  const [array, other] = found.filter(({ variable }) => variable !== KUBERNETES || shards !== undefined);
  if (array === undefined) return undefined;
  if (other !== undefined) throw invalid(`${array.variable} and ${other.variable} are both set; --shard says which`);
  const { variable } = array;
  const number = (name: string, otherwise?: number): number => {
    const text = environment[name];
    if (text === undefined && otherwise !== undefined) return otherwise;
    if (text !== undefined && /^\d+$/.test(text)) return Number(text);
    throw invalid(`${variable} is set, but ${name} is ${text === undefined ? 'not' : `"${text}", not a number`}`);
  };
  const { index, of } = array.read(number, shards);
  if (shards !== undefined && shards !== of) throw invalid(`--shards ${shards}, but the array has ${of} tasks`);
  return { ...checked({ shard: index + 1, of }, variable), variable };
}

type ReadNumber = (name: string, otherwise?: number) => number;

interface TaskArray {
  readonly variable: string;
  readonly read: (number: ReadNumber, shards: number | undefined) => { readonly index: number; readonly of: number };
}

const KUBERNETES = 'JOB_COMPLETION_INDEX';

/** The array schedulers, by the variable that has the number of the task. */
const ARRAYS: readonly TaskArray[] = [
  { variable: KUBERNETES, read: (number, shards = 0) => ({ index: number(KUBERNETES), of: shards }) },
  {
    variable: 'SLURM_ARRAY_TASK_ID',
    // The numbers of tasks may begin anywhere, and have steps: --array=10-50:10.
    read: (number) => {
      const step = number('SLURM_ARRAY_TASK_STEP', 1) || 1;
      const index = (number('SLURM_ARRAY_TASK_ID') - number('SLURM_ARRAY_TASK_MIN')) / step;
      return { index, of: number('SLURM_ARRAY_TASK_COUNT') };
    },
  },
  {
    variable: 'AWS_BATCH_JOB_ARRAY_INDEX',
    read: (number) => ({ index: number('AWS_BATCH_JOB_ARRAY_INDEX'), of: number('AWS_BATCH_JOB_ARRAY_SIZE') }),
  },
];

function checked({ shard, of }: Shard, where: string): Shard {
  if (of < 1 || of > SHARDS_MAX) throw invalid(`${where}: there are 1 to ${SHARDS_MAX} shards, not ${of}`);
  if (Number.isInteger(shard) && shard >= 1 && shard <= of) return { shard, of };
  throw invalid(`${where}: there is no shard ${shard} of ${of}`);
}

function invalid(reason: string): CodedError<'InvalidShard'> {
  return new CodedError('InvalidShard', reason);
}
