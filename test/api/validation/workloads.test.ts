import { describe, expect, it } from 'vitest';
import { validateObject } from '../../../src/api/validation/objects.ts';
import { validateWorkload, type WorkloadKind } from '../../../src/api/validation/workloads.ts';

const metadata = { name: 'x', namespace: 'default' };
const labels = { app: 'x' };
const selector = { matchLabels: labels };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const job = { template: { spec: { ...template.spec, restartPolicy: 'Never' } } };

const VALID: Readonly<Record<WorkloadKind, object>> = {
  Deployment: { selector, template },
  DaemonSet: { selector, template },
  CronJob: { schedule: '@daily', jobTemplate: { spec: job } },
  ControllerRevision: {},
};

function problems(kind: WorkloadKind, spec: object, name = 'x'): string[] {
  const value = { metadata: { ...metadata, name }, revision: 1, spec: { ...VALID[kind], ...spec } };
  return validateWorkload(kind, value).map(({ field, reason }) => `${field}: ${reason}`);
}

describe('validateWorkload', () => {
  it.each(Object.keys(VALID) as WorkloadKind[])('takes a plain %s', (kind) => {
    expect(problems(kind, {})).toEqual([]);
  });

  it.each<[WorkloadKind, object, string]>([
    ['Deployment', { template: undefined }, 'spec.template: is required'],
    ['Deployment', { selector: {} }, 'spec.selector: must hold matchLabels or matchExpressions'],
    ['Deployment', { replicas: -1 }, 'spec.replicas: must be between 0 and 2147483647, not -1'],
    [
      ...(['Deployment', { selector: { matchLabels: { app: 'y' } } }] as const),
      'spec.template.metadata.labels: must be selected by spec.selector',
    ],
    [
      ...(['Deployment', { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } }] as const),
      'spec.template.spec.restartPolicy: unknown restartPolicy of such pods "Never" (known: Always)',
    ],
    [
      ...(['Deployment', { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } }] as const),
      'spec.strategy.rollingUpdate.maxUnavailable: must not be 0 when maxSurge is 0',
    ],
    [
      ...(['Deployment', { strategy: { type: 'Recreate', rollingUpdate: {} } }] as const),
      'spec.strategy.rollingUpdate: must not be set when type is Recreate',
    ],
    [
      ...(['Deployment', { strategy: { rollingUpdate: { maxUnavailable: '101%' } } }] as const),
      'spec.strategy.rollingUpdate.maxUnavailable: must be at most 100%, not 101%',
    ],
    [
      ...(['Deployment', { progressDeadlineSeconds: 5, minReadySeconds: 5 }] as const),
      'spec.progressDeadlineSeconds: must be greater than minReadySeconds',
    ],
    ['CronJob', { schedule: '' }, 'spec.schedule: is required'],
    ['CronJob', { schedule: '* *' }, 'spec.schedule: bad schedule "* *": expected exactly 5 fields, found 2: [* *]'],
    ['CronJob', { schedule: 'TZ=UTC @daily' }, 'spec.schedule: must not name a time zone: spec.timeZone does'],
    ['CronJob', { timeZone: 'Nowhere' }, 'spec.timeZone: unknown time zone "Nowhere"'],
    ['CronJob', { jobTemplate: {} }, 'spec.jobTemplate.spec: is required'],
    [
      ...(['CronJob', { jobTemplate: { spec: { template } } }] as const),
      'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ],
  ])('refuses a %s with %j', (kind, spec, problem) => {
    expect(problems(kind, spec)).toContain(problem);
  });

  it('refuses a CronJob whose Jobs would have too long names', () => {
    expect(problems('CronJob', {}, 'x'.repeat(53))).toEqual(['metadata.name: must be no more than 52 characters']);
  });
});

it('checks the templates of sets that have one', () => {
  const check = (kind: 'ReplicaSet' | 'StatefulSet', spec: object) =>
    validateObject(kind, { metadata, spec }).map(({ field, reason }) => `${field}: ${reason}`);
  expect(check('ReplicaSet', { selector })).toEqual([]);
  expect(check('StatefulSet', { selector })).toEqual([]);
  expect(check('ReplicaSet', { selector, template: {} })).toContain('spec.template.spec: is required');
  expect(check('StatefulSet', { selector, template, ordinals: { start: -1 } })).toEqual([
    'spec.ordinals.start: must be between 0 and 2147483647, not -1',
  ]);
  const claim = { metadata: { name: 'data' }, spec: {} };
  expect(check('StatefulSet', { selector, template, volumeClaimTemplates: [claim] })[0]).toContain(
    'spec.volumeClaimTemplates[0].spec.',
  );
});
