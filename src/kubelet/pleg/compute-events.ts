import type { RuntimeContainer, RuntimePod } from './runtime.ts';

export type PodLifecycleEventType =
  | 'ContainerStarted'
  | 'ContainerDied'
  | 'ContainerRemoved'
  /** Created, or not known: nobody can rely on it, so it makes the pod's status be fetched and goes no further. */
  | 'ContainerChanged'
  /** Nothing happened to a container, but the pod's status was asked for anew. */
  | 'PodSync';

export interface PodLifecycleEvent {
  readonly podUid: string;
  readonly type: PodLifecycleEventType;
  /** Of the container or sandbox; absent for PodSync. */
  readonly containerId?: string;
}

/** Created and not known are one state here: the runtime cannot always tell them apart. */
type PlegState = 'running' | 'exited' | 'unknown' | 'absent';

/**
 * What happened to the containers of one pod between two listings: old containers, old sandboxes, new containers, new
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
      // Gone without having been seen to exit: it died unnoticed in between.
      return before === 'exited' ? ['ContainerRemoved'] : ['ContainerDied', 'ContainerRemoved'];
  }
}

/** A pod has few: to search them costs less than a map of them. */
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
  // A runtime may show the list that it showed before.
  if (old === current) return true;
  return (
    old.length === current.length &&
    old.every(({ id, state }, i) => id === current[i]?.id && state === current[i]?.state)
  );
}
