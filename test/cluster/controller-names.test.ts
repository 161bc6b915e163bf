import { expect, it } from 'vitest';
import { isControllerEnabled, isControllerItem } from '../../src/cluster/controller-names.ts';

it.each([
  [['*'], true, true],
  [['*'], false, false],
  [[], true, false],
  [['job'], false, true],
  [['job-controller'], false, true],
  [['*', '-job-controller'], true, false],
  [['-job', '*'], true, false],
  [['job', '-job'], true, true],
  [['deployment-controller'], true, false],
])('%j, by default %s: the job controller runs: %s', (items, isDefault, runs) => {
  expect(isControllerEnabled('job-controller', items, isDefault)).toBe(runs);
});

it('knows names, old names, exclusions and all', () => {
  expect(['*', 'job', '-podgc', '-node-lifecycle-controller'].every(isControllerItem)).toBe(true);
  expect(['', '-', '-*', 'jobs', 'toString'].some(isControllerItem)).toBe(false);
});
