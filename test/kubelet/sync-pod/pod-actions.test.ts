import { describe, expect, test } from 'vitest';
import type { Container, Pod } from '../../../src/api/pod.ts';
import type { RuntimeContainerStatus, RuntimePodStatus } from '../../../src/kubelet/pleg/runtime.ts';
import { podActions } from '../../../src/kubelet/sync-pod/pod-actions.ts';

/** `i` init containers, `s` sidecars, others containers. */
function pod(restartPolicy: string, ...names: readonly string[]): Pod {
  const isInit = (name: string): boolean => name.startsWith('i') || name.startsWith('s');
  const container = (name: string): Container => ({ name, ...(name.startsWith('s') && { restartPolicy: 'Always' }) });
  return {
    spec: {
      restartPolicy,
      initContainers: names.filter(isInit).map(container),
      containers: names.filter((name) => !isInit(name)).map(container),
    },
  };
}

/** `a=running`, `a=0` (ended with this code); in the sandbox, or with `old:` in front in the one before. */
function status(sandboxes: readonly ('ready' | 'notready')[], ...states: readonly string[]): RuntimePodStatus {
  return {
    uid: 'p',
    name: 'p',
    ips: [],
    sandboxStatuses: sandboxes.map((state, i) => ({ id: `sandbox-${i}`, state })),
    containerStatuses: states.map((text): RuntimeContainerStatus => {
      const [, old, name = '', how = ''] = /^(old:)?(\w+)=(\w+)$/.exec(text) ?? [];
      const head = { id: text, name, image: '', sandboxId: old ? 'sandbox-1' : 'sandbox-0', restartCount: 0 };
      return how === 'running' ? { ...head, state: 'running' } : { ...head, state: 'exited', exitCode: Number(how) };
    }),
  };
}

function shown(...[wanted, shownStatus]: [Pod, RuntimePodStatus]): string {
  const { sandboxAttempt, initContainers, containers, isKilled } = podActions(wanted, shownStatus, 0);
  if (isKilled) return 'kill';
  const names = [...initContainers, ...containers].map(({ name }) => name).join(' ');
  return (sandboxAttempt === undefined ? '' : `sandbox ${sandboxAttempt}: `) + names;
}

describe('podActions', () => {
  test.each([
    ['Always', ['a', 'b'], [], [], 'sandbox 0: a b'],
    ['Always', ['i', 'a'], [], [], 'sandbox 0: i'],
    ['Always', ['i', 'j', 'a'], ['ready'], ['i=running'], ''],
    ['Always', ['i1', 'i2', 'a'], ['ready'], ['i1=0'], 'i2'],
    ['Always', ['i1', 'a'], ['ready'], ['i1=1'], 'i1'],
    ['Never', ['i1', 'a'], ['ready'], ['i1=1'], 'kill'],
    ['Always', ['i1', 'a', 'b'], ['ready'], ['i1=0'], 'a b'],
    ['Always', ['s', 'a'], ['ready'], ['s=running'], 'a'],
    ['Never', ['s', 'a'], ['ready'], ['s=1', 'a=running'], 's'],
    ['Never', ['s', 'a'], ['ready'], ['s=running', 'a=0'], 'kill'],
    ['Always', ['a', 'b'], ['ready'], ['a=running', 'b=0'], 'b'],
    ['OnFailure', ['a', 'b', 'c'], ['ready'], ['a=1', 'b=0', 'c=running'], 'a'],
    ['OnFailure', ['a'], ['ready'], ['a=0'], 'kill'],
    ['Never', ['a', 'b'], ['ready'], ['a=1', 'b=running'], ''],
    // After the sandbox has gone, everything that is to run again starts in a new one, from the beginning.
    ['Always', ['i', 'a'], ['notready'], ['i=0', 'a=255'], 'sandbox 1: i'],
    ['OnFailure', ['a', 'b'], ['notready'], ['a=0', 'b=255'], 'sandbox 1: b'],
    ['Never', ['a'], ['notready'], ['a=255'], 'kill'],
    ['Always', ['i', 'a'], ['ready', 'notready'], ['old:i=0', 'old:a=1'], 'i'],
  ] as const)('%s %j, sandboxes %j, %j: %s', (policy, names, sandboxes, states, expected) => {
    expect(shown(pod(policy, ...names), status(sandboxes, ...states))).toBe(expected);
  });

  test('nothing of a pod that is being deleted is started', () => {
    const deleted = { ...pod('Always', 'a'), metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(shown(deleted, status(['ready'], 'a=0'))).toBe('kill');
  });
});
