import { type ContainerStatus, isSidecar, type Pod, type PodStatus } from '../../api/pod.ts';
import { isFinalPhase } from '../../api/pod-conditions.ts';
import { withMembers } from '../../lib/map-keeping.ts';

/** The state of a container whose end is unknown because nothing is left of it. */
export const UNKNOWN_END = {
  terminated: {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
  },
} as const;

/**
 * The status of a pod of which nothing is left on its node. The pod has failed unless it is known to have succeeded,
 * and so have its containers, except for those that were never due to start. Upstream: TerminatePod in
 * pkg/kubelet/status/status_manager.go.
 */
export function endedStatus(pod: Pod, status: PodStatus): PodStatus {
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const initEnd = lastBegun(initContainerStatuses) + 1;
  const areEnded = containerStatuses.length > 0 && wasInitialized(pod);
  return withMembers(status, {
    phase: isFinalPhase(status.phase) ? status.phase : 'Failed',
    containerStatuses: areEnded ? endedUpTo(containerStatuses.length, containerStatuses) : status.containerStatuses,
    initContainerStatuses: initEnd > 0 ? endedUpTo(initEnd, initContainerStatuses) : status.initContainerStatuses,
  });
}

/** The statuses, of which so many have ended; the list itself when they had. */
function endedUpTo(count: number, statuses: readonly ContainerStatus[]): readonly ContainerStatus[] {
  const next = statuses.map((each, i) => (i < count ? ended(each) : each));
  return next.every((each, i) => each === statuses[i]) ? statuses : next;
}

function ended(status: ContainerStatus): ContainerStatus {
  return status.state?.terminated ? status : { ...status, state: UNKNOWN_END };
}

/**
 * The index of the last init container that has begun. They begin one after the other; the first always counts as
 * begun.
 */
function lastBegun(statuses: readonly ContainerStatus[]): number {
  return Math.max(statuses.findLastIndex(hasBegun), Math.min(statuses.length, 1) - 1);
}

function hasBegun({ state, lastState }: ContainerStatus): boolean {
  return !state?.waiting || lastState?.terminated !== undefined;
}

/** Whether the API shows that the initialisation was over, so that the pod's containers could start. */
function wasInitialized({ spec, status }: Pod): boolean {
  const last = spec?.initContainers?.at(-1);
  if (last === undefined || status?.containerStatuses?.some(hasBegun)) return true;
  const lastStatus = status?.initContainerStatuses?.at(-1);
  if (lastStatus === undefined) return false;
  const { state, lastState, started } = lastStatus;
  if (isSidecar(last)) return state?.running !== undefined && started === true;
  return state?.terminated?.exitCode === 0 || lastState?.terminated?.exitCode === 0;
}
