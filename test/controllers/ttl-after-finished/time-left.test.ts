import { expect, test } from 'vitest';
import type { Job } from '../../../src/api/job.ts';
import { millisLeft, needsCleanup } from '../../../src/controllers/ttl-after-finished/time-left.ts';

const NOW_MILLIS = Date.UTC(2026, 0, 1);

function job(
  type: string,
  status: string,
  lastTransitionTime?: string,
  ttlSecondsAfterFinished: number | null = 60,
): Job {
  return {
    metadata: { name: 'j', namespace: 'default' },
    spec: ttlSecondsAfterFinished === null ? {} : { ttlSecondsAfterFinished },
    status: { conditions: [{ type, status, lastTransitionTime }] },
  };
}

test.each([
  ['Complete', 'True', 60, true],
  ['Failed', 'True', 0, true],
  ['Failed', 'True', null, false],
  ['Complete', 'False', 60, false],
  ['Suspended', 'True', 60, false],
])('a Job with %s=%s and %s seconds to live needs cleanup: %s', (type, status, ttl, needs) => {
  expect(needsCleanup(job(type, status, undefined, ttl))).toBe(needs);
});

test('a Job that is being deleted already does not', () => {
  const deleted = { ...job('Complete', 'True'), metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
  expect(needsCleanup(deleted)).toBe(false);
});

test('its time runs from the end', () => {
  expect(millisLeft(job('Complete', 'True', '2025-12-31T23:59:50Z'), NOW_MILLIS)).toBe(50_000);
  expect(millisLeft(job('Failed', 'True', '2025-12-31T23:58:50Z'), NOW_MILLIS)).toBe(-10_000);
});

test('an end without a time is an error', () => {
  expect(() => millisLeft(job('Failed', 'True'), NOW_MILLIS)).toThrow(
    'job default/j: status.conditions: nothing says when it became Failed',
  );
});
