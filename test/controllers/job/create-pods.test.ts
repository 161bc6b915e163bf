import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPods } from '../../../src/controllers/job/pod-writes.ts';
import type { BatchOutcome } from '../../../src/controllers/pod-creation.ts';
import { ApiError, internalError } from '../../../src/store/objects/api-error.ts';
import { type JobOptions, makeJob } from '../../builders/make-job.ts';
import { boomOn, SyncBench } from './fake-job-api.ts';

const INDEXED = { completionMode: 'Indexed', completions: 99 };

function create(
  bench: SyncBench,
  count: number,
  indexes?: readonly number[],
  options: JobOptions = indexes === undefined ? {} : INDEXED,
): BatchOutcome {
  const sync = bench.observe(makeJob(options), []);
  return createPods(bench.writes, bench.memory.expectations, sync, count, indexes);
}

test('every pod is created, expected and reported by an event', () => {
  const bench = new SyncBench();
  expect(create(bench, 5)).toEqual({ created: 5, failed: 0, skipped: 0, error: undefined });
  expect(bench.expected).toEqual([5, 0]);
  expect(bench.api.events).toHaveLength(5);
  expect(bench.api.events[0]).toBe('Normal SuccessfulCreate Created pod: job-1');
});

test('pods take the indexes in order', () => {
  const bench = new SyncBench();
  create(bench, 3, [4, 0, 2]);
  expect(bench.api.calls).toEqual(['create job-4-', 'create job-0-', 'create job-2-']);
});

test('the first batch with an error is the last; what was not tried is not expected', () => {
  const bench = new SyncBench();
  let calls = 0;
  bench.api.failing = () => (++calls === 5 ? internalError('boom') : undefined);
  // Batches of 1, 2, 4: the fifth call is in the third.
  expect(create(bench, 10)).toMatchObject({ created: 6, failed: 1, skipped: 3 });
  expect(bench.expected).toEqual([6, 0]);
  expect(bench.api.events.filter((event) => event.includes('FailedCreate'))).toEqual([
    'Warning FailedCreate Error creating: Internal error occurred: boom',
  ]);
});

test('where nothing can be created, one is tried', () => {
  const bench = new SyncBench();
  bench.api.failing = boomOn(/create/);
  const { error, ...counts } = create(bench, 100);
  expect(counts).toEqual({ created: 0, failed: 1, skipped: 99 });
  expect((error as Error).message).toBe('Internal error occurred: boom');
  expect(bench.expected).toEqual([0, 0]);
});

test('a pod without labels is not even tried, and no event is recorded', () => {
  const bench = new SyncBench();
  const template = { spec: { containers: [], restartPolicy: 'Never' } };
  const unlabelled = { manualSelector: true, selector: {}, template };
  const { error, ...counts } = create(bench, 3, undefined, unlabelled);
  expect(counts).toEqual({ created: 0, failed: 1, skipped: 2 });
  expect((error as Error).message).toBe('unable to create pods, no labels');
  expect([bench.api.calls, bench.api.events, bench.expected]).toEqual([[], [], [0, 0]]);
  // With an index the pod has a label.
  expect(create(bench, 3, [0, 1, 2], { ...unlabelled, ...INDEXED })).toMatchObject({ created: 3, failed: 0 });
});

test('a namespace on its way out is no error, and stops nothing', () => {
  const bench = new SyncBench();
  const causes = [{ reason: 'NamespaceTerminating', message: 'gone soon' }];
  bench.api.failing = () => new ApiError('Forbidden', 'no', causes);
  expect(create(bench, 7)).toEqual({ created: 0, failed: 0, skipped: 0, error: undefined });
  expect(bench.api.calls).toHaveLength(7);
  expect(bench.expected).toEqual([7, 0]);
  expect(bench.api.events).toEqual([]);
});

test('tried are whole batches up to the first with an error, and only what exists is expected', () => {
  const arbitraryFailures = fc.uniqueArray(fc.nat(70), { maxLength: 5 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), arbitraryFailures, (count, failures) => {
      const bench = new SyncBench();
      let call = 0;
      bench.api.failing = () => (failures.includes(call++) ? internalError('boom') : undefined);
      const { created, failed, skipped, error } = create(bench, count);
      expect(created + failed + skipped).toBe(count);
      expect(bench.expected).toEqual([created, 0]);
      expect(error === undefined).toBe(failed === 0);
      const tried = created + failed;
      expect(tried === count || Number.isInteger(Math.log2(tried + 1))).toBe(true);
      expect(failed).toBe(failures.filter((position) => position < tried).length);
    }),
  );
});
