import { expect, test } from 'vitest';
import { GarbageApi } from '../../../src/controllers/garbage-collector/garbage-api.ts';
import type { StoreClient } from '../../../src/store/objects/store-client.ts';

const api = new GarbageApi({} as StoreClient);

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
  expect(api.resourceOf({ kind, apiVersion })?.resource).toBe(resource);
});
