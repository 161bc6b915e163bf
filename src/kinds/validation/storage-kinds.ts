import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, tooLong } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import {
  dnsSubdomain,
  duplicate,
  isNegativeAmount,
  labelSelector,
  NOT_NEGATIVE,
  notNegative,
  oneOf,
  qualifiedName,
  sameJson,
  unchanged,
} from './checks.ts';
import { internalJson } from './internal-json.ts';
import { csiDriverName } from './volume-sources.ts';
import { specOf } from './workloads.ts';

/** Checks of the kinds of `storage.k8s.io` (pkg/apis/storage/validation). */

const PARAMETERS_MAX = 512;
const PARAMETERS_BYTES_MAX = 256 * 1024;

function provisionerErrors(field: string, provisioner: string): FieldError[] {
  return provisioner === '' ? [requiredValue(field)] : qualifiedName(field, provisioner.toLowerCase());
}

function parameterErrors(field: string, parameters: JsonObject | undefined): FieldError[] {
  const entries = Object.entries(parameters ?? {});
  if (entries.length > PARAMETERS_MAX) return [tooLong(field, `may not be more than ${PARAMETERS_MAX} bytes`)];
  const errors = entries.some(([key]) => key === '') ? [invalidValue(field, '', 'field can not be empty.')] : [];
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key + String(value)), 0);
  if (bytes <= PARAMETERS_BYTES_MAX) return errors;
  return [...errors, tooLong(field, `may not be more than ${PARAMETERS_BYTES_MAX} bytes`)];
}

export function storageClassErrors(object: JsonObject): FieldError[] {
  const bindings = ['Immediate', 'WaitForFirstConsumer'];
  return [
    ...provisionerErrors('provisioner', textAt(object, 'provisioner')),
    ...parameterErrors('parameters', objectAt(object, 'parameters')),
    ...oneOf('reclaimPolicy', object['reclaimPolicy'], ['Delete', 'Retain']),
    ...oneOf('volumeBindingMode', object['volumeBindingMode'], bindings, true),
    ...topologyErrors('allowedTopologies', objectsAt(object, 'allowedTopologies')),
  ];
}

/** Terms that ask for topologies. No two may ask for the same, and none for nothing. */
function topologyErrors(field: string, terms: readonly JsonObject[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, term] of terms.entries()) {
    const at = `${field}[${i}].matchLabelExpressions`;
    const wanted = new Map<string, string[]>();
    for (const [e, rule] of objectsAt(term, 'matchLabelExpressions').entries()) {
      const key = textAt(rule, 'key');
      errors.push(...topologyRuleErrors(`${at}[${e}]`, rule));
      if (wanted.has(key)) errors.push(duplicate(`${at}[${e}].key`, key));
      wanted.set(key, [...new Set(valuesOf(rule))].sort());
    }
    const text = JSON.stringify([...wanted].sort(([a], [b]) => (a < b ? -1 : 1)));
    // Upstream compares an empty term with a list that begins with one empty term for each given one.
    if (wanted.size === 0) for (const _ of terms) errors.push(duplicate(at, ''));
    else if (seen.has(text)) errors.push(duplicate(at, ''));
    seen.add(text);
  }
  return errors;
}

function valuesOf(rule: JsonObject): string[] {
  return Array.isArray(rule['values']) ? rule['values'].map(String) : [];
}

function topologyRuleErrors(field: string, rule: JsonObject): FieldError[] {
  const values = valuesOf(rule);
  const repeated = values.flatMap((value, i) =>
    values.indexOf(value) < i ? [duplicate(`${field}.values[${i}]`, value)] : [],
  );
  return [
    ...(values.length === 0 ? [requiredValue(`${field}.values`)] : repeated),
    ...qualifiedName(`${field}.key`, textAt(rule, 'key')),
  ];
}

export function storageClassUpdateErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const errors = storageClassErrors(object);
  for (const name of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']) {
    errors.push(...unchanged(name, object[name], old[name]));
  }
  return errors;
}

export function attributesClassErrors(object: JsonObject): FieldError[] {
  const parameters = objectAt(object, 'parameters');
  const errors = [
    ...provisionerErrors('driverName', textAt(object, 'driverName')),
    ...parameterErrors('parameters', parameters),
  ];
  if (Object.keys(parameters ?? {}).length > 0) return errors;
  return [...errors, requiredValue('parameters', 'must contain at least one key/value pair')];
}

export function attributesClassUpdateErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const changed = ['driverName', 'parameters'].filter((name) => !sameJson(object[name], old[name]));
  return [
    ...changed.map((name) => forbiddenField(name, `updates to ${name} are forbidden.`)),
    ...attributesClassErrors(object),
  ];
}

const NODE_ID_MAX = 256;

export function csiNodeErrors(node: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, driver] of objectsAt(specOf(node), 'drivers').entries()) {
    const path = `spec.drivers[${i}]`;
    const [name, id] = [textAt(driver, 'name'), textAt(driver, 'nodeID')];
    errors.push(...csiDriverName(`${path}.name`, name));
    if (id === '') errors.push(requiredValue(`${path}.nodeID`));
    if (Buffer.byteLength(id) > NODE_ID_MAX) {
      errors.push(invalidValue(`${path}.nodeID`, id, `must be ${NODE_ID_MAX} characters or less`));
    }
    errors.push(...notNegative(`${path}.allocatable.count`, objectAt(driver, 'allocatable')?.['count']));
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    const keys = Array.isArray(driver['topologyKeys']) ? driver['topologyKeys'].map(String) : [];
    errors.push(...keys.flatMap((key, k) => topologyKeyErrors(path, key, keys.indexOf(key) < k)));
  }
  return errors;
}

function topologyKeyErrors(field: string, key: string, isRepeated: boolean): FieldError[] {
  return [
    ...(key === '' ? [requiredValue(field)] : []),
    ...(isRepeated ? [duplicate(field, key)] : []),
    ...qualifiedName(field, key),
  ];
}

export function csiNodeUpdateErrors(node: JsonObject, old: JsonObject): FieldError[] {
  const errors = csiNodeErrors(node);
  const drivers = objectsAt(specOf(node), 'drivers');
  for (const before of objectsAt(specOf(old), 'drivers')) {
    const driver = drivers.find((each) => each['name'] === before['name']);
    if (driver === undefined) continue;
    const { allocatable: _, ...fixed } = driver;
    const shown = internalJson('storage/v1.CSINodeDriver', fixed);
    const { allocatable: __, ...fixedBefore } = before;
    if (!sameJson(fixed, fixedBefore)) errors.push(invalidValue('spec.drivers', shown, 'field is immutable'));
  }
  return errors;
}

const TOKEN_SECONDS_MIN = 600;
const TOKEN_SECONDS_MAX = 2 ** 32;
const UPDATE_SECONDS_MIN = 10;

export function csiDriverErrors(driver: JsonObject): FieldError[] {
  const spec = specOf(driver);
  const groups = ['File', 'None', 'ReadWriteOnceWithFSType'];
  const errors = oneOf('spec.fsGroupPolicy', spec['fsGroupPolicy'], groups);
  const tokens = objectsAt(spec, 'tokenRequests');
  errors.push(...tokenErrors('spec.tokenRequests', tokens));
  const modes = Array.isArray(spec['volumeLifecycleModes']) ? spec['volumeLifecycleModes'] : [];
  for (const mode of modes) errors.push(...oneOf('spec.volumeLifecycleModes', mode, ['Persistent', 'Ephemeral']));
  const period = spec['nodeAllocatableUpdatePeriodSeconds'];
  if (typeof period === 'number' && period < UPDATE_SECONDS_MIN) {
    const why = `must be greater than or equal to ${UPDATE_SECONDS_MIN} seconds`;
    errors.push(invalidValue('spec.nodeAllocatableUpdatePeriodSeconds', period, why));
  }
  const inSecrets = spec['serviceAccountTokenInSecrets'];
  if (inSecrets === undefined || tokens.length > 0) return errors;
  const why = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
  return [...errors, invalidValue('spec.serviceAccountTokenInSecrets', inSecrets, why)];
}

/** Each request is for an audience of its own. */
function tokenErrors(field: string, requests: readonly JsonObject[]): FieldError[] {
  const audiences = requests.map((request) => textAt(request, 'audience'));
  return requests.flatMap((request, i) => {
    const audience = audiences[i] as string;
    if (audiences.indexOf(audience) < i) return [duplicate(`${field}[${i}].audience`, audience)];
    return secondsErrors(`${field}[${i}].expirationSeconds`, request['expirationSeconds']);
  });
}

function secondsErrors(field: string, seconds: JsonValue | undefined): FieldError[] {
  if (typeof seconds !== 'number') return [];
  if (seconds < TOKEN_SECONDS_MIN) {
    return [invalidValue(field, seconds, 'may not specify a duration less than 10 minutes')];
  }
  if (seconds <= TOKEN_SECONDS_MAX) return [];
  return [invalidValue(field, seconds, 'may not specify a duration larger than 2^32 seconds')];
}

export function csiDriverUpdateErrors(driver: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [specOf(driver), specOf(old)];
  return [
    ...csiDriverErrors(driver),
    // Upstream names the field so.
    ...unchanged('spec.attachedRequired', spec['attachRequired'], before['attachRequired']),
    ...unchanged('spec.volumeLifecycleModes', spec['volumeLifecycleModes'], before['volumeLifecycleModes']),
  ];
}

export function capacityErrors(capacity: JsonObject): FieldError[] {
  const errors = labelSelector('nodeTopology', objectAt(capacity, 'nodeTopology'));
  errors.push(...dnsSubdomain('storageClassName', textAt(capacity, 'storageClassName')));
  const amount = capacity['capacity'];
  return isNegativeAmount(amount) ? [...errors, invalidValue('capacity', amount, NOT_NEGATIVE)] : errors;
}

export function capacityUpdateErrors(capacity: JsonObject, old: JsonObject): FieldError[] {
  const names = ['nodeTopology', 'storageClassName'];
  return [...capacityErrors(capacity), ...names.flatMap((name) => unchanged(name, capacity[name], old[name]))];
}

export function attachmentErrors(attachment: JsonObject): FieldError[] {
  const spec = specOf(attachment);
  const attacher = textAt(spec, 'attacher');
  const errors = csiDriverName('spec.attacher', attacher);
  const source = objectAt(spec, 'source') ?? {};
  const name = source['persistentVolumeName'];
  const inline = source['inlineVolumeSpec'];
  const path = 'spec.source';
  if (name === undefined && inline === undefined) {
    errors.push(requiredValue(path, 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'));
  } else if (name !== undefined && inline !== undefined) {
    errors.push(forbiddenField(path, 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'));
  } else if (typeof name === 'string') {
    const at = `${path}.persistentVolumeName`;
    if (name === '') errors.push(requiredValue(at, 'must specify non empty persistentVolumeName'));
  }
  errors.push(...dnsSubdomain('spec.nodeName', textAt(spec, 'nodeName')));
  return typeof name === 'string' ? [...errors, ...dnsSubdomain(`${path}.persistentVolumeName`, name)] : errors;
}

export function attachmentUpdateErrors(attachment: JsonObject, old: JsonObject): FieldError[] {
  const errors = attachmentErrors(attachment);
  if (sameJson(attachment['spec'], old['spec'])) return errors;
  const shown = internalJson('storage/v1.VolumeAttachmentSpec', attachment['spec']);
  return [...errors, invalidValue('spec', shown, 'field is immutable')];
}
