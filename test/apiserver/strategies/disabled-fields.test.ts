import { expect, it } from 'vitest';
import { NO_GROUP_FEATURES } from '../../../src/api/pod-group-admission.ts';
import { dropDisabledFields } from '../../../src/apiserver/strategies/disabled-fields.ts';
import type { ApiObject } from '../../../src/kinds/object/json.ts';

const SPEC = { schedulingGroup: { podGroupName: 'g' }, containers: [] };

const OF_KIND: readonly (readonly [kind: string, object: ApiObject])[] = [
  ['Pod', { spec: SPEC }],
  ['PodTemplate', { template: { spec: SPEC } }],
  ['StatefulSet.apps', { spec: { template: { spec: SPEC } } }],
  ['CronJob.batch', { spec: { jobTemplate: { spec: { template: { spec: SPEC } } } } }],
];

it.each(OF_KIND)('of a %s the group of pods stays if it was there', (kind, given) => {
  const after = (old: ApiObject | undefined, features = NO_GROUP_FEATURES): string => {
    const object = structuredClone(given);
    dropDisabledFields(kind, object, old, features);
    return JSON.stringify(object);
  };
  expect(after(undefined)).not.toContain('schedulingGroup');
  expect(after({})).not.toContain('schedulingGroup');
  expect(after(given)).toContain('schedulingGroup');
  expect(after(undefined, { ...NO_GROUP_FEATURES, GenericWorkload: true })).toContain('schedulingGroup');
});

it('a StatefulSet keeps maxUnavailable only if it had it', () => {
  const given: ApiObject = { spec: { updateStrategy: { rollingUpdate: { partition: 0, maxUnavailable: 2 } } } };
  const after = (old: ApiObject | undefined): string => {
    const object = structuredClone(given);
    dropDisabledFields('StatefulSet.apps', object, old, NO_GROUP_FEATURES);
    return JSON.stringify(object);
  };
  expect(after(undefined)).toBe('{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}');
  expect(after({ spec: {} })).not.toContain('maxUnavailable');
  expect(after(given)).toContain('"maxUnavailable":2');
});

it('fields of a template of groups stay if the template had them', () => {
  const old = { spec: { podGroupTemplates: [{ name: 'a', priority: 1 }, { name: 'b' }] } };
  const next = {
    spec: {
      podGroupTemplates: [
        { name: 'a', priority: 1 },
        { name: 'b', priority: 1 },
      ],
    },
  };
  dropDisabledFields('Workload.scheduling.k8s.io', next, old, NO_GROUP_FEATURES);
  expect(next).toEqual(old);
});

it('the claims in the status of a group stay if its spec names claims', () => {
  const status = { resourceClaimStatuses: [{ name: 'c', resourceClaimName: 'x' }] };
  const kept = (spec: ApiObject): unknown => {
    const object: ApiObject = { spec, status: { ...status } };
    dropDisabledFields('PodGroup.scheduling.k8s.io', object, { spec }, NO_GROUP_FEATURES);
    return object['status'];
  };
  expect([kept({}), kept({ resourceClaims: [{ name: 'c' }] })]).toEqual([{}, status]);
});
