import { describe, expect, test } from 'vitest';
import type { Job, JobSpec } from '../../src/api/job.ts';
import { defaultJob, prepareJobUpdate, prepareNewJob } from '../../src/api/job-defaults.ts';
import { submittedJob } from '../builders/make-job.ts';

const specOf = (spec: JobSpec): JobSpec => defaultJob({ metadata: { name: 'j' }, spec }).spec ?? {};

describe('defaults', () => {
  test('a Job that says nothing runs one pod to one completion', () => {
    expect(specOf({})).toMatchObject({
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      manualSelector: false,
      podReplacementPolicy: 'TerminatingOrFailed',
    });
  });

  test('a work queue has no completions', () => {
    expect(specOf({ parallelism: 3 })).not.toHaveProperty('completions');
    expect(specOf({ completions: 3 })).toMatchObject({ parallelism: 1, completions: 3 });
  });

  test('with a limit per index the whole Job has none', () => {
    expect(specOf({ backoffLimitPerIndex: 2 }).backoffLimit).toBe(2147483647);
    expect(specOf({ backoffLimitPerIndex: 2, backoffLimit: 3 }).backoffLimit).toBe(3);
  });

  test('a pod failure policy waits for pods to fail; its conditions are true', () => {
    const rules = [
      { action: 'Ignore', onPodConditions: [{ type: 'A' }, { type: 'B', status: 'False' }] },
      { action: 'Count', onExitCodes: { operator: 'In', values: [1] } },
    ];
    const spec = specOf({ podFailurePolicy: { rules } });
    expect(spec.podReplacementPolicy).toBe('Failed');
    expect(spec.podFailurePolicy?.rules?.[0]?.onPodConditions).toEqual([
      { type: 'A', status: 'True' },
      { type: 'B', status: 'False' },
    ]);
    expect(spec.podFailurePolicy?.rules?.[1]).toBe(rules[1]);
  });

  test('what is filled in is not filled in again', () => {
    const once = defaultJob(submittedJob({ parallelism: 2, podFailurePolicy: { rules: [] } }));
    expect(defaultJob(once)).toEqual(once);
  });
});

const prepared = (job: Job): Job => prepareNewJob(defaultJob({ ...job, metadata: { ...job.metadata, uid: 'u-1' } }));
const GENERATED = {
  'job-name': 'job',
  'batch.kubernetes.io/job-name': 'job',
  'controller-uid': 'u-1',
  'batch.kubernetes.io/controller-uid': 'u-1',
};

describe('a new Job', () => {
  test('selects its pods by its uid', () => {
    const job = prepared(submittedJob({ status: { active: 7 } }));
    expect(job.metadata?.generation).toBe(1);
    expect(job.metadata?.labels).toBeUndefined();
    expect(job.status).toEqual({});
    expect(job.spec?.selector).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': 'u-1' } });
    expect(job.spec?.template?.metadata?.labels).toEqual(GENERATED);
  });

  test('takes over labels that its template was given, with those added to them', () => {
    const template = { metadata: { labels: { team: 'a' } }, spec: {} };
    expect(prepared(submittedJob({ template })).metadata?.labels).toEqual({ team: 'a', ...GENERATED });
    const metadata = { labels: { own: 'x' } };
    expect(prepared(submittedJob({ template, metadata })).metadata?.labels).toEqual({ own: 'x' });
  });

  test('keeps a selector of the user’s, if he says so', () => {
    const selector = { matchLabels: { app: 'x' } };
    const template = { metadata: { labels: { app: 'x' } }, spec: {} };
    const { spec, metadata } = prepared(submittedJob({ manualSelector: true, selector, template }));
    expect(spec?.selector).toEqual(selector);
    expect(spec?.template?.metadata?.labels).toEqual({ app: 'x' });
    expect(metadata?.labels).toEqual({ app: 'x' });
  });

  test('leaves labels that contradict for validation to refuse', () => {
    const template = { metadata: { labels: { 'job-name': 'other' } }, spec: {} };
    const { spec } = prepared(submittedJob({ template }));
    expect(spec?.template?.metadata?.labels).toEqual({ ...GENERATED, 'job-name': 'other' });
  });
});

describe('an update', () => {
  const stored: Job = { ...prepared(submittedJob({ parallelism: 2 })), status: { active: 2 } };

  test('counts as a new generation when the spec changes', () => {
    const changed = { ...stored, spec: { ...stored.spec, parallelism: 3 }, status: { active: 9 } };
    expect(prepareJobUpdate(changed, stored)).toMatchObject({ metadata: { generation: 2 }, status: { active: 2 } });
  });

  test('does not when anything else changes', () => {
    const metadata = { ...stored.metadata, labels: { a: 'b' }, generation: 77 };
    const same = { ...stored, metadata, spec: { ...stored.spec, podFailurePolicy: undefined } };
    expect(prepareJobUpdate(same, stored).metadata).toMatchObject({ generation: 1, labels: { a: 'b' } });
  });
});
