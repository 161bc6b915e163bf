import type { RuntimeContainer, RuntimePod } from './runtime.ts';

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
  const listed = [...itemsOf(old), ...itemsOf(current)];
  for (let i = 0; i < listed.length; i++) {
    const { id: containerId } = listed[i] as RuntimeContainer;
    if (listed.findIndex(({ id }) => id === containerId) < i) continue;
    for (const type of eventTypes(stateIn(old, containerId), stateIn(current, containerId))) {
      events.push({ podUid, type, containerId });
    }
  }
  return events;
}

function eventTypes(before: PlegState, after: PlegState): PodLifecycleEventType[] {
  if (before === after) return [];
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

/** A pod has few containers, so searching a list costs less than building a map. */
function itemsOf(pod: RuntimePod | undefined): readonly RuntimeContainer[] {
  return pod === undefined ? [] : [...pod.containers, ...pod.sandboxes];
}

function stateIn(pod: RuntimePod | undefined, containerId: string): PlegState {
  const isIt = ({ id }: RuntimeContainer): boolean => id === containerId;
  const state = (pod?.containers.find(isIt) ?? pod?.sandboxes.find(isIt))?.state ?? 'absent';
  return state === 'created' ? 'unknown' : state;
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
