import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { nextBackOffRecord, remainingBackOffMillis } from '../../../src/controllers/job/back-off.ts';
import { ended, makeJob, makeJobPod } from '../../builders/make-job.ts';

const START_MILLIS = Date.UTC(2026, 0, 1);
const job = makeJob();
const endedAt = (second: number): Pod =>
  makeJobPod(job, `p${second}`, {
    phase: 'Failed',
    status: { phase: 'Failed', containerStatuses: [ended(1, second)] },
  });
const at = (second: number): number => START_MILLIS + second * 1000;

describe('the record', () => {
  test.each([
    ['counts failures', 2, [], [4, 3], { failures: 4, lastFailureMillis: at(4) }],
    ['stays without news', 2, [], [], { failures: 2, lastFailureMillis: at(1) }],
    ['is reset by a success', 2, [9], [], { failures: 0, lastFailureMillis: undefined }],
    ['counts failures after the last success', 2, [3, 5], [4, 5, 6, 7], { failures: 2, lastFailureMillis: at(7) }],
    ['forgets failures before the last success', 2, [5], [4, 5], { failures: 0, lastFailureMillis: undefined }],
  ])('%s', (_, failures, succeeded, failed, expected) => {
    const before = { failures, lastFailureMillis: at(1) };
    expect(nextBackOffRecord(before, succeeded.map(endedAt), failed.map(endedAt))).toEqual(expected);
  });

  test('begins with nothing', () => {
    expect(nextBackOffRecord(undefined, [], [])).toEqual({ failures: 0, lastFailureMillis: undefined });
  });
});

describe('the delay', () => {
  test.each([
    [0, 0],
    [1, 10],
    [2, 20],
    [6, 320],
    [7, 600],
    [100, 600],
  ])('after %i failures is %i s', (failures, seconds) => {
    expect(remainingBackOffMillis({ failures, lastFailureMillis: at(0) }, at(0))).toBe(seconds * 1000);
  });

  test('is over when exactly that time has passed', () => {
    const record = { failures: 1, lastFailureMillis: at(0) };
    expect(remainingBackOffMillis(record, at(10) - 1)).toBe(1);
    expect(remainingBackOffMillis(record, at(10))).toBe(0);
    expect(remainingBackOffMillis(record, at(11))).toBe(0);
  });

  test('never shrinks with more failures, and is never above ten minutes', () => {
    fc.assert(
      fc.property(fc.nat(2000), fc.nat(1200), (failures, second) => {
        const remaining = (count: number) =>
          remainingBackOffMillis({ failures: count, lastFailureMillis: at(0) }, at(second));
        expect(remaining(failures)).toBeLessThanOrEqual(remaining(failures + 1));
        expect(remaining(failures)).toBeLessThanOrEqual(600_000);
      }),
    );
  });
});
