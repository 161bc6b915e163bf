import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JobStatus } from '../../../src/api/job.ts';
import { firstPendingIndexes } from '../../../src/controllers/job/job-indexes.ts';
import type { SyncIndexes } from '../../../src/controllers/job/job-sync.ts';
import { completionIndexOf } from '../../../src/controllers/job/pod-state.ts';
import { ended, type JobOptions, type JobPodOptions, makeJob, makeJobPod } from '../../builders/make-job.ts';
import { SyncBench } from './fake-job-api.ts';

const FAILURES = 'batch.kubernetes.io/job-index-failure-count';
const IGNORED = 'batch.kubernetes.io/job-index-ignored-failure-count';
const TERMINATING = { deletionTimestamp: '2026-01-01T00:00:30Z' };

function found(options: JobOptions, status: JobStatus, pods: readonly JobPodOptions[], pending = 99) {
  const job = makeJob({ completionMode: 'Indexed', completions: 6, ...options, status });
  const made = pods.map((pod, i) => makeJobPod(job, `p${i}`, pod));
  const sync = new SyncBench().observe(job, made);
  const { succeededBefore, succeeded, failed, awaitingReplacement } = sync.indexes as SyncIndexes;
  const awaiting = [...awaitingReplacement].map(([index, pod]) => `${index}: ${pod.metadata?.name}`);
  return {
    succeededBefore: `${succeededBefore}`,
    succeeded: `${succeeded}`,
    failed: failed && `${failed}`,
    awaiting,
    pending: firstPendingIndexes(sync, sync.indexes as SyncIndexes, pending),
  };
}

describe('the index of a pod', () => {
  test.each([
    ['0', 0],
    ['12', 12],
    ['+3', 3],
    ['007', 7],
    ['-1', -1],
    ['', -1],
    ['1.5', -1],
    ['1e3', -1],
    [' 1', -1],
    [undefined, -1],
  ])('annotation %j: %i', (index, expected) => {
    expect(completionIndexOf(makeJobPod(makeJob(), 'p', index === undefined ? {} : { index }))).toBe(expected);
  });
});

describe('succeeded indexes', () => {
  test('are those of the status and of tracked pods, below the completions', () => {
    const pods = [
      { phase: 'Succeeded', index: 2 },
      { phase: 'Succeeded', index: 4, isTracked: false },
      { phase: 'Succeeded', index: 6 },
      { phase: 'Running', index: 5 },
    ];
    expect(found({}, { completedIndexes: '0,7' }, pods)).toMatchObject({
      succeededBefore: '0',
      succeeded: '0,2',
      failed: undefined,
    });
  });
});

describe('failed indexes', () => {
  const options = { backoffLimitPerIndex: 1 };

  test('are those whose pods failed once too often', () => {
    const pods = [
      { phase: 'Failed', index: 0, annotations: { [FAILURES]: '1' } },
      { phase: 'Failed', index: 1, annotations: { [FAILURES]: '0' } },
      { phase: 'Failed', index: 2, annotations: { [FAILURES]: '1' }, isTracked: false },
      { phase: 'Running', index: 3, annotations: { [FAILURES]: '5' } },
      { phase: 'Failed', index: 5, annotations: { [FAILURES]: 'many', [IGNORED]: '7' } },
    ];
    expect(found(options, { failedIndexes: '4' }, pods)).toMatchObject({ failed: '0,4', awaiting: ['1: p1', '5: p4'] });
  });

  test('keep one whose pod was on its way out, also when that pod succeeds: upstream names it twice', () => {
    const pods = [{ phase: 'Succeeded', index: 1, ...TERMINATING }];
    const status = { failedIndexes: '1', uncountedTerminatedPods: { failed: ['uid-p0'] } };
    expect(found({ backoffLimitPerIndex: 0 }, status, pods)).toMatchObject({ failed: '1', succeeded: '1' });
  });

  test('are made by FailIndex at once, and never by an ignored failure', () => {
    const rule = (action: string, code: number) => ({ action, onExitCodes: { operator: 'In', values: [code] } });
    const podFailurePolicy = { rules: [rule('FailIndex', 3), rule('Ignore', 4)] };
    const pod = (index: number, code: number) => ({
      index,
      annotations: { [FAILURES]: index === 0 ? '0' : '9' },
      status: { phase: 'Failed', containerStatuses: [ended(code)] },
    });
    const { failed } = found({ ...options, podFailurePolicy }, {}, [pod(0, 3), pod(1, 4), pod(2, 5)]);
    expect(failed).toBe('0,2');
  });

  test('keep the last failed pod of an index that has not succeeded or failed', () => {
    const failed = (index: number, failures: number, second: number): JobPodOptions => ({
      index,
      annotations: { [FAILURES]: String(failures) },
      status: { phase: 'Failed', containerStatuses: [ended(1, second)] },
    });
    const pods = [
      failed(0, 0, 1),
      failed(0, 0, 3),
      failed(0, 0, 2),
      failed(1, 0, 1),
      { phase: 'Running', index: 1 },
      failed(2, 0, 1),
    ];
    expect(found({ backoffLimitPerIndex: 5 }, { completedIndexes: '2' }, pods).awaiting).toEqual(['0: p1']);
  });
});

describe('pending indexes', () => {
  test('are the lowest that are neither done nor active', () => {
    const pods = [{ index: 1 }, { phase: 'Succeeded', index: 3 }, { index: 4, phase: 'Running', ...TERMINATING }];
    expect(found({}, {}, pods).pending).toEqual([0, 2, 4, 5]);
    expect(found({}, {}, pods, 2).pending).toEqual([0, 2]);
    expect(found({}, {}, pods, 0).pending).toEqual([]);
  });

  test('are not those of pods that still have to fail, when only failed pods are replaced', () => {
    const pods = [{ index: 4, phase: 'Running', ...TERMINATING }];
    expect(found({ podReplacementPolicy: 'Failed' }, {}, pods).pending).toEqual([0, 1, 2, 3, 5]);
  });

  test('are not failed ones', () => {
    expect(found({ backoffLimitPerIndex: 0 }, { failedIndexes: '0-4' }, []).pending).toEqual([5]);
  });

  test('never hold an index twice, or one that is taken', () => {
    const phase = fc.constantFrom('Pending', 'Running', 'Succeeded');
    const pod = fc.record({ index: fc.integer({ min: -1, max: 8 }), phase });
    fc.assert(
      fc.property(fc.array(pod, { maxLength: 12 }), fc.nat(8), (pods, count) => {
        const { pending } = found({}, {}, pods, count);
        const taken = new Set(pods.map(({ index }) => index));
        expect(new Set(pending).size).toBe(pending.length);
        expect(pending.every((index) => index >= 0 && index < 6 && !taken.has(index))).toBe(true);
        const free = [0, 1, 2, 3, 4, 5].filter((index) => !taken.has(index));
        expect(pending).toEqual(free.slice(0, count));
      }),
    );
  });
});
