import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { planOf } from '../../../src/controllers/job/job-plan.ts';
import { NewPods } from '../../../src/controllers/job/new-pods.ts';
import { ended, type JobOptions, makeJob, makeJobPod } from '../../builders/make-job.ts';

const FAILURES = 'batch.kubernetes.io/job-index-failure-count';
const IGNORED = 'batch.kubernetes.io/job-index-ignored-failure-count';
const INDEX = 'batch.kubernetes.io/job-completion-index';
const TRACKING = 'batch.kubernetes.io/job-tracking';
const INDEXED = { completionMode: 'Indexed', completions: 9 };

const newPods = (options: JobOptions = {}): NewPods => {
  const job = makeJob(options);
  return new NewPods(job, planOf(job));
};

test('a pod is made from the template, is tracked, and belongs to the Job', () => {
  const template = {
    metadata: { labels: { app: 'x' }, annotations: { note: 'n' }, finalizers: ['example.com/keep'] },
    spec: { containers: [{ name: 'main', image: 'app:1' }], restartPolicy: 'Never' },
  };
  const { metadata, spec } = newPods({ template }).withoutIndex();
  expect(metadata).toMatchObject({
    generateName: 'job-',
    namespace: 'default',
    annotations: { note: 'n' },
    labels: { app: 'x', 'batch.kubernetes.io/job-name': 'job' },
    finalizers: ['example.com/keep', TRACKING],
    ownerReferences: [
      { apiVersion: 'batch/v1', kind: 'Job', name: 'job', uid: 'uid-job', controller: true, blockOwnerDeletion: true },
    ],
  });
  expect(spec).toMatchObject({ restartPolicy: 'Never', containers: [{ name: 'main', image: 'app:1' }] });
  expect(spec?.containers?.[0]?.env).toBeUndefined();
});

describe('a pod with an index', () => {
  test('learns it from annotation, label, hostname, name and environment', () => {
    const podSpec = {
      initContainers: [{ name: 'init', image: 'app:1' }],
      containers: [
        { name: 'a', image: 'app:1', env: [{ name: 'X', value: '1' }] },
        { name: 'b', image: 'app:1', env: [{ name: 'JOB_COMPLETION_INDEX', value: 'mine' }] },
      ],
    };
    const { metadata, spec } = newPods({ ...INDEXED, podSpec }).withIndex(7, undefined);
    expect(metadata).toMatchObject({ generateName: 'job-7-', annotations: { [INDEX]: '7' }, labels: { [INDEX]: '7' } });
    expect(metadata?.annotations).not.toHaveProperty(FAILURES);
    expect(spec?.hostname).toBe('job-7');
    const fieldRef = { fieldPath: `metadata.labels['${INDEX}']` };
    const reported = { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef } };
    expect(spec?.initContainers?.[0]?.env).toEqual([reported]);
    expect(spec?.containers?.map(({ env }) => env)).toEqual([
      [{ name: 'X', value: '1' }, reported],
      [{ name: 'JOB_COMPLETION_INDEX', value: 'mine' }],
    ]);
  });

  test.each([
    [50, 'a'.repeat(50)],
    [55, 'a'.repeat(55)],
    [63, 'a'.repeat(55)],
  ])('has a name that leaves room for five characters: of %i characters', (length, beginning) => {
    const pod = newPods({ ...INDEXED, name: 'a'.repeat(length) }).withIndex(3, undefined);
    expect(pod.metadata?.generateName).toBe(`${beginning}-3-`);
    expect(pod.spec?.hostname).toBe(`${'a'.repeat(length)}-3`);
  });
});

describe('failure counts', () => {
  const rules = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [3] } }];
  const replaced = (exitCode: number, annotations: Record<string, string>): Pod =>
    makeJobPod(makeJob(), 'p', { annotations, status: { phase: 'Failed', containerStatuses: [ended(exitCode)] } });

  test.each<[string, Pod | undefined, Record<string, string>]>([
    ['a first pod', undefined, { [FAILURES]: '0' }],
    ['after a failure', replaced(1, { [FAILURES]: '2' }), { [FAILURES]: '3' }],
    ['after an ignored one', replaced(3, { [FAILURES]: '2' }), { [FAILURES]: '2', [IGNORED]: '1' }],
    ['after both', replaced(1, { [FAILURES]: '2', [IGNORED]: '4' }), { [FAILURES]: '3', [IGNORED]: '4' }],
    ['after nonsense', replaced(1, { [FAILURES]: 'x', [IGNORED]: '-4' }), { [FAILURES]: '1' }],
  ])('%s', (_, pod, expected) => {
    const made = newPods({ ...INDEXED, backoffLimitPerIndex: 9, podFailurePolicy: { rules } }).withIndex(1, pod);
    expect(made.metadata?.annotations).toEqual({ [INDEX]: '1', ...expected });
  });
});
