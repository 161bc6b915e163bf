import type { ApiObject } from '../object/json.ts';

/** Members that have another name in `events.k8s.io`: their names in the core group, and there. */
const NAMES: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];
const NEW_NAMES: ReadonlyMap<string, string> = new Map(NAMES);
const OLD_NAMES: ReadonlyMap<string, string> = new Map(NAMES.map(([core, events]) => [events, core]));

/** An event as the core group shows it. */
export function eventToCore(event: ApiObject): ApiObject {
  return renamed(event, OLD_NAMES);
}

/** An event as `events.k8s.io` shows it. */
export function eventToEvents(event: ApiObject): ApiObject {
  return renamed(event, NEW_NAMES);
}

function renamed(event: ApiObject, names: ReadonlyMap<string, string>): ApiObject {
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) => [names.get(name) ?? name, value]),
  ) as ApiObject;
}
