import { describe, expect, it } from 'vitest';
import type { Container, ContainerState, PodSpec } from '../../../src/api/pod.ts';
import { containerRestartProblems } from '../../../src/api/validation/container-restarts.ts';

const ended = (exitCode: number): ContainerState => ({ terminated: { exitCode } });
const rule = (operator: string, action = 'Restart') => ({ action, exitCodes: { operator, values: [3, 4] } });

/** Whether a container of the pod that ended so may run again. */
function mayRun(exitCode: number, restartPolicy: string, container: Container = {}, others: PodSpec = {}): boolean {
  const spec = { restartPolicy, containers: [{ name: 'a', ...container }], ...others };
  const before = { containerStatuses: [{ name: 'b' }, { name: 'a', state: ended(exitCode) }] };
  const after = { containerStatuses: [{ name: 'a', state: { running: {} } }] };
  const problems = containerRestartProblems(spec, after, before);
  const field = 'status.containerStatuses[1].state';
  expect(problems.every((problem) => problem.field === field)).toBe(true);
  return problems.length === 0;
}

describe('containerRestartProblems', () => {
  it('asks the policy of the pod', () => {
    expect(['Always', 'OnFailure', 'Never', ''].map((policy) => mayRun(0, policy))).toEqual([true, false, false, true]);
    expect(['Always', 'OnFailure', 'Never'].map((policy) => mayRun(1, policy))).toEqual([true, true, false]);
  });

  it('asks that of the container before', () => {
    expect(mayRun(0, 'Never', { restartPolicy: 'Always' })).toBe(true);
    expect(mayRun(1, 'Always', { restartPolicy: 'Never' })).toBe(false);
  });

  it('asks a rule about the exit code first of all', () => {
    const container = { restartPolicy: 'Never', restartPolicyRules: [rule('In')] };
    expect([mayRun(3, 'Never', container), mayRun(5, 'Never', container)]).toEqual([true, false]);
    const other = { restartPolicy: 'Never', restartPolicyRules: [rule('NotIn')] };
    expect([mayRun(3, 'Never', other), mayRun(5, 'Never', other)]).toEqual([false, true]);
    const all = { name: 'i', restartPolicyRules: [rule('In', 'RestartAllContainers')] };
    expect(mayRun(9, 'Never', {}, { initContainers: [all] })).toBe(true);
    const nonsense = { restartPolicy: 'Never', restartPolicyRules: [{ exitCodes: { operator: 'In', values: 3 } }] };
    expect(mayRun(3, 'Never', nonsense as never)).toBe(false);
  });

  it('accepts a status that stays as it was, or is reported no more', () => {
    const spec = { restartPolicy: 'Never', initContainers: [{ name: 'i' }] };
    const before = { initContainerStatuses: [{ name: 'i', state: ended(0) }] };
    expect(containerRestartProblems(spec, before, before)).toEqual([]);
    expect(containerRestartProblems(spec, {}, before)).toEqual([]);
    const other = { initContainerStatuses: [{ name: 'i', state: ended(1) }] };
    expect(containerRestartProblems(spec, other, before)).toEqual([]);
    const again = { initContainerStatuses: [{ name: 'i', state: { waiting: {} } }] };
    expect(containerRestartProblems(spec, again, before)[0]?.field).toBe('status.initContainerStatuses[0].state');
  });
});
