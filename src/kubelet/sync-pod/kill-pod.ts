import { isSidecar, type Pod } from '../../api/pod.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ContainerRuntime, Operation } from '../containers/container-runtime.ts';
import type { RuntimeContainerStatus, RuntimePodStatus } from '../pleg/runtime.ts';
import { CurrentOperation } from './current-operation.ts';

const NOTHING: Operation = { cancel: () => {} };

/**
 * Stops everything of a pod that runs: first its containers, all at once, then its sidecars, from the last to the
 * first, then its sandbox. All share one grace period; what still runs at its end is killed.
 *
 * Upstream: killPodWithSyncResult in pkg/kubelet/kuberuntime and its termination order.
 */
export function killPod(
  runtime: ContainerRuntime,
  clock: Clock,
  pod: Pod,
  status: RuntimePodStatus,
  graceMillis: number,
  onDone: () => void,
): Operation {
  if (!status.containerStatuses.some(({ state }) => state === 'running')) {
    runtime.stopSandboxes(status.uid);
    onDone();
    return NOTHING;
  }
  const deadlineMillis = clock.nowMillis() + graceMillis;
  const groups = stopOrder(pod, status);
  let isCancelled = false;
  const current = new CurrentOperation();
  const next = (): void => {
    if (isCancelled) return;
    const group = groups.shift();
    if (group === undefined) {
      runtime.stopSandboxes(status.uid);
      onDone();
      return;
    }
    let left = group.length;
    const leftMillis = Math.max(0, deadlineMillis - clock.nowMillis());
    const onStopped = (): void => {
      left--;
      if (left === 0) next();
    };
    current.begin(() => {
      const operations = group.map(({ id }) => runtime.stopContainer(id, leftMillis, onStopped));
      return {
        cancel: () => {
          for (const operation of operations) operation.cancel();
        },
      };
    });
  };
  next();
  return {
    cancel: () => {
      isCancelled = true;
      current.cancel();
    },
  };
}

/** Groups of containers that are stopped together, each group after the one before. */
function stopOrder({ spec }: Pod, { containerStatuses }: RuntimePodStatus): RuntimeContainerStatus[][] {
  const running = containerStatuses.filter(({ state }) => state === 'running');
  if (!spec?.initContainers?.length) return [running];
  const sidecarNames = spec.initContainers.filter(isSidecar).map(({ name = '' }) => name);
  const others = running.filter(({ name }) => !sidecarNames.includes(name));
  const sidecars = sidecarNames.toReversed().flatMap((name) => running.filter((each) => each.name === name));
  return [others, ...sidecars.map((sidecar) => [sidecar])].filter((group) => group.length > 0);
}
