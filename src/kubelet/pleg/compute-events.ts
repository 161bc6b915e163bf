import type { RuntimePod } from './runtime.ts';

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
  const before = statesById(old);
  const after = statesById(current);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((containerId) =>
    eventTypes(before.get(containerId) ?? 'absent', after.get(containerId) ?? 'absent').map((type) => ({
      podUid,
      type,
      containerId,
    })),
  );
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

function statesById(pod: RuntimePod | undefined): Map<string, PlegState> {
  const states = new Map<string, PlegState>();
  for (const { id, state } of pod === undefined ? [] : [...pod.containers, ...pod.sandboxes]) {
    if (!states.has(id)) states.set(id, state === 'created' ? 'unknown' : state);
  }
  return states;
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
