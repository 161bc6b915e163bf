import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeEvents } from '../../../src/kubelet/pleg/compute-events.ts';
import type { RuntimeContainer, RuntimePod } from '../../../src/kubelet/pleg/runtime.ts';

const container = (id: string, state: string): RuntimeContainer => ({ id, state: state as RuntimeContainer['state'] });

function pod(containers: readonly RuntimeContainer[], sandboxes: readonly RuntimeContainer[] = []): RuntimePod {
  return { uid: 'p', containers, sandboxes, listedAtMillis: 0 };
}

function changeOf(before: string, after: string): string[] {
  const podWith = (state: string) => (state === 'absent' ? undefined : pod([container('c', state)]));
  return computeEvents('p', podWith(before), podWith(after)).map(({ type }) => type);
}

describe('computeEvents', () => {
  test.each([
    ['absent', 'running', ['ContainerStarted']],
    ['absent', 'exited', ['ContainerDied']],
    ['absent', 'created', ['ContainerChanged']],
    ['created', 'running', ['ContainerStarted']],
    ['created', 'unknown', []],
    ['running', 'running', []],
    ['running', 'unknown', ['ContainerChanged']],
    ['running', 'exited', ['ContainerDied']],
    ['exited', 'running', ['ContainerStarted']],
    ['exited', 'absent', ['ContainerRemoved']],
    ['running', 'absent', ['ContainerDied', 'ContainerRemoved']],
    ['unknown', 'absent', ['ContainerDied', 'ContainerRemoved']],
  ])('%s to %s', (before, after, types) => {
    expect(changeOf(before, after)).toEqual(types);
  });

  test('old containers come first, then old sandboxes, then new ones; each id once', () => {
    const old = pod([container('c1', 'running'), container('c2', 'running')], [container('s1', 'running')]);
    const current = pod([container('c3', 'running'), container('c2', 'exited')], [container('s2', 'running')]);
    expect(computeEvents('p', old, current).map(({ type, containerId }) => `${containerId} ${type}`)).toEqual([
      'c1 ContainerDied',
      'c1 ContainerRemoved',
      'c2 ContainerDied',
      's1 ContainerDied',
      's1 ContainerRemoved',
      'c3 ContainerStarted',
      's2 ContainerStarted',
    ]);
  });

  test('the order of a listing is no event', () => {
    const states = fc.array(fc.constantFrom('created', 'running', 'exited', 'unknown'), { maxLength: 5 });
    fc.assert(
      fc.property(states, (list) => {
        const containers = list.map((state, i) => container(`c${i}`, state));
        expect(computeEvents('p', pod(containers), pod(containers.toReversed()))).toEqual([]);
      }),
    );
  });
});
