import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContainerState, ContainerStatus, PodSpec } from '../../../src/api/pod.ts';
import { podPhase } from '../../../src/kubelet/status/phase.ts';

const RUNNING: ContainerState = { running: {} };
const WAITING: ContainerState = { waiting: { reason: 'ContainerCreating' } };
const ended = (exitCode: number): ContainerState => ({ terminated: { exitCode } });

/** `a` is a container, `i` an init container, `s` a sidecar. */
function phaseOf(
  restartPolicy: string,
  states: Readonly<Record<string, ContainerState | ContainerStatus>>,
  isTerminal = false,
): string {
  const names = Object.keys(states);
  const spec: PodSpec = {
    restartPolicy,
    containers: names.filter((name) => name.startsWith('a')).map((name) => ({ name })),
    initContainers: names
      .filter((name) => !name.startsWith('a'))
      .map((name) => ({ name, ...(name.startsWith('s') && { restartPolicy: 'Always' }) })),
  };
  const statuses = new Map(
    Object.entries(states).map(([name, state]) => [
      name,
      'name' in state ? state : { name, state, started: 'running' in state },
    ]),
  );
  return podPhase(spec, statuses, isTerminal);
}

/** A container that ended with this exit code, and waits to be started again. */
function again(name: string, exitCode: number): ContainerStatus {
  return { name, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: ended(exitCode) };
}

describe('podPhase', () => {
  test.each([
    ['Never', { a: WAITING }, 'Pending'],
    ['Never', { a: RUNNING, a2: WAITING }, 'Pending'],
    ['Never', { a: RUNNING }, 'Running'],
    ['Never', { a: RUNNING, a2: ended(1) }, 'Running'],
    ['Never', { a: ended(0), a2: ended(0) }, 'Succeeded'],
    ['Never', { a: ended(0), a2: ended(1) }, 'Failed'],
    ['OnFailure', { a: ended(0), a2: ended(1) }, 'Running'],
    ['OnFailure', { a: ended(0), a2: again('a2', 1) }, 'Running'],
    ['OnFailure', { a: ended(0) }, 'Succeeded'],
    ['Always', { a: ended(0) }, 'Running'],
    ['Always', { a: again('a', 1) }, 'Running'],
    ['Always', { i: RUNNING, a: WAITING }, 'Pending'],
    ['Always', { i: ended(1), a: WAITING }, 'Pending'],
    ['Never', { i: ended(1), a: WAITING }, 'Failed'],
    ['Never', { i: ended(0), a: RUNNING }, 'Running'],
    ['Never', { s: RUNNING, a: WAITING }, 'Pending'],
    ['Never', { s: RUNNING, a: ended(0) }, 'Running'],
    ['Never', { s: ended(137), a: ended(0) }, 'Succeeded'],
    ['Never', { s: again('s', 1), a: RUNNING }, 'Running'],
  ])('restartPolicy %s, %j: %s', (policy, states, phase) => {
    expect(phaseOf(policy, states)).toBe(phase);
  });

  test('a pod that is not restarted any more ends, whatever its policy says', () => {
    expect(phaseOf('Always', { a: ended(0) }, true)).toBe('Succeeded');
    expect(phaseOf('Always', { a: ended(143) }, true)).toBe('Failed');
  });

  const state = fc.constantFrom(RUNNING, WAITING, ended(0), ended(1));
  const policy = fc.constantFrom('Always', 'OnFailure', 'Never');

  test('has ended exactly when nothing runs, or will', () => {
    fc.assert(
      fc.property(policy, fc.array(state, { minLength: 1, maxLength: 4 }), (restartPolicy, states) => {
        const phase = phaseOf(restartPolicy, Object.fromEntries(states.map((each, i) => [`a${i}`, each])));
        const willRun = ({ running, waiting, terminated }: ContainerState): boolean =>
          running !== undefined ||
          waiting !== undefined ||
          restartPolicy === 'Always' ||
          (restartPolicy === 'OnFailure' && terminated?.exitCode !== 0);
        expect(phase === 'Succeeded' || phase === 'Failed').toBe(!states.some(willRun));
        if (phase === 'Succeeded') expect(states.every(({ terminated }) => terminated?.exitCode === 0)).toBe(true);
      }),
    );
  });
});
