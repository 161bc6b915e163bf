import { objectAt, objectsAt, textAt, textsAt } from '../defaults/members.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';

/** Texts that the cells of tables share (pkg/printers/internalversion/printers.go). */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** `5m10s`, `3h`, `2d4h`: the coarser, the longer. Upstream: duration.HumanDuration. */
export function humanDuration(millis: number): string {
  const seconds = Math.trunc(millis / SECOND);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(millis / MINUTE);
  if (minutes < 10) return twoUnits(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(millis / HOUR);
  if (hours < 8) return twoUnits(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return twoUnits(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.trunc(days / 365);
  return years < 8 ? twoUnits(years, 'y', days % 365, 'd') : `${years}y`;
}

function twoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}

/** How long ago a time was. */
export function since(time: JsonValue | undefined, nowMillis: number): string {
  if (typeof time !== 'string') return '<unknown>';
  return humanDuration(nowMillis - new Date(time).getTime());
}

export function ageOf(object: JsonObject, nowMillis: number): string {
  return since(objectAt(object, 'metadata')?.['creationTimestamp'], nowMillis);
}

export function nameOf(object: JsonObject): string {
  return textAt(objectAt(object, 'metadata'), 'name');
}

export function numberAt(object: JsonObject | undefined, name: string): number {
  const value = object?.[name];
  return typeof value === 'number' ? value : 0;
}

export function countAt(object: JsonObject | undefined, name: string): number {
  const value = object?.[name];
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

/** `a=1,b=2`, sorted. */
export function labelsText(labels: JsonValue | undefined): string {
  if (!isJsonObject(labels)) return '<none>';
  const texts = Object.keys(labels)
    .sort()
    .map((key) => `${key}=${String(labels[key])}`);
  return texts.join(',') || '<none>';
}

/** A label selector as text: `app=a,tier in (db,web)`, sorted by key. */
export function selectorText(selector: JsonValue | undefined): string {
  if (!isJsonObject(selector)) return '<none>';
  const parts: { readonly key: string; readonly text: string }[] = [];
  for (const [key, value] of Object.entries(objectAt(selector, 'matchLabels') ?? {})) {
    parts.push({ key, text: `${key}=${String(value)}` });
  }
  for (const expression of objectsAt(selector, 'matchExpressions')) {
    const key = textAt(expression, 'key');
    parts.push({ key, text: requirementText(key, textAt(expression, 'operator'), textsAt(expression, 'values')) });
  }
  const texts = parts.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ text }) => text);
  return texts.join(',') || '<none>';
}

function requirementText(key: string, operator: string, values: readonly string[]): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${[...values].sort().join(',')})`;
}

/** Names and images of the containers of a pod spec. */
export function containerCells(podSpec: JsonObject | undefined): [string, string] {
  const containers = objectsAt(podSpec, 'containers');
  return [
    containers.map((container) => textAt(container, 'name')).join(','),
    containers.map((container) => textAt(container, 'image')).join(','),
  ];
}

export const LISTED_MAX = 3;

/** The first three, and how many more there are. */
export function listed(items: readonly string[], none: string): string {
  const shown = items.slice(0, LISTED_MAX).join(',');
  return items.length > LISTED_MAX ? `${shown} + ${items.length - LISTED_MAX} more...` : shown || none;
}
