import { objectAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { qualifiedName, unchanged } from './checks.ts';

/** Checks of events (pkg/apis/core/validation/events.go). Both groups serve the same events, under other names. */

const TEXT_MAX = 1024;
const WORD_MAX = 128;

/** The names of members, in the order of the checks: those of events.k8s.io, and those of the core group. */
interface Names {
  readonly regarding: string;
  readonly controller: string;
  readonly instance: string;
  readonly message: string;
}

const NEW_NAMES: Names = {
  ...{ regarding: 'regarding', controller: 'reportingController', instance: 'reportingInstance', message: 'note' },
};
const OLD_NAMES: Names = {
  regarding: 'involvedObject',
  controller: 'reportingComponent',
  instance: 'reportingInstance',
  message: 'message',
};

function isNewForm(event: JsonObject): boolean {
  return textAt(event, 'apiVersion') === 'events.k8s.io/v1';
}

/** Events of `events.k8s.io` are checked in full, after what is asked of both. */
export function eventErrors(event: JsonObject, metadataErrors: readonly FieldError[]): FieldError[] {
  const isNew = isNewForm(event);
  const errors = sharedErrors(event, isNew ? NEW_NAMES : OLD_NAMES);
  return isNew ? [...errors, ...metadataErrors, ...newErrors(event)] : [...metadataErrors, ...errors];
}

function hasTime(event: JsonObject): boolean {
  return event['eventTime'] !== null && event['eventTime'] !== undefined;
}

function sharedErrors(event: JsonObject, names: Names): FieldError[] {
  const namespace = textAt(objectAt(event, 'metadata'), 'namespace');
  const target = textAt(objectAt(event, names.regarding), 'namespace');
  const elsewhere = invalidValue('involvedObject.namespace', target, 'does not match event.namespace');
  if (!hasTime(event)) {
    const fits = target === '' ? namespace === '' || namespace === 'default' : target === namespace;
    return fits ? [] : [elsewhere];
  }
  const isOdd = target === '' && namespace !== 'default' && namespace !== 'kube-system';
  const controller = textAt(event, names.controller);
  return [
    ...(isOdd ? [elsewhere] : []),
    ...(controller === '' ? [requiredValue(names.controller)] : []),
    ...qualifiedName(names.controller, controller),
    ...wordErrors(event, names.instance),
    ...wordErrors(event, 'action'),
    ...wordErrors(event, 'reason'),
    ...(textAt(event, names.message).length > TEXT_MAX ? [tooMany('message', TEXT_MAX)] : []),
  ];
}

function wordErrors(event: JsonObject, name: string): FieldError[] {
  const text = textAt(event, name);
  if (text === '') return [requiredValue(name)];
  return text.length > WORD_MAX ? [tooMany(name, WORD_MAX)] : [];
}

function tooMany(field: string, max: number): FieldError {
  return bad(field, `can have at most ${max} characters`);
}

/** The API quotes no values of events. */
function bad(field: string, why: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: "": ${why}` };
}

function newErrors(event: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const series = objectAt(event, 'series');
  if (series !== undefined) {
    if (Number(series['count'] ?? 0) < 2) errors.push(bad('series.count', 'should be at least 2'));
    if (series['lastObservedTime'] === null || series['lastObservedTime'] === undefined) {
      errors.push(requiredValue('series.lastObservedTime'));
    }
  }
  if (!hasTime(event)) errors.push(requiredValue('eventTime'));
  const type = textAt(event, 'type');
  if (type !== 'Normal' && type !== 'Warning') errors.push(bad('type', `has invalid value: ${type}`));
  for (const [name, shown] of [
    ['deprecatedFirstTimestamp', 'firstTimestamp'],
    ['deprecatedLastTimestamp', 'lastTimestamp'],
    ['deprecatedCount', 'count'],
  ] as const) {
    if (event[name]) errors.push(bad(shown, 'needs to be unset'));
  }
  if (Object.keys(objectAt(event, 'deprecatedSource') ?? {}).length > 0) {
    errors.push(bad('source', 'needs to be unset'));
  }
  return errors;
}

const EVENT_FIELDS: readonly (readonly [string, string])[] = [
  ['regarding', 'involvedObject'],
  ['reason', 'reason'],
  ['note', 'message'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingController', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
];

export function eventUpdateErrors(
  event: JsonObject,
  old: JsonObject,
  metadataErrors: readonly FieldError[],
): FieldError[] {
  const errors = eventErrors(event, metadataErrors);
  if (!isNewForm(event)) return errors;
  for (const [name, shown] of EVENT_FIELDS) {
    const value: JsonValue | undefined = event[name];
    errors.push(...unchanged(shown, value, old[name]));
  }
  return errors;
}
