import { expect, test } from 'vitest';
import type { JobCondition, JobStatus } from '../../../src/api/job.ts';
import { recordSuspension } from '../../../src/controllers/job/job-status.ts';
import type { JobSync } from '../../../src/controllers/job/job-sync.ts';
import { atSecond, makeJob } from '../../builders/make-job.ts';
import { SyncBench } from './fake-job-api.ts';

const startTime = atSecond(3);
const suspended: JobCondition = {
  type: 'Suspended',
  status: 'True',
  reason: 'JobSuspended',
  message: 'Job suspended',
  lastTransitionTime: atSecond(5),
};

function record(suspend: boolean, status: JobStatus): { isNews: boolean; status: JobSync['status']; events: string[] } {
  const bench = new SyncBench();
  bench.clock.advance(9000);
  const sync = bench.observe(makeJob({ suspend, status }), []);
  const isNews = recordSuspension(bench.writes, sync);
  return { isNews, status: sync.status, events: bench.api.events };
}

test('a Job that is suspended says so, and its time is taken back', () => {
  const { isNews, status, events } = record(true, { startTime });
  expect(isNews).toBe(true);
  expect(status.startTime).toBeUndefined();
  expect(status.conditions).toMatchObject([{ ...suspended, lastTransitionTime: atSecond(9) }]);
  expect(events).toEqual(['Normal Suspended Job suspended']);
});

test('a Job that goes on starts anew', () => {
  const { isNews, status, events } = record(false, { startTime, conditions: [suspended] });
  expect(isNews).toBe(true);
  expect(status.startTime).toBe(atSecond(9));
  expect(status.conditions).toMatchObject([{ type: 'Suspended', status: 'False', reason: 'JobResumed' }]);
  expect(events).toEqual(['Normal Resumed Job resumed']);
});

test.each<[string, boolean, JobStatus]>([
  ['suspended as before', true, { conditions: [suspended] }],
  ['never suspended', false, { startTime }],
  [
    'running as before',
    false,
    { startTime, conditions: [{ ...suspended, status: 'False', reason: 'JobResumed', message: 'Job resumed' }] },
  ],
])('%s: no news', (_, suspend, before) => {
  const { isNews, status, events } = record(suspend, before);
  expect(isNews).toBe(false);
  expect(status.conditions).toBe(before.conditions);
  expect(status.startTime).toBe(before.startTime);
  expect(events).toEqual([]);
});
