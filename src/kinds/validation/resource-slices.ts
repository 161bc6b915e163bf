import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue, tooLong, tooMany } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { nodeSelectorErrors } from './affinity.ts';
import { dnsLabel, dnsSubdomain, sameJson, unchanged } from './checks.ts';
import { deviceCapacityErrors } from './device-capacities.ts';
import {
  bindingErrors,
  deviceQualifiedName,
  deviceTaintErrors,
  listErrors,
  poolErrors,
  setErrors,
} from './device-names.ts';
import { internalJson } from './internal-json.ts';
import { csiDriverName } from './volume-sources.ts';
import { specOf } from './workloads.ts';

/** Checks of slices of devices (pkg/apis/resource/validation, ValidateResourceSlice). */

const DEVICES_MAX = 128;
/** The limit where a device has taints or consumes counters. */
const ADVANCED_DEVICES_MAX = 64;
const TAINTS_MAX = 16;
const COUNTER_SETS_MAX = 8;
const COUNTERS_MAX = 32;
const CONSUMPTIONS_MAX = 2;
const PARTS_MAX = 32;
const VALUE_BYTES_MAX = 64;
const PLACES = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'];
const DEVICE_PLACES = ['nodeName', 'nodeSelector', 'allNodes'];
const VALUES = ['int', 'bool', 'string', 'version'];

export function newSliceErrors(slice: JsonObject): FieldError[] {
  return sliceErrors(specOf(slice), undefined);
}

export function sliceUpdateErrors(slice: JsonObject, old: JsonObject): FieldError[] {
  return sliceErrors(specOf(slice), specOf(old));
}

function sliceErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const errors = csiDriverName('spec.driver', textAt(spec, 'driver'));
  errors.push(...poolPartErrors(objectAt(spec, 'pool') ?? {}));
  if (old !== undefined) {
    const poolName = (object: JsonObject): JsonValue | undefined => objectAt(object, 'pool')?.['name'];
    errors.push(...unchanged('spec.pool.name', poolName(spec), poolName(old)));
    errors.push(...unchanged('spec.driver', spec['driver'], old['driver']));
    errors.push(...unchanged('spec.nodeName', spec['nodeName'], old['nodeName']));
  }
  errors.push(...placeErrors(spec));
  if (spec['sharedCounters'] !== undefined && spec['devices'] !== undefined) {
    errors.push(invalidValue('spec', '', 'only one of `sharedCounters` or `devices` is allowed'));
  }
  const devices = objectsAt(spec, 'devices');
  const isAdvanced = devices.some((one) => ['taints', 'consumesCounters'].some((name) => objectsAt(one, name).length));
  const before = new Map(objectsAt(old, 'devices').map((device) => [textAt(device, 'name'), device]));
  const check = (path: string, device: JsonObject): FieldError[] =>
    deviceErrors(path, device, before.get(textAt(device, 'name')), spec['perDeviceNodeSelection'] === true);
  errors.push(...setErrors('spec.devices', devices, isAdvanced ? ADVANCED_DEVICES_MAX : DEVICES_MAX, check, nameOf));
  const sets = objectsAt(spec, 'sharedCounters');
  return [...errors, ...setErrors('spec.sharedCounters', sets, COUNTER_SETS_MAX, counterSetErrors, nameOf)];
}

function nameOf(object: JsonObject): string {
  return textAt(object, 'name');
}

function poolPartErrors(pool: JsonObject): FieldError[] {
  const errors = poolErrors('spec.pool.name', nameOf(pool));
  const [count, generation] = [pool['resourceSliceCount'] ?? 0, pool['generation'] ?? 0];
  if (Number(count) <= 0) errors.push(invalidValue('spec.pool.resourceSliceCount', count, 'must be greater than zero'));
  if (Number(generation) >= 0) return errors;
  return [...errors, invalidValue('spec.pool.generation', generation, 'must be greater than or equal to zero')];
}

/** Which nodes reach the devices: said for all of them, or by each. */
function placeErrors(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const { nodeName } = spec;
  if (nodeName === '') {
    errors.push(invalidValue('spec.nodeName', '', 'must be either unset or set to a non-empty string'));
  } else if (typeof nodeName === 'string') errors.push(...dnsSubdomain('spec.nodeName', nodeName));
  const selector = objectAt(spec, 'nodeSelector');
  if (selector !== undefined) {
    errors.push(...nodeSelectorErrors('spec.nodeSelector', selector));
    const terms = objectsAt(selector, 'nodeSelectorTerms');
    if (terms.length !== 1) {
      const shown = terms.map((term) => internalJson('core/v1.NodeSelectorTerm', term));
      const why = 'must have exactly one node selector term';
      errors.push(invalidValue('spec.nodeSelector.nodeSelectorTerms', shown, why));
    }
  }
  for (const name of ['allNodes', 'perDeviceNodeSelection']) errors.push(...trueOnly(`spec.${name}`, spec[name]));
  const given = PLACES.filter((name) => spec[name] !== undefined && spec[name] !== false && spec[name] !== '');
  const rule = `exactly one of ${PLACES.map((name) => `\`${name}\``).join(', ')} is required`;
  if (given.length === 0) return [...errors, requiredValue('spec', rule)];
  if (given.length === 1) return errors;
  return [...errors, invalidValue('spec', listed(given), `${rule}, but multiple fields are set`)];
}

function trueOnly(field: string, value: JsonValue | undefined): FieldError[] {
  return value === false ? [invalidValue(field, false, 'must be either unset or set to true')] : [];
}

function listed(names: readonly string[]): string {
  return `{${names.map((name) => `\`${name}\``).join(', ')}}`;
}

function deviceErrors(
  field: string,
  device: JsonObject,
  old: JsonObject | undefined,
  hasOwnPlace: boolean,
): FieldError[] {
  const errors = dnsLabel(`${field}.name`, nameOf(device));
  const [attributes, capacity] = [objectAt(device, 'attributes') ?? {}, objectAt(device, 'capacity') ?? {}];
  const parts = Object.keys(attributes).length + Object.keys(capacity).length;
  if (parts > PARTS_MAX) {
    const why = `the total number of attributes and capacities must not exceed ${PARTS_MAX}`;
    errors.push(invalidValue(field, parts, why));
  }
  errors.push(...mapErrors(`${field}.attributes`, attributes, deviceQualifiedName, attributeErrors));
  const isShared = device['allowMultipleAllocations'] === true;
  const capacityErrors: EntryCheck = (path, entry) => deviceCapacityErrors(path, entry, isShared);
  errors.push(...mapErrors(`${field}.capacity`, capacity, deviceQualifiedName, capacityErrors));
  const taints = objectsAt(device, 'taints');
  if (old === undefined || !sameJson(old['taints'], device['taints'])) {
    errors.push(...listErrors(`${field}.taints`, taints, TAINTS_MAX, deviceTaintErrors));
  }
  const consumed = objectsAt(device, 'consumesCounters');
  const setOf = (one: JsonObject): string => textAt(one, 'counterSet');
  errors.push(...setErrors(`${field}.consumesCounters`, consumed, CONSUMPTIONS_MAX, consumptionErrors, setOf));
  errors.push(...(hasOwnPlace ? ownPlaceErrors(field, device) : noPlaceErrors(field, device)));
  return [...errors, ...bindingErrors(field, device)];
}

function ownPlaceErrors(field: string, device: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const { nodeName } = device;
  const selector = objectAt(device, 'nodeSelector');
  if (nodeName === '') errors.push(invalidValue(`${field}.nodeName`, '', 'must not be empty'));
  else if (typeof nodeName === 'string') errors.push(...dnsSubdomain(`${field}.nodeName`, nodeName));
  if (selector !== undefined) errors.push(...nodeSelectorErrors(`${field}.nodeSelector`, selector));
  errors.push(...trueOnly(`${field}.allNodes`, device['allNodes']));
  const given = DEVICE_PLACES.filter((name) => device[name] !== undefined && device[name] !== false && device[name]);
  if (given.length === 1) return errors;
  const why =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to ' +
    'true in the ResourceSlice spec';
  return [...errors, given.length === 0 ? requiredValue(field, why) : invalidValue(field, listed(given), why)];
}

function noPlaceErrors(field: string, device: JsonObject): FieldError[] {
  if (DEVICE_PLACES.every((name) => device[name] === undefined)) return [];
  const why =
    '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ' +
    'ResourceSlice spec';
  return [invalidValue(field, null, why)];
}

type NameCheck = (field: string, name: string) => FieldError[];
type EntryCheck = (field: string, entry: JsonObject) => FieldError[];

/** The entries of a map by their names; problems of names are told of the map. */
function mapErrors(field: string, map: JsonObject, checkName: NameCheck, checkEntry: EntryCheck): FieldError[] {
  const names = Object.keys(map).sort();
  return names.flatMap((name) => [
    ...checkName(field, name),
    ...checkEntry(`${field}[${name}]`, objectAt(map, name) ?? {}),
  ]);
}

/** As semver.org has it. */
const NUMBER = '(0|[1-9]\\d*)';
const PRERELEASE = '(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const BUILD = '[0-9a-zA-Z-]+';
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(-${PRERELEASE}(\\.${PRERELEASE})*)?(\\+${BUILD}(\\.${BUILD})*)?$`,
);

function attributeErrors(field: string, attribute: JsonObject): FieldError[] {
  const { string: text, version } = attribute;
  const errors: FieldError[] = [];
  if (typeof text === 'string') errors.push(...valueLength(`${field}.string`, text));
  if (typeof version === 'string') {
    const why = 'must be a string compatible with semver.org spec 2.0.0';
    if (!VERSION.test(version)) errors.push(invalidValue(`${field}.version`, version, why));
    errors.push(...valueLength(`${field}.version`, version));
  }
  const given = VALUES.filter((name) => attribute[name] !== undefined);
  if (given.length === 1) return errors;
  const shown = given.length === 0 ? '' : internalJson('resource/v1.DeviceAttribute', attribute);
  return [...errors, invalidValue(field, shown, 'exactly one value must be specified')];
}

function valueLength(field: string, text: string): FieldError[] {
  if (Buffer.byteLength(text) <= VALUE_BYTES_MAX) return [];
  return [tooLong(field, `may not be more than ${VALUE_BYTES_MAX} bytes`)];
}

function counterSetErrors(field: string, set: JsonObject): FieldError[] {
  return [...counterName(`${field}.name`, nameOf(set)), ...counterErrors(`${field}.counters`, set)];
}

function consumptionErrors(field: string, consumption: JsonObject): FieldError[] {
  const name = textAt(consumption, 'counterSet');
  return [...counterName(`${field}.counterSet`, name), ...counterErrors(`${field}.counters`, consumption)];
}

function counterName(field: string, name: string): FieldError[] {
  return name === '' ? [requiredValue(field)] : dnsLabel(field, name);
}

function counterErrors(field: string, owner: JsonObject): FieldError[] {
  const counters = objectAt(owner, 'counters') ?? {};
  const count = Object.keys(counters).length;
  if (count === 0) return [requiredValue(field)];
  if (count > COUNTERS_MAX) return [tooMany(field, count, COUNTERS_MAX)];
  return mapErrors(field, counters, dnsLabel, () => []);
}
