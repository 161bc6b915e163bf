import { describe, expect, test } from 'vitest';
import type { ContainerState, Pod } from '../../../src/api/pod.ts';
import { containerStatuses } from '../../../src/kubelet/status/container-statuses.ts';
import { UNKNOWN_END } from '../../../src/kubelet/status/ended-status.ts';

const BROKEN: ContainerState = { terminated: { exitCode: 1 } };
const BACK_OFF = { reason: 'ImagePullBackOff' };

/** What is said of a container that the runtime does not show any more. */
function stateOf(restartPolicy: string, state: ContainerState, failure?: typeof BACK_OFF): ContainerState {
  const container = { name: 'a', image: 'i' };
  const pod: Pod = { spec: { restartPolicy, containers: [container] } };
  const inputs = {
    pod,
    runtimeStatus: { containerStatuses: [], sandboxStatuses: [], ips: [] },
    startFailures: new Map(failure && [['a', failure]]),
    before: new Map([['a', { name: 'a', state }]]),
    nowMillis: 0,
  };
  const [status] = containerStatuses([container], inputs as never, false);
  return status?.state ?? {};
}

describe('a container that the runtime does not show any more', () => {
  test('has ended nobody knows how when it was running', () => {
    expect(stateOf('Always', { running: {} })).toEqual(UNKNOWN_END);
  });

  test('has ended as it had ended before', () => {
    for (const policy of ['Never', 'OnFailure', 'Always']) expect(stateOf(policy, BROKEN)).toEqual(BROKEN);
    expect(stateOf('Never', BROKEN, BACK_OFF)).toEqual(BROKEN);
  });

  test('waits when it is to run again and could not', () => {
    expect(stateOf('Always', BROKEN, BACK_OFF)).toEqual({ waiting: BACK_OFF });
    expect(stateOf('Never', { waiting: { reason: 'x' } })).toEqual({ waiting: { reason: 'ContainerCreating' } });
  });
});
