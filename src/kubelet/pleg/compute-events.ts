import type { RuntimeContainer, RuntimePod } from './runtime.ts';

/** What has happened to a container. */
export type PodLifecycleEventType =
  | 'ContainerStarted'
  | 'ContainerDied'
  | 'ContainerRemoved'
  /**
   * A container was created, or its state is unknown. Nobody can rely on this event, so it only makes the PLEG fetch
   * the pod's status, and is not sent.
   */
  | 'ContainerChanged'
  /** Nothing happened to a container, but the pod's status was requested again. */
  | 'PodSync';

/** A change of a pod's containers that a PLEG has seen. */
export interface PodLifecycleEvent {
  readonly podUid: string;
  readonly type: PodLifecycleEventType;
  /** The id of the container or sandbox; absent for PodSync. */
  readonly containerId?: string;
}

/** Created and unknown are one state here, since the runtime cannot always distinguish them. */
type PlegState = 'running' | 'exited' | 'unknown' | 'absent';

/**
 * The events of one pod between two listings, in the order old containers, old sandboxes, new containers, new
 * sandboxes, each id once. A missing pod has no containers. Upstream: computeEvents in pkg/kubelet/pleg/generic.go.
 */
export function computeEvents(
  podUid: string,
  old: RuntimePod | undefined,
  current: RuntimePod | undefined,
): PodLifecycleEvent[] {
  if (old !== undefined && current !== undefined && isUnchanged(old, current)) return [];
  const events: PodLifecycleEvent[] = [];
  const seen: string[] = [];
  for (const list of [old?.containers, old?.sandboxes, current?.containers, current?.sandboxes]) {
    if (list === undefined) continue;
    for (const { id: containerId } of list) {
      if (seen.includes(containerId)) continue;
      seen.push(containerId);
      for (const type of eventTypes(stateIn(old, containerId), stateIn(current, containerId))) {
        events.push({ podUid, type, containerId });
      }
    }
  }
  return events;
}

const NO_EVENTS: readonly PodLifecycleEventType[] = [];

function eventTypes(before: PlegState, after: PlegState): readonly PodLifecycleEventType[] {
  if (before === after) return NO_EVENTS;
  switch (after) {
    case 'running':
      return ['ContainerStarted'];
    case 'exited':
      return ['ContainerDied'];
    case 'unknown':
      return ['ContainerChanged'];
    case 'absent':
      // The container is gone without having been listed as exited, so it died between the two listings.
      return before === 'exited' ? ['ContainerRemoved'] : ['ContainerDied', 'ContainerRemoved'];
  }
}

function stateIn(pod: RuntimePod | undefined, containerId: string): PlegState {
  if (pod === undefined) return 'absent';
  const state = (withId(pod.containers, containerId) ?? withId(pod.sandboxes, containerId))?.state ?? 'absent';
  return state === 'created' ? 'unknown' : state;
}

/** A pod has few containers, so searching a list costs less than building a map. */
function withId(containers: readonly RuntimeContainer[], containerId: string): RuntimeContainer | undefined {
  for (const container of containers) if (container.id === containerId) return container;
  return undefined;
}

export function isUnchanged(old: RuntimePod, current: RuntimePod): boolean {
  return isSameList(old.containers, current.containers) && isSameList(old.sandboxes, current.sandboxes);
}

function isSameList(old: RuntimePod['containers'], current: RuntimePod['containers']): boolean {
  // A runtime may return the same list as before.
  if (old === current) return true;
  return (
    old.length === current.length &&
    old.every(({ id, state }, i) => id === current[i]?.id && state === current[i]?.state)
  );
}
