import { expect, test } from 'vitest';
import type { SuccessPolicyRule } from '../../../src/api/job.ts';
import { IndexIntervals } from '../../../src/controllers/job/index-intervals.ts';
import { matchSuccessPolicy } from '../../../src/controllers/job/policies.ts';

const never: SuccessPolicyRule = { succeededCount: 10 };

test.each<[string, string, SuccessPolicyRule[], number | undefined]>([
  ['all of the named indexes', '0-3', [{ succeededIndexes: '1-3' }], 0],
  ['one named index is missing', '0-2', [{ succeededIndexes: '1-3' }], undefined],
  ['so many of the named ones', '0-2', [{ succeededIndexes: '1-3', succeededCount: 2 }], 0],
  ['too few of the named ones', '0,1,5', [{ succeededIndexes: '1-3', succeededCount: 2 }], undefined],
  ['so many of any', '0,5', [{ succeededCount: 2 }], 0],
  ['too few of any', '0', [{ succeededCount: 2 }], undefined],
  ['the first rule that matches', '0,1', [never, { succeededIndexes: '1' }, { succeededCount: 1 }], 1],
  ['nothing has succeeded', '', [{ succeededCount: 0 }], undefined],
  ['no named index is below the completions', '0', [{ succeededIndexes: '8', succeededCount: 0 }], undefined],
  ['what is named beyond the completions does not count', '1', [{ succeededIndexes: '1,8' }], 0],
  ['no rule', '0', [], undefined],
])('%s', (_, succeeded, rules, index) => {
  const met = matchSuccessPolicy({ rules }, 6, IndexIntervals.parse(succeeded, 6));
  expect(met).toBe(index === undefined ? undefined : `Matched rules at index ${index}`);
});

test('without a policy nothing is met', () => {
  expect(matchSuccessPolicy(undefined, 6, IndexIntervals.of([0]))).toBeUndefined();
});
