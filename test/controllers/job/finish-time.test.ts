import { expect, test } from 'vitest';
import type { ContainerStatus, PodStatus } from '../../../src/api/pod.ts';
import { finishMillisOf } from '../../../src/controllers/job/back-off.ts';
import { atSecond, ended, makeJob, makeJobPod } from '../../builders/make-job.ts';

const START_MILLIS = Date.UTC(2026, 0, 1);
const running: ContainerStatus = { name: 'main', state: { running: {} } };
const sidecar = (second: number): ContainerStatus => ended(0, second, 'side');
const notReady = { type: 'Ready', status: 'False', lastTransitionTime: atSecond(20) };
const deletion = { deletionTimestamp: atSecond(45), deletionGracePeriodSeconds: 15 };

test.each<[string, PodStatus, object, number]>([
  ['the last container', { containerStatuses: [ended(1, 5), ended(0, 7, 'b')] }, {}, 7],
  ['a sidecar', { containerStatuses: [ended(1, 5)], initContainerStatuses: [sidecar(9)] }, {}, 9],
  [
    'no other init container',
    { containerStatuses: [ended(1, 5)], initContainerStatuses: [ended(0, 9, 'init')] },
    {},
    5,
  ],
  ['a sidecar alone', { containerStatuses: [running], initContainerStatuses: [sidecar(9)] }, {}, 9],
  ['readiness while a container runs', { containerStatuses: [ended(1, 5), running], conditions: [notReady] }, {}, 20],
  [
    'readiness while a sidecar runs',
    {
      containerStatuses: [ended(1, 5)],
      initContainerStatuses: [{ name: 'side', state: { running: {} } }],
      conditions: [notReady],
    },
    {},
    20,
  ],
  ['deletion', { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: atSecond(20) }] }, deletion, 30],
  ['deletion without grace', {}, { deletionTimestamp: atSecond(45) }, 45],
  ['creation', { conditions: [{ type: 'Ready', status: 'False' }] }, {}, 2],
])('the end of a pod is that of %s', (_, status, metadata, second) => {
  const spec = { initContainers: [{ name: 'side', restartPolicy: 'Always' }, { name: 'init' }] };
  const created = { creationTimestamp: atSecond(2), ...metadata };
  const pod = makeJobPod(makeJob(), 'p', { spec, status, metadata: created });
  expect(finishMillisOf(pod)).toBe(START_MILLIS + second * 1000);
});
