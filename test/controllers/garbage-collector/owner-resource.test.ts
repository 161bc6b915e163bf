import { expect, test } from 'vitest';
import { ownerResource } from '../../../src/controllers/garbage-collector/owners.ts';

test.each([
  ['Job', 'batch/v1', 'jobs'],
  ['Job', 'batch/v1beta1', undefined],
  ['Job', 'v1', undefined],
  ['Job', 'example.com/v1', undefined],
  ['Pod', 'v1', 'pods'],
  ['Pod', undefined, 'pods'],
  ['ReplicaSet', 'apps/v1', 'replicasets'],
  ['CronJob', 'batch/v1', 'cronjobs'],
  ['Deployment', 'apps/v1', 'deployments'],
  ['Widget', 'example.com/v1', undefined],
])('%s of %s is in %s', (kind, apiVersion, resource) => {
  expect(ownerResource({ kind, apiVersion, name: 'x', uid: 'x' })).toBe(resource);
});
