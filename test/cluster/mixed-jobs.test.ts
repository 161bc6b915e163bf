import { beforeAll, describe, expect, test } from 'vitest';
import type { Job } from '../../src/api/job.ts';
import { Prng } from '../../src/lib/prng.ts';
import { runs } from '../builders/runs.ts';
import { drawJobs } from './mixed-jobs/draw-jobs.ts';
import { impliedStatus } from './mixed-jobs/implied-status.ts';
import { JobRun, statusReached } from './mixed-jobs/run-jobs.ts';

const SEED = 7;
const COUNT = runs(2500);

/** Watches here read nothing until they are asked to: their history holds everything. */
const HISTORY_LIMIT = 1_000_000;

function runJobs(count: number, seed: number): JobRun {
  return new JobRun(drawJobs(count, new Prng(seed)), { seed, historyLimit: HISTORY_LIMIT });
}

describe(`${COUNT} Jobs of all kinds, seed ${SEED}`, () => {
  const jobs = drawJobs(COUNT, new Prng(SEED));
  let run: JobRun;
  beforeAll(() => {
    run = runJobs(jobs.length, SEED);
  }, 120_000);

  test('come to what their specifications imply', () => {
    const wrong = jobs.filter(({ name, spec, script }) => {
      const reached = statusReached(run.lastSeen.get(name) as Job);
      return JSON.stringify(reached) !== JSON.stringify(impliedStatus(spec, script));
    });
    expect(
      wrong.slice(0, 3).map(({ name, spec, script }) => ({
        name,
        reached: statusReached(run.lastSeen.get(name) as Job),
        implied: impliedStatus(spec, script),
      })),
    ).toEqual([]);
  });

  test('are of every kind', () => {
    const types = new Map<string, number>();
    for (const { spec, script } of jobs) {
      const { type, reason } = impliedStatus(spec, script);
      types.set(`${type} ${reason}`, (types.get(`${type} ${reason}`) ?? 0) + 1);
    }
    expect([...types.keys()].sort()).toEqual([
      'Complete CompletionsReached',
      'Complete SuccessPolicy',
      'Failed BackoffLimitExceeded',
      'Failed DeadlineExceeded',
      'Failed FailedIndexes',
      'Failed MaxFailedIndexesExceeded',
      'Failed PodFailurePolicy',
      'Suspended JobSuspended',
    ]);
    expect(run.cluster.log.lineCount).toBeGreaterThan(COUNT * 10);
  });

  test('are deleted when their time to live is over, and only then', () => {
    for (const { name, spec, script } of jobs) {
      const isFinished = impliedStatus(spec, script).type !== 'Suspended';
      expect(run.gone.has(name), name).toBe(isFinished && spec.ttlSecondsAfterFinished !== undefined);
    }
  });

  test('leave no pod of theirs in work', () => {
    const { items } = run.cluster.store.list('pods');
    const inWork = items.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed');
    expect(inWork.map(({ metadata }) => metadata?.name)).toEqual([]);
  });
});

test('one seed, one log, byte for byte; another seed, another log', () => {
  const [first, again, other] = [runJobs(300, 1), runJobs(300, 1), runJobs(300, 2)].map(({ cluster }) => cluster.log);
  expect(again?.hash()).toBe(first?.hash());
  expect(again?.lineCount).toBe(first?.lineCount);
  expect(other?.hash()).not.toBe(first?.hash());
});
