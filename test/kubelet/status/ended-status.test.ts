import { describe, expect, test } from 'vitest';
import type { Container, ContainerState, ContainerStatus, Pod } from '../../../src/api/pod.ts';
import { endedStatus, UNKNOWN_END } from '../../../src/kubelet/status/ended-status.ts';

const WAITING: ContainerState = { waiting: { reason: 'PodInitializing' } };
const RUNNING: ContainerState = { running: {} };
const OVER: ContainerState = { terminated: { exitCode: 0 } };
const BROKEN: ContainerState = { terminated: { exitCode: 1 } };

const statusOf = (state: ContainerState, index: number): ContainerStatus => ({ name: `c${index}`, state });

/** How containers in these states are said to have ended. */
function endsOf(
  init: readonly ContainerState[],
  regular: readonly ContainerState[],
  sidecar?: Partial<ContainerStatus>,
): readonly (readonly ContainerState[])[] {
  const containers = init.map((_, i): Container => {
    const isLast = i === init.length - 1;
    return { name: `i${i}`, ...(isLast && sidecar && { restartPolicy: 'Always' }) };
  });
  const initContainerStatuses = init.map((state, i) => ({ ...statusOf(state, i), ...sidecar }));
  const status = { phase: 'Running', containerStatuses: regular.map(statusOf), initContainerStatuses };
  const pod: Pod = { spec: { initContainers: containers }, status };
  const ended = endedStatus(pod, status);
  return [ended.initContainerStatuses, ended.containerStatuses].map((list) =>
    (list ?? []).map((each) => each.state ?? {}),
  );
}

describe('endedStatus', () => {
  test('a pod that did not succeed has failed', () => {
    const phases = ['Pending', 'Running', 'Succeeded', 'Failed'].map((phase) => endedStatus({}, { phase }).phase);
    expect(phases).toEqual(['Failed', 'Failed', 'Succeeded', 'Failed']);
    expect(endedStatus({}, { phase: 'Failed', reason: 'Evicted' })).toEqual({ phase: 'Failed', reason: 'Evicted' });
  });

  test('a container that is not known to have ended did, nobody knows how', () => {
    expect(endsOf([], [WAITING, RUNNING, OVER, {}])).toEqual([[], [UNKNOWN_END, UNKNOWN_END, OVER, UNKNOWN_END]]);
  });

  test('containers whose turn did not come go on waiting', () => {
    expect(endsOf([OVER, RUNNING, WAITING], [WAITING])).toEqual([[OVER, UNKNOWN_END, WAITING], [WAITING]]);
    expect(endsOf([BROKEN], [WAITING])).toEqual([[BROKEN], [WAITING]]);
  });

  test('the first init container has begun in any case', () => {
    expect(endsOf([WAITING, WAITING], [WAITING])).toEqual([[UNKNOWN_END, WAITING], [WAITING]]);
  });

  test('they had their turn when the last init container is over, or one of them has begun', () => {
    expect(endsOf([OVER], [WAITING])).toEqual([[OVER], [UNKNOWN_END]]);
    expect(endsOf([BROKEN], [WAITING, RUNNING])).toEqual([[BROKEN], [UNKNOWN_END, UNKNOWN_END]]);
  });

  test('a sidecar only has to have started', () => {
    expect(endsOf([RUNNING], [WAITING], { started: false })).toEqual([[UNKNOWN_END], [WAITING]]);
    expect(endsOf([RUNNING], [WAITING], { started: true })).toEqual([[UNKNOWN_END], [UNKNOWN_END]]);
  });
});
