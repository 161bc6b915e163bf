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

describe('the rules for a new Job hold', () => {
  /** A stored Job at rest, with these labels on its template in the place of the generated ones. */
  const labelled = (change: (labels: Record<string, string>) => void): Job => {
    const job = makeJob({ suspend: true });
    const { template, ...spec } = job.spec ?? {};
    const labels = { ...template?.metadata?.labels };
    change(labels);
    return { ...job, spec: { ...spec, template: { ...template, metadata: { labels } } } };
  };
  const LEGACY_SELECTOR = { matchLabels: { 'controller-uid': 'uid-job' } };

  test('to hostnames, when an indexed Job grows', () => {
    const name = 'x'.repeat(61);
    const job = makeJob({ ...INDEXED, metadata: { name, uid: 'u' } });
    expect(texts(job, { completions: 10, parallelism: 10 })).toEqual([]);
    expect(texts(job, { completions: 11, parallelism: 11 })).toEqual([
      `metadata.name: Invalid value: "${name}": will not able to create pod with invalid DNS label: ${name}-10`,
    ]);
  });

  test('to generated labels', () => {
    const { template } = labelled((labels) => delete labels['batch.kubernetes.io/job-name']).spec ?? {};
    expect(texts(makeJob({ suspend: true }), { template })).toEqual([
      "spec.template.metadata.labels[batch.kubernetes.io/job-name]: Required value: must be 'job'",
    ]);
  });

  test.each(['batch.kubernetes.io/job-name', 'batch.kubernetes.io/controller-uid'])(
    'to labels with a prefix only if there were both: without %s',
    (missing) => {
      const job = labelled((labels) => delete labels[missing]);
      const old: Job = { ...job, spec: { ...job.spec, selector: LEGACY_SELECTOR } };
      expect(texts(old, { parallelism: 2 })).toEqual([]);
      const { template } = labelled((labels) => delete labels['job-name']).spec ?? {};
      expect(texts(old, { template })).toEqual([
        "spec.template.metadata.labels[job-name]: Required value: must be 'job'",
      ]);
    },
  );

  test('before those for changes', () => {
    const { template } = labelled((labels) => delete labels['job-name']).spec ?? {};
    const changes = { template, parallelism: -1, completionMode: 'Indexed', selector: {}, completions: undefined };
    expect(texts(makeJob({ completions: 1 }), changes).map((text) => text.slice(0, text.indexOf(': ')))).toEqual([
      'spec.template.metadata.labels[job-name]',
      'spec.parallelism',
      'spec.completions',
      'spec.selector',
      'spec.template',
      'spec.completionMode',
    ]);
  });
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
    ['a suspended Job whose status does not say so yet', { suspend: true, status: STARTED }, true],
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

  test('of a Job at rest is only looked at in its spec: all its metadata may change', () => {
    const job = makeJob({ suspend: true });
    const { template } = job.spec ?? {};
    const metadata = { ...template?.metadata, annotations: { a: 'b' }, finalizers: ['example.com/x'] };
    expect(texts(job, { template: { ...template, metadata } })).toEqual([]);
    const running = makeJob({ status: STARTED });
    const before = running.spec?.template;
    const [problem] = texts(running, {
      template: { ...before, metadata: { ...before?.metadata, annotations: { a: 'b' } } },
    });
    expect(problem).toMatch(/^spec\.template: Invalid value: .*: field is immutable$/);
    const [other] = texts(job, withPodSpec(job, { restartPolicy: 'OnFailure' }));
    expect(other).toMatch(/^spec\.template\.spec: Invalid value: {"containers".*: field is immutable$/);
  });

  test('of a Job at rest may lose its affinity to nodes', () => {
    const zoned = makeJob({ suspend: true, podSpec: { affinity: { nodeAffinity } } });
    expect(texts(zoned, withPodSpec(zoned, { affinity: undefined }))).toEqual([]);
  });
});
