import { expect, test } from 'vitest';
import { countNotIgnored, countPods } from '../../../src/controllers/job/count-pods.ts';
import { planOf } from '../../../src/controllers/job/job-plan.ts';
import { ended, type JobOptions, type JobPodOptions, makeJob, makeJobPod } from '../../builders/make-job.ts';

const TERMINATING = { deletionTimestamp: '2026-01-01T00:00:30Z' };
const NOTHING = { succeeded: [], failed: [] };

function counted(
  options: JobOptions,
  pods: Record<string, JobPodOptions>,
  uncounted = NOTHING,
  awaiting: string[] = [],
) {
  const job = makeJob(options);
  const made = Object.entries(pods).map(([name, pod]) => makeJobPod(job, name, pod));
  const counts = countPods(made, planOf(job), uncounted, new Set(awaiting));
  const names = (list: readonly { readonly metadata?: { readonly name?: string | undefined } | undefined }[]) =>
    list.map(({ metadata }) => metadata?.name);
  const { activePods, ready, terminating, newSucceeded, newFailed } = counts;
  return { active: names(activePods), ready, terminating, succeeded: names(newSucceeded), failed: names(newFailed) };
}

const EVERY_STATE: Record<string, JobPodOptions> = {
  pending: {},
  ready: { phase: 'Running', isReady: true },
  running: { phase: 'Running', isReady: false },
  odd: { phase: 'Unknown' },
  leaving: { phase: 'Running', isReady: true, ...TERMINATING },
  succeeded: { phase: 'Succeeded' },
  'succeeded, leaving': { phase: 'Succeeded', ...TERMINATING },
  failed: { phase: 'Failed' },
  'failed, leaving': { phase: 'Failed', ...TERMINATING },
};

test('each pod is counted once, as what it is', () => {
  expect(counted({}, EVERY_STATE)).toEqual({
    active: ['pending', 'ready', 'running', 'odd'],
    ready: 1,
    terminating: 1,
    succeeded: ['succeeded', 'succeeded, leaving'],
    failed: ['leaving', 'failed', 'failed, leaving'],
  });
});

test.each<[string, JobOptions]>([
  ['replacement policy', { podReplacementPolicy: 'Failed' }],
  ['failure policy', { podFailurePolicy: { rules: [] } }],
])('with a pod %s only a pod whose phase is Failed has failed', (_, options) => {
  expect(counted(options, EVERY_STATE).failed).toEqual(['failed', 'failed, leaving']);
});

test('pods that are recorded as uncounted already, or have no finalizer, are not new', () => {
  const pods = { a: { phase: 'Failed' }, b: { phase: 'Failed', isTracked: false }, c: { phase: 'Succeeded' } };
  expect(counted({}, pods, { succeeded: ['uid-c'], failed: ['uid-a'] } as never)).toMatchObject({
    succeeded: [],
    failed: [],
  });
  expect(counted({}, pods, NOTHING, ['uid-a', 'uid-c'])).toMatchObject({ succeeded: [], failed: [] });
});

test('a pod that was counted as failed on its way out is a new success when it succeeds after all, as upstream', () => {
  const pods = { a: { phase: 'Succeeded', ...TERMINATING } };
  const uncounted = { succeeded: [], failed: ['uid-a'] } as never;
  expect(counted({}, pods, uncounted)).toMatchObject({ succeeded: ['a'], failed: [] });
});

test('of an indexed Job only pods with an index below the completions come to an end', () => {
  const pods = {
    a: { phase: 'Succeeded', index: 1 },
    b: { phase: 'Succeeded', index: 2 },
    c: { phase: 'Failed' },
    d: { phase: 'Failed', index: '-1' },
    e: { phase: 'Failed', index: 'one' },
    f: { phase: 'Failed', index: 0 },
  };
  expect(counted({ completionMode: 'Indexed', completions: 2 }, pods)).toMatchObject({
    succeeded: ['a'],
    failed: ['f'],
  });
});

test('failures that a policy ignores do not count', () => {
  const rules = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [3] } }];
  const job = makeJob({ podFailurePolicy: { rules } });
  const failed = (code: number) =>
    makeJobPod(job, 'p', { status: { phase: 'Failed', containerStatuses: [ended(code)] } });
  expect(countNotIgnored([failed(3), failed(4), failed(3)], planOf(job))).toBe(1);
  expect(countNotIgnored([failed(3), failed(4)], planOf(makeJob()))).toBe(2);
});
