import { describe, expect, test } from 'vitest';
import type { Job, JobSpec, JobStatus } from '../../../src/api/job.ts';
import type { PodSpec } from '../../../src/api/pod.ts';
import { validateJobUpdate } from '../../../src/api/validation/job-update.ts';
import { type JobOptions, makeJob } from '../../builders/make-job.ts';

const texts = (stored: Job, spec: JobSpec): string[] =>
  validateJobUpdate({ ...stored, spec: { ...stored.spec, ...spec } }, stored).map(
    ({ field, reason }) => `${field}: ${reason}`,
  );
const INDEXED: JobOptions = { completionMode: 'Indexed', completions: 5, parallelism: 5 };
const IMMUTABLE = 'field is immutable';
const IGNORE_3 = { action: 'Ignore', onExitCodes: { operator: 'In', values: [3] } };

test('what a user may change at any time', () => {
  const changes = {
    parallelism: 9,
    suspend: true,
    activeDeadlineSeconds: 7,
    backoffLimit: 0,
    ttlSecondsAfterFinished: 3,
  };
  expect(texts(makeJob({ completions: 5 }), changes)).toEqual([]);
});

test('the new spec must be valid, too', () => {
  expect(texts(makeJob(), { parallelism: -1 })).toEqual([
    'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
  ]);
});

describe('completions', () => {
  test('of an indexed Job change together with parallelism', () => {
    expect(texts(makeJob(INDEXED), { completions: 7, parallelism: 7 })).toEqual([]);
    expect(texts(makeJob(INDEXED), { completions: 7 })).toEqual([
      'spec.completions: Invalid value: 7: can only be modified in tandem with spec.parallelism',
    ]);
    expect(texts(makeJob(INDEXED), { completions: undefined })).toEqual([
      'spec.completions: Required value: when completion mode is Indexed',
    ]);
  });

  test('of other Jobs never change', () => {
    expect(texts(makeJob({ completions: 5 }), { completions: 6, parallelism: 6 })).toEqual([
      `spec.completions: Invalid value: 6: ${IMMUTABLE}`,
    ]);
  });
});

test.each<[string, JobOptions, JobSpec]>([
  ['completionMode', {}, { completionMode: 'Indexed' }],
  ['managedBy', {}, { managedBy: 'example.com/x' }],
  ['backoffLimitPerIndex', INDEXED, { backoffLimitPerIndex: 1 }],
  ['successPolicy', INDEXED, { successPolicy: { rules: [{ succeededCount: 1 }] } }],
  ['podFailurePolicy', { podReplacementPolicy: 'Failed' }, { podFailurePolicy: { rules: [IGNORE_3] } }],
  ['selector', {}, { selector: { matchLabels: { 'job-name': 'job' } } }],
])('%s never changes', (field, options, change) => {
  const problems = texts(makeJob({ completions: 1, ...options }), change);
  expect(problems.some((text) => text.startsWith(`spec.${field}: `) && text.endsWith(IMMUTABLE))).toBe(true);
});

describe('the template', () => {
  const SUSPENDED: JobStatus = { conditions: [{ type: 'Suspended', status: 'True' }] };
  const STARTED: JobStatus = { startTime: '2026-01-01T00:00:00Z' };
  const withPodSpec = (job: Job, change: PodSpec): JobSpec => {
    const { template } = job.spec ?? {};
    return { template: { ...template, spec: { ...template?.spec, ...change } } };
  };
  const resources = (job: Job): PodSpec => ({
    containers: job.spec?.template?.spec?.containers?.map((it) => ({ ...it, resources: { requests: { cpu: '2' } } })),
  });
  const ZONED = { matchExpressions: [{ key: 'zone', operator: 'Exists' as const }] };
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [ZONED] } };
  const isRefused = (options: JobOptions, change: (job: Job) => PodSpec): boolean => {
    const job = makeJob(options);
    return texts(job, withPodSpec(job, change(job))).some((text) => text.endsWith(IMMUTABLE));
  };

  test.each<[string, JobOptions, boolean]>([
    ['a Job that runs', { status: STARTED }, true],
    ['a suspended Job that never started', { suspend: true }, false],
    ['a suspended Job that has come to rest', { suspend: true, status: { ...STARTED, ...SUSPENDED } }, false],
    ['a suspended Job that is not told so yet', { suspend: true, status: STARTED }, true],
    ['a suspended Job with a pod', { suspend: true, status: { ...SUSPENDED, active: 1 } }, true],
  ])('of %s', (_, options, refused) => {
    expect(isRefused(options, () => ({ nodeSelector: { zone: 'a' } }))).toBe(refused);
    expect(isRefused(options, () => ({ tolerations: [{ operator: 'Exists' }] }))).toBe(refused);
    expect(isRefused(options, () => ({ schedulingGates: [{ name: 'x' }] }))).toBe(refused);
    expect(isRefused(options, () => ({ affinity: { nodeAffinity } }))).toBe(refused);
    expect(isRefused(options, resources)).toBe(refused);
  });

  test('never changes in anything else', () => {
    const options = { suspend: true };
    expect(isRefused(options, () => ({ containers: [{ name: 'main', image: 'other:1' }] }))).toBe(true);
    expect(isRefused(options, () => ({ restartPolicy: 'OnFailure' }))).toBe(true);
    const podAffinityTerm = { topologyKey: 'zone' };
    const podAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [podAffinityTerm] };
    expect(isRefused(options, () => ({ affinity: { podAffinity } }))).toBe(true);
  });
});
