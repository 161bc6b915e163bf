import type { Pod } from '../../src/api/pod.ts';
import { type ActionTypes, clusterEvent, type EventResource, matchesEvent } from '../../src/framework/events.ts';
import type { Plugin } from '../../src/framework/plugin.ts';
import { makePodInfo } from '../builders/make-cluster.ts';

/** The object `before` and `after` the event; absent if it was added, or is gone. */
export interface Change {
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The hint of the plugin for an event and a pod that it rejected; 'not registered' without a registration. */
export function askHint(
  plugin: Plugin,
  [resource, action]: readonly [EventResource, ActionTypes],
  pod: Pod,
  { before, after }: Change,
): string {
  const event = clusterEvent(resource, action);
  const registration = plugin.eventsToRegister?.().find((each) => matchesEvent(each.event, event));
  if (registration === undefined) return 'not registered';
  return registration.hint?.(makePodInfo(pod), before, after) ?? 'Queue';
}

/** The pod with a uid, as every pod of an API has one: its name. */
export function known(pod: Pod): Pod {
  return { ...pod, metadata: { ...pod.metadata, uid: pod.metadata?.name } };
}
