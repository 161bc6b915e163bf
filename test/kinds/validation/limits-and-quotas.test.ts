import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kinds/object/json.ts';
import { kindProblems } from './kind-problems.ts';

describe('limitRangeErrors', () => {
  const problems = (limit: JsonObject): string[] =>
    kindProblems('v1', 'LimitRange', { spec: { limits: [{ type: 'Container', ...limit }] } });

  it('checks the names of resources', () => {
    expect(problems({ type: 'Pod', min: { pods: '1' } })).toEqual([
      'spec.limits[0].min[pods]: Invalid value: "pods": must be a standard resource for containers',
    ]);
    expect(problems({ type: 'PersistentVolumeClaim', min: { storage: '1', foo: '1' } })).toEqual([
      'spec.limits[0].min[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
    ]);
  });

  it('checks ratios, and defaults of what cannot be shared', () => {
    expect(problems({ type: 'Pod', min: { cpu: '1' }, max: { cpu: '3' }, maxLimitRequestRatio: { cpu: '4' } })).toEqual(
      ['spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "4": ratio 4 is greater than max/min = 3.000000'],
    );
    expect(problems({ default: { 'a.b/c': '2' }, defaultRequest: { 'a.b/c': '1' } })).toEqual([
      'spec.limits[0].defaultRequest[a.b/c]: Invalid value: "1": ' +
        'default value 2 must equal to defaultRequest value 1 in a.b/c',
    ]);
  });
});

describe('quotaErrors', () => {
  const problems = (rule: JsonObject, hard: JsonObject = {}): string[] =>
    kindProblems('v1', 'ResourceQuota', { spec: { hard, scopeSelector: { matchExpressions: [rule] } } });
  const at = 'spec.scopeSelector.matchExpressions';

  it('checks the rules by which objects are chosen', () => {
    expect(problems({ scopeName: 'x', operator: 'y' })).toEqual([
      `${at}.scopeName: Invalid value: "x": unsupported scope`,
      `${at}.operator: Invalid value: "y": not a valid selector operator`,
    ]);
    const [problem] = problems({ scopeName: 'BestEffort', operator: 'In', values: ['a'] });
    expect(problem).toMatch(/operator: Invalid value: "In": must be 'Exists' when scope is any of ResourceQuotaScope/);
    const [wrong] = problems({ scopeName: 'BestEffort', operator: 'Exists' }, { cpu: '1' });
    expect(wrong).toMatch(/matchExpressions: Invalid value: .*: unsupported scope applied to resource$/);
    expect(problems({ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] })).toEqual([
      `${at}.values: Invalid value: ["a"]: ` +
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
    ]);
  });
});
