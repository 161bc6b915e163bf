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
  if (old !== undefined) addEvents(events, podUid, old, old, current);
  if (current !== undefined) addEvents(events, podUid, current, old, current);
  return events;
}

/** Adds the events of what a listing shows, except for what had its turn with the old one. */
function addEvents(
  events: PodLifecycleEvent[],
  podUid: string,
  listed: RuntimePod,
  old: RuntimePod | undefined,
  current: RuntimePod | undefined,
): void {
  const { containers, sandboxes } = listed;
  for (let i = 0; i < containers.length + sandboxes.length; i++) {
    const containerId = idAt(listed, i);
    if (wasListed(listed, containerId, i) || (listed !== old && isListed(old, containerId))) continue;
    const types = eventTypes(stateIn(old, containerId), stateIn(current, containerId));
    for (let j = 0; j < types.length; j++) {
      events.push({ podUid, type: types[j] as PodLifecycleEventType, containerId });
    }
  }
}

/** The id at this place of the listing: containers come first. */
function idAt({ containers, sandboxes }: RuntimePod, place: number): string {
  const { length } = containers;
  return ((place < length ? containers[place] : sandboxes[place - length]) as RuntimeContainer).id;
}

/** Whether the id is at a place before this one. */
function wasListed(pod: RuntimePod, containerId: string, place: number): boolean {
  for (let i = 0; i < place; i++) if (idAt(pod, i) === containerId) return true;
  return false;
}

function isListed(pod: RuntimePod | undefined, containerId: string): boolean {
  return pod !== undefined && wasListed(pod, containerId, pod.containers.length + pod.sandboxes.length);
}

const NO_EVENTS: readonly PodLifecycleEventType[] = [];
const STARTED: readonly PodLifecycleEventType[] = ['ContainerStarted'];
const DIED: readonly PodLifecycleEventType[] = ['ContainerDied'];
const CHANGED: readonly PodLifecycleEventType[] = ['ContainerChanged'];
const REMOVED: readonly PodLifecycleEventType[] = ['ContainerRemoved'];
const DIED_AND_REMOVED: readonly PodLifecycleEventType[] = ['ContainerDied', 'ContainerRemoved'];

function eventTypes(before: PlegState, after: PlegState): readonly PodLifecycleEventType[] {
  if (before === after) return NO_EVENTS;
  switch (after) {
    case 'running':
      return STARTED;
    case 'exited':
      return DIED;
    case 'unknown':
      return CHANGED;
    case 'absent':
      // The container is gone without having been listed as exited, so it died between the two listings.
      return before === 'exited' ? REMOVED : DIED_AND_REMOVED;
  }
}

function stateIn(pod: RuntimePod | undefined, containerId: string): PlegState {
  if (pod === undefined) return 'absent';
  const state = (withId(pod.containers, containerId) ?? withId(pod.sandboxes, containerId))?.state ?? 'absent';
  return state === 'created' ? 'unknown' : state;
}

/** A pod has few containers, so searching a list costs less than building a map. */
function withId(containers: readonly RuntimeContainer[], containerId: string): RuntimeContainer | undefined {
  for (let i = 0; i < containers.length; i++) if (containers[i]?.id === containerId) return containers[i];
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
