import { describe, expect, test } from 'vitest';
import type { PodFailurePolicyRule } from '../../../src/api/job.ts';
import type { PodStatus } from '../../../src/api/pod.ts';
import { type FailureVerdict, judgeFailedPod } from '../../../src/controllers/job/policies.ts';
import { ended, makeJob, makeJobPod } from '../../builders/make-job.ts';

const judge = (status: PodStatus, ...rules: PodFailurePolicyRule[]): FailureVerdict =>
  judgeFailedPod({ rules }, makeJobPod(makeJob(), 'p', { status }));

const exited = (...codes: number[]): PodStatus => ({
  phase: 'Failed',
  containerStatuses: codes.map((code, i) => ended(code, 0, `c${i}`)),
});
const onExitCodes = (action: string, operator: string, values: number[], containerName?: string) => ({
  action,
  onExitCodes: { operator, values, containerName },
});
const onDisruption = (action: string, status?: string): PodFailurePolicyRule => ({
  action,
  onPodConditions: [{ type: 'DisruptionTarget', status }],
});
const disrupted = (status: string): PodStatus => ({ conditions: [{ type: 'DisruptionTarget', status }] });

describe('actions', () => {
  test.each([
    ['Ignore', { action: 'Ignore', counts: false }],
    ['Count', { action: 'Count', counts: true }],
    ['FailIndex', { action: 'FailIndex', counts: true }],
  ])('%s', (action, verdict) => {
    expect(judge(exited(3), onExitCodes(action, 'In', [3]))).toEqual(verdict);
  });

  test('FailJob says why: the container and its code, or the condition', () => {
    expect(judge(exited(0, 42), onExitCodes('Ignore', 'In', [7]), onExitCodes('FailJob', 'In', [42]))).toEqual({
      action: 'FailJob',
      counts: true,
      failJobMessage: 'Container c1 for pod default/p failed with exit code 42 matching FailJob rule at index 1',
    });
    expect(judge(disrupted('True'), onDisruption('FailJob')).failJobMessage).toBe(
      'Pod default/p has condition DisruptionTarget matching FailJob rule at index 0',
    );
  });

  test('the first rule that matches decides; one with an unknown action does not', () => {
    const rules = [
      onExitCodes('Shrug', 'In', [3]),
      onExitCodes('Ignore', 'In', [3]),
      onExitCodes('FailJob', 'In', [3]),
    ];
    expect(judge(exited(3), ...rules).action).toBe('Ignore');
  });

  test('without a matching rule the pod counts', () => {
    expect(judge(exited(3), onExitCodes('Ignore', 'In', [4]))).toEqual({ counts: true });
    expect(judgeFailedPod(undefined, makeJobPod(makeJob(), 'p'))).toEqual({ counts: true });
  });
});

describe('exit codes', () => {
  test.each([
    ['In', [1, 2], exited(2), true],
    ['In', [1, 2], exited(3), false],
    ['NotIn', [1, 2], exited(3), true],
    ['NotIn', [1, 2], exited(2), false],
    ['NotIn', [1, 2], exited(0), false],
    ['NotIn', [1, 2], exited(2, 3), true],
    ['Near', [1, 2], exited(2), false],
  ])('%s %j of %j: %s', (operator, values, status, matches) => {
    expect(judge(status, onExitCodes('Ignore', operator, values)).action === 'Ignore').toBe(matches);
  });

  test('of one container only, if the rule names it', () => {
    const rule = onExitCodes('Ignore', 'In', [2], 'c1');
    expect(judge(exited(2, 0), rule).action).toBeUndefined();
    expect(judge(exited(0, 2), rule).action).toBe('Ignore');
  });

  test('containers come before init containers; those that run have none', () => {
    const status: PodStatus = {
      containerStatuses: [{ name: 'main', state: { running: {} } }, ended(5, 0, 'b')],
      initContainerStatuses: [ended(4, 0, 'init')],
    };
    const rule = onExitCodes('FailJob', 'In', [4, 5]);
    expect(judge(status, rule).failJobMessage).toContain('Container b for');
    expect(judge({ ...status, containerStatuses: [] }, rule).failJobMessage).toContain('Container init for');
  });
});

test.each([
  ['True', undefined, true],
  ['True', 'True', true],
  ['False', undefined, false],
  ['False', 'False', true],
])('a condition with status %s matches a pattern with %s: %s', (status, wanted, matches) => {
  expect(judge(disrupted(status), onDisruption('Ignore', wanted)).action === 'Ignore').toBe(matches);
});
