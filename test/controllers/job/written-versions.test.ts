import { beforeEach, expect, test } from 'vitest';
import { WrittenVersions } from '../../../src/controllers/job/written-versions.ts';

const KEY = 'default/job';
let seen = { pods: '1', jobs: '1' };
let versions: WrittenVersions;

beforeEach(() => {
  seen = { pods: '1', jobs: '1' };
  versions = new WrittenVersions({ pods: () => seen.pods, jobs: () => seen.jobs });
});

const check = (key = KEY) => versions.checkSeen(key);

test('a cache that is older than the last write is refused, until it has caught up', () => {
  versions.wrote(KEY, 'uid', 'pods', '9');
  versions.wrote(KEY, 'uid', 'pods', '12');
  versions.wrote(KEY, 'uid', 'pods', '10');
  seen.pods = '11';
  expect(() => check()).toThrow('read version: 11 is not as new as written version: 12 for group resource pods');
  seen.pods = '12';
  check();
});

test('both caches are asked; other Jobs are not concerned', () => {
  versions.wrote(KEY, 'uid', 'jobs', '7');
  expect(() => check()).toThrow('read version: 1 is not as new as written version: 7 for group resource jobs.batch');
  check('default/other');
  seen.jobs = '100';
  check();
});

test('what was seen is not asked again', () => {
  versions.wrote(KEY, 'uid', 'pods', '5');
  seen.pods = '5';
  check();
  seen.pods = '1';
  check();
});

test('a cache that has seen nothing is older than everything', () => {
  seen.pods = '';
  versions.wrote(KEY, 'uid', 'pods', '5');
  expect(() => check()).toThrow('read version is not synced (written version: 5) for group resource pods');
});

test('what was written for a Job that is gone, or for another one of its name, does not matter', () => {
  versions.wrote(KEY, 'uid', 'pods', '5');
  versions.forget(KEY);
  check();
  versions.wrote(KEY, 'uid', 'pods', '50');
  versions.wrote(KEY, 'new uid', 'jobs', '2');
  seen.jobs = '2';
  check();
});

test('what is no version holds nobody up', () => {
  versions.wrote(KEY, 'uid', 'pods', undefined);
  versions.wrote(KEY, 'uid', 'jobs', 'v17');
  check();
});
