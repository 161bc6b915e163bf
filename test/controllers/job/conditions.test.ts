import { expect, test } from 'vitest';
import { trueConditionOf } from '../../../src/api/job.ts';
import { newCondition, withCondition } from '../../../src/controllers/job/job-status.ts';
import { makeJob } from '../../builders/make-job.ts';

const NOW = Date.UTC(2026, 0, 1, 0, 0, 7, 900);
const suspended = newCondition('Suspended', 'JobSuspended', 'Job suspended', NOW);
const other = newCondition('FailureTarget', 'DeadlineExceeded', 'late', NOW);

test('a new condition is true since now, in whole seconds', () => {
  expect(suspended).toEqual({
    type: 'Suspended',
    status: 'True',
    reason: 'JobSuspended',
    message: 'Job suspended',
    lastProbeTime: '2026-01-01T00:00:07Z',
    lastTransitionTime: '2026-01-01T00:00:07Z',
  });
});

test('only a condition that is true is found', () => {
  const job = makeJob({ status: { conditions: [{ ...suspended, status: 'False' }, other] } });
  expect(trueConditionOf(job, 'Suspended')).toBeUndefined();
  expect(trueConditionOf(job, 'FailureTarget')).toBe(other);
  expect(trueConditionOf(makeJob(), 'Suspended')).toBeUndefined();
});

test('a condition is added, or takes the place of the one of its type', () => {
  expect(withCondition(undefined, suspended)).toEqual([suspended]);
  expect(withCondition([other], suspended)).toEqual([other, suspended]);
  const resumed = { ...suspended, status: 'False' };
  expect(withCondition([suspended, other], resumed)).toEqual([resumed, other]);
});

test('nothing changes when the same is said again, or when what never was is false', () => {
  const list = [suspended];
  expect(withCondition(list, newCondition('Suspended', 'JobSuspended', 'Job suspended', NOW + 5000))).toBe(list);
  expect(withCondition(undefined, { ...suspended, status: 'False' })).toBeUndefined();
});
