import type { PodLifecycleEvent } from '../../../src/kubelet/pleg/compute-events.ts';
import type { GenericPleg } from '../../../src/kubelet/pleg/generic-pleg.ts';
import { PodCache, type PodCacheAnswer } from '../../../src/kubelet/pleg/pod-cache.ts';
import type { RuntimePodStatus } from '../../../src/kubelet/pleg/runtime.ts';
import { secondsSinceStart } from './control-case.ts';

/** The state of the PLEG and its cache in the words of the recording. */
export type Observation = Readonly<Record<string, unknown>>;

interface CacheOperation {
  readonly op: string;
  readonly pod?: string;
  readonly timestamp?: number;
  readonly error?: string;
}

/** A cache that remembers what was done to it. */
export class RecordingCache extends PodCache {
  readonly operations: CacheOperation[] = [];

  override set(uid: string, answer: PodCacheAnswer, modifiedMillis: number): void {
    const { error } = answer;
    this.#record('set', uid, modifiedMillis, error?.message);
    super.set(uid, answer, modifiedMillis);
  }

  override delete(uid: string): void {
    this.operations.push({ op: 'delete', pod: uid });
    super.delete(uid);
  }

  override setObservedTime(uid: string, observedMillis: number): void {
    this.#record('setObservedTime', uid, observedMillis);
    super.setObservedTime(uid, observedMillis);
  }

  override updateTime(globalMillis: number): void {
    this.#record('updateTime', undefined, globalMillis);
    super.updateTime(globalMillis);
  }

  #record(op: string, pod: string | undefined, millis: number, error?: string): void {
    const timestamp = secondsSinceStart(millis);
    this.operations.push({ op, ...(pod && { pod }), timestamp, ...(error && { error }) });
  }
}

const OPERATION_ORDER = ['set', 'delete', 'setObservedTime', 'updateTime'];

/** What was done to the pods by pod, then the times. */
export function shownOperations(operations: readonly CacheOperation[]): readonly CacheOperation[] {
  const rank = ({ op }: CacheOperation): number => Math.max(1, OPERATION_ORDER.indexOf(op));
  return operations.toSorted((a, b) => rank(a) - rank(b) || compare(a.pod ?? '', b.pod ?? ''));
}

export function shownCache(cache: PodCache): Observation {
  const entries = [...cache.entries()].map(([uid, { modifiedMillis, observedMillis, ...answer }]) => [
    uid,
    {
      modified: secondsSinceStart(modifiedMillis),
      observed: secondsSinceStart(observedMillis),
      ...shownAnswer(answer),
    },
  ]);
  return Object.fromEntries(entries);
}

export function shownAnswer({ status, error }: PodCacheAnswer): Observation {
  return { status: status === undefined ? null : shownStatus(status), ...(error && { error: error.message }) };
}

export function shownRecords({ records }: GenericPleg): Observation {
  const remembered = records.uids().map((uid) => {
    const { old } = records.get(uid);
    return [uid, old === undefined ? null : shownStates([...old.containers, ...old.sandboxes])];
  });
  return Object.fromEntries(remembered);
}

/** The recording groups by pod; the order within a pod stays. */
export function shownEvents(events: readonly PodLifecycleEvent[]): readonly Observation[] {
  return events
    .toSorted((a, b) => compare(a.podUid, b.podUid))
    .map(({ podUid, type, containerId }) => ({ pod: podUid, type, ...(containerId && { container: containerId }) }));
}

function shownStatus({ uid, name, ips, containerStatuses, sandboxStatuses }: RuntimePodStatus): Observation {
  return {
    id: uid,
    ...(name !== '' && { name }),
    ...(ips.length > 0 && { ips }),
    ...(containerStatuses.length > 0 && { containers: shownStates(containerStatuses) }),
    ...(sandboxStatuses.length > 0 && { sandboxes: shownStates(sandboxStatuses) }),
  };
}

function shownStates(containers: readonly { readonly id: string; readonly state: string }[]): string[] {
  return containers.map(({ id, state }) => `${id}=${state}`);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
