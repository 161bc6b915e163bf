import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseShard, runIndexAt, runsOfShard, shardOfArray } from '../../src/sweep/shard.ts';

describe('shards', () => {
  it('together have every run once, whatever their number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(100), (of, runs) => {
        const all = Array.from({ length: of }, (_, i) => ({ shard: i + 1, of })).flatMap((shard) =>
          Array.from({ length: runsOfShard(shard, runs) }, (_, position) => runIndexAt(shard, position)),
        );
        expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: runs }, (_, i) => i));
      }),
    );
  });

  it.each([
    ['3', '"3" is not a shard such as 3/8'],
    ['0/8', '"0/8": there is no shard 0 of 8'],
    ['9/8', '"9/8": there is no shard 9 of 8'],
    ['1/0', '"1/0": there are 1 to 1000000 shards, not 0'],
  ])('refuses %j', (text, message) => {
    expect(() => parseShard(text)).toThrow(message);
  });
});

describe('the shard of an array', () => {
  const slurm = (id: number) => ({
    SLURM_ARRAY_TASK_ID: `${id}`,
    SLURM_ARRAY_TASK_COUNT: '5',
    SLURM_ARRAY_TASK_MIN: '10',
    SLURM_ARRAY_TASK_MAX: '50',
    SLURM_ARRAY_TASK_STEP: '10',
  });

  it.each([
    [{ JOB_COMPLETION_INDEX: '0' }, 8, { shard: 1, of: 8, variable: 'JOB_COMPLETION_INDEX' }],
    [{ JOB_COMPLETION_INDEX: '7' }, 8, { shard: 8, of: 8, variable: 'JOB_COMPLETION_INDEX' }],
    [{ JOB_COMPLETION_INDEX: '7' }, undefined, undefined],
    [slurm(10), undefined, { shard: 1, of: 5, variable: 'SLURM_ARRAY_TASK_ID' }],
    [slurm(40), 5, { shard: 4, of: 5, variable: 'SLURM_ARRAY_TASK_ID' }],
    [
      { AWS_BATCH_JOB_ARRAY_INDEX: '2', AWS_BATCH_JOB_ARRAY_SIZE: '3' },
      undefined,
      { shard: 3, of: 3, variable: 'AWS_BATCH_JOB_ARRAY_INDEX' },
    ],
    [{}, 8, undefined],
  ] as const)('%j with %j shards', (environment, shards, expected) => {
    expect(shardOfArray(environment, shards)).toEqual(expected);
  });

  it.each([
    [{ JOB_COMPLETION_INDEX: '8' }, 8, 'JOB_COMPLETION_INDEX: there is no shard 9 of 8'],
    [{ JOB_COMPLETION_INDEX: 'x' }, 8, 'JOB_COMPLETION_INDEX is set, but JOB_COMPLETION_INDEX is "x", not a number'],
    [slurm(45), undefined, 'SLURM_ARRAY_TASK_ID: there is no shard 4.5 of 5'],
    [slurm(10), 4, '--shards 4, but the array has 5 tasks'],
    [{ SLURM_ARRAY_TASK_ID: '1' }, undefined, 'SLURM_ARRAY_TASK_ID is set, but SLURM_ARRAY_TASK_MIN is not'],
    [{ ...slurm(10), AWS_BATCH_JOB_ARRAY_INDEX: '1' }, undefined, 'are both set; --shard says which'],
  ] as const)('refuses %j with %j shards', (environment, shards, message) => {
    expect(() => shardOfArray(environment, shards)).toThrow(message);
  });
});
