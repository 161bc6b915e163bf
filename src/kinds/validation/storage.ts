import { posix } from 'node:path';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { nodeSelectorErrors } from './affinity.ts';
import {
  compareAmounts,
  dnsLabel,
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
import { internalDiff, internalJson, internalVolumeSource } from './internal-json.ts';
import { noBackSteps } from './paths.ts';
import {
  azureDiskErrors,
  csiDriverName,
  fibreErrors,
  flexErrors,
  flockerErrors,
  hostPathErrors,
  iscsiErrors,
  needed,
  neededList,
  nfsErrors,
  partitionErrors,
  quobyteErrors,
  secretErrors,
  storageOsErrors,
} from './volume-sources.ts';
import { accessModeErrors, claimSpecErrors, firstSourceErrors, type SourceCheck } from './volumes.ts';
import { specOf } from './workloads.ts';

/** Checks of volumes, claims and the kinds of `storage.k8s.io`. */

export function volumeObjectErrors(volume: JsonObject): FieldError[] {
  const spec = specOf(volume);
  const capacity = objectAt(spec, 'capacity') ?? {};
  const modes = Array.isArray(spec['accessModes']) ? spec['accessModes'] : [];
  const errors: FieldError[] = [];
  if (modes.length === 0) errors.push(requiredValue('spec.accessModes'));
  errors.push(...accessModeErrors('spec.accessModes', modes));
  const names = Object.keys(capacity);
  if (names.length === 0) errors.push(requiredValue('spec.capacity'));
  if (capacity['storage'] === undefined || names.length > 1) {
    errors.push(unsupportedValue('spec.capacity', names.length === 0 ? null : capacity, ['storage']));
  }
  for (const name of names.sort()) {
    const field = `spec.capacity[${name}]`;
    if (isNegativeAmount(capacity[name])) {
      errors.push(invalidValue(field, Number(capacity[name]) || capacity[name], 'must be a valid resource quantity'));
    }
    if (isNegativeAmount(capacity[name]) || capacity[name] === '0') {
      errors.push(invalidValue(field, capacity[name], 'must be greater than zero'));
    }
  }
  const policies = ['Delete', 'Recycle', 'Retain'];
  errors.push(...oneOf('spec.persistentVolumeReclaimPolicy', spec['persistentVolumeReclaimPolicy'], policies));
  const affinity = objectAt(spec, 'nodeAffinity');
  const required = objectAt(affinity, 'required');
  if (required !== undefined) errors.push(...nodeSelectorErrors('spec.nodeAffinity.required', required));
  else if (affinity !== undefined) {
    errors.push(requiredValue('spec.nodeAffinity.required', 'must specify required node constraints'));
  }
  errors.push(...firstSourceErrors('spec', spec, VOLUME_SOURCES));
  if (spec['local'] !== undefined && affinity === undefined) {
    errors.push(requiredValue('spec.nodeAffinity', 'Local volume requires node affinity'));
  }
  if (isRoot(objectAt(spec, 'hostPath')) && spec['persistentVolumeReclaimPolicy'] === 'Recycle') {
    const why = "may not be 'recycle' for a hostPath mount of '/'";
    errors.push(forbiddenField('spec.persistentVolumeReclaimPolicy', why));
  }
  const storageClass = textAt(spec, 'storageClassName');
  if (storageClass !== '') errors.push(...dnsSubdomain('spec.storageClassName', storageClass));
  errors.push(...oneOf('spec.volumeMode', spec['volumeMode'], ['Block', 'Filesystem']));
  const attributes = spec['volumeAttributesClassName'];
  if (attributes === undefined) return errors;
  const at = 'spec.volumeAttributesClassName';
  if (attributes === '') errors.push(requiredValue(at, 'an empty string is disallowed'));
  else errors.push(...dnsSubdomain(at, String(attributes)));
  if (spec['csi'] !== undefined) return errors;
  return [...errors, requiredValue('spec.csi', 'has to be specified when using volumeAttributesClassName')];
}

function isRoot(hostPath: JsonObject | undefined): boolean {
  return hostPath !== undefined && posix.normalize(textAt(hostPath, 'path')).replace(/\/+$/, '') === '';
}

/** The sources of persistent volumes, in the order in which upstream looks at them (ValidatePersistentVolumeSpec). */
const VOLUME_SOURCES: readonly (readonly [string, SourceCheck])[] = [
  ['hostPath', hostPathErrors],
  ['gcePersistentDisk', (path, source) => [...needed(path, source, 'pdName'), ...partitionErrors(path, source)]],
  ['awsElasticBlockStore', (path, source) => [...needed(path, source, 'volumeID'), ...partitionErrors(path, source)]],
  ['glusterfs', (path, source) => [...needed(path, source, 'endpoints'), ...needed(path, source, 'path')]],
  ['flocker', flockerErrors],
  ['nfs', nfsErrors],
  ['rbd', (path, source) => [...neededList(path, source, 'monitors'), ...needed(path, source, 'image')]],
  ['quobyte', quobyteErrors],
  ['cephfs', (path, source) => neededList(path, source, 'monitors')],
  ['iscsi', iscsiErrors],
  ['cinder', (path, source) => [...needed(path, source, 'volumeID'), ...secretErrors(path, source, SECRET)]],
  ['fc', fibreErrors],
  ['flexVolume', flexErrors],
  ['azureFile', (path, source) => [...needed(path, source, 'secretName'), ...needed(path, source, 'shareName')]],
  ['vsphereVolume', (path, source) => needed(path, source, 'volumePath')],
  ['photonPersistentDisk', (path, source) => needed(path, source, 'pdID')],
  ['portworxVolume', (path, source) => needed(path, source, 'volumeID')],
  ['azureDisk', azureDiskErrors],
  ['scaleIO', (path, source) => ['gateway', 'system', 'volumeName'].flatMap((name) => needed(path, source, name))],
  ['local', localErrors],
  ['storageos', storageOsErrors],
  ['csi', csiVolumeErrors],
];

const SECRET = ['name', 'namespace'];

function localErrors(path: string, source: JsonObject): FieldError[] {
  const text = textAt(source, 'path');
  return text === '' ? [requiredValue(`${path}.path`)] : noBackSteps(`${path}.path`, text);
}

const CSI_SECRETS = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef'];

function csiVolumeErrors(path: string, source: JsonObject): FieldError[] {
  const errors = csiDriverName(`${path}.driver`, textAt(source, 'driver'));
  errors.push(...needed(path, source, 'volumeHandle'));
  for (const name of [...CSI_SECRETS, 'nodeExpandSecretRef']) {
    const secret = objectAt(source, name);
    if (secret === undefined) continue;
    const [own, namespace] = [textAt(secret, 'name'), textAt(secret, 'namespace')];
    const at = `${path}.${name}`;
    errors.push(...(own === '' ? [requiredValue(`${at}.name`)] : dnsSubdomain(`${at}.name`, own)));
    errors.push(...(namespace === '' ? [requiredValue(`${at}.namespace`)] : dnsLabel(`${at}.namespace`, namespace)));
  }
  return errors;
}

const VOLUME_FIELDS = new Set([
  ...['capacity', 'accessModes', 'claimRef', 'persistentVolumeReclaimPolicy', 'storageClassName', 'mountOptions'],
  ...['volumeMode', 'nodeAffinity', 'volumeAttributesClassName'],
]);

export function volumeUpdateErrors(volume: JsonObject, old: JsonObject): FieldError[] {
  const errors = volumeObjectErrors(volume);
  const source = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(specOf(object)).filter(([name]) => !VOLUME_FIELDS.has(name)));
  if (!sameJson(source(volume), source(old))) {
    const diff = internalDiff(internalVolumeSource(specOf(old)), internalVolumeSource(specOf(volume)));
    const why = 'spec.persistentvolumesource is immutable after creation';
    errors.push(forbiddenField('spec.persistentvolumesource', `${why}\n${diff}`));
  }
  const [spec, before] = [specOf(volume), specOf(old)];
  errors.push(...unchanged('volumeMode', spec['volumeMode'], before['volumeMode']));
  if (before['nodeAffinity'] !== undefined && !sameJson(spec['nodeAffinity'], before['nodeAffinity'])) {
    const shown = internalJson('core/v1.VolumeNodeAffinity', spec['nodeAffinity']);
    const why = 'field is immutable, except for updating from beta label to GA';
    errors.push(invalidValue('nodeAffinity', spec['nodeAffinity'] === undefined ? null : shown, why));
  }
  return [...errors, ...attributesErrors(spec, before)];
}

/** A class of attributes may be replaced, but not taken away. */
function attributesErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  if (before['volumeAttributesClassName'] === undefined || spec['volumeAttributesClassName'] !== undefined) return [];
  return [forbiddenField('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden')];
}

export function claimErrors(claim: JsonObject): FieldError[] {
  return claimSpecErrors('spec', specOf(claim));
}

const CLAIM_TEXT =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

export function claimUpdateErrors(claim: JsonObject, old: JsonObject): FieldError[] {
  const errors = claimErrors(claim);
  const before = specOf(old);
  const next = fixedClaim(claim, old);
  if (!sameJson(next, before)) {
    const type = 'core/v1.PersistentVolumeClaimSpec';
    errors.push(
      forbiddenField('spec', `${CLAIM_TEXT}\n${internalDiff(internalJson(type, before), internalJson(type, next))}`),
    );
  }
  const [size, oldSize] = [storageOf(specOf(claim)), storageOf(before)];
  const capacity = objectAt(objectAt(old, 'status'), 'capacity')?.['storage'];
  if (compareAmounts(size, oldSize) < 0 && compareAmounts(size, capacity) <= 0) {
    errors.push(forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  }
  const spec = specOf(claim);
  errors.push(...unchanged('volumeMode', spec['volumeMode'], before['volumeMode']), ...attributesErrors(spec, before));
  if (textAt(before, 'volumeAttributesClassName') !== '' && spec['volumeAttributesClassName'] === '') {
    const why = 'update from non-nil value to an empty string is forbidden';
    errors.push(forbiddenField('spec.volumeAttributesClassName', why));
  }
  return errors;
}

function storageOf(spec: JsonObject): JsonValue | undefined {
  return objectAt(objectAt(spec, 'resources'), 'requests')?.['storage'];
}

/** The next spec of a claim with what may change as it was: its volume once, and the size and class of a bound one. */
function fixedClaim(claim: JsonObject, old: JsonObject): JsonObject {
  const before = specOf(old);
  const next: JsonObject = { ...specOf(claim) };
  if (textAt(before, 'volumeName') === '') delete next['volumeName'];
  if (objectAt(claim, 'status')?.['phase'] !== 'Bound') return next;
  const resources = objectAt(next, 'resources');
  const requests = objectAt(resources, 'requests');
  if (requests !== undefined) {
    next['resources'] = { ...resources, requests: { ...requests, storage: storageOf(before) ?? '0' } };
  }
  delete next['volumeAttributesClassName'];
  if (before['volumeAttributesClassName'] !== undefined) {
    next['volumeAttributesClassName'] = before['volumeAttributesClassName'];
  }
  return next;
}

export function storageClassErrors(object: JsonObject): FieldError[] {
  const provisioner = textAt(object, 'provisioner');
  const errors: FieldError[] = [];
  if (provisioner === '') errors.push(requiredValue('provisioner'));
  else errors.push(...qualifiedName('provisioner', provisioner.toLowerCase()));
  for (const key of Object.keys(objectAt(object, 'parameters') ?? {})) {
    if (key === '') errors.push(invalidValue('parameters', '', 'field can not be empty.'));
  }
  errors.push(...oneOf('reclaimPolicy', object['reclaimPolicy'], ['Delete', 'Retain']));
  const bindings = ['Immediate', 'WaitForFirstConsumer'];
  errors.push(...oneOf('volumeBindingMode', object['volumeBindingMode'], bindings, true));
  for (const [i, term] of objectsAt(object, 'allowedTopologies').entries()) {
    for (const [e, rule] of objectsAt(term, 'matchLabelExpressions').entries()) {
      const at = `allowedTopologies[${i}].matchLabelExpressions[${e}]`;
      if (!Array.isArray(rule['values']) || rule['values'].length === 0) errors.push(requiredValue(`${at}.values`));
      errors.push(...qualifiedName(`${at}.key`, textAt(rule, 'key')));
    }
  }
  return errors;
}

export function storageClassUpdateErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const errors = storageClassErrors(object);
  for (const name of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']) {
    errors.push(...unchanged(name, object[name], old[name]));
  }
  return errors;
}

export function csiNodeErrors(node: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, driver] of objectsAt(specOf(node), 'drivers').entries()) {
    const path = `spec.drivers[${i}]`;
    errors.push(...csiDriverName(`${path}.name`, textAt(driver, 'name')));
    if (textAt(driver, 'nodeID') === '') errors.push(requiredValue(`${path}.nodeID`));
    errors.push(...notNegative(`${path}.allocatable.count`, objectAt(driver, 'allocatable')?.['count']));
    const keys = Array.isArray(driver['topologyKeys']) ? driver['topologyKeys'].map(String) : [];
    for (const key of keys) errors.push(...qualifiedName(path, key));
    const name = textAt(driver, 'name');
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
  }
  return errors;
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

export function csiDriverErrors(driver: JsonObject): FieldError[] {
  const spec = specOf(driver);
  const errors: FieldError[] = [];
  const audiences = new Set<string>();
  for (const [i, request] of objectsAt(spec, 'tokenRequests').entries()) {
    const path = `spec.tokenRequests[${i}]`;
    const audience = textAt(request, 'audience');
    if (audiences.has(audience)) errors.push(duplicate(`${path}.audience`, audience));
    audiences.add(audience);
    const seconds = request['expirationSeconds'];
    if (typeof seconds === 'number' && seconds < 600) {
      const why = 'may not specify a duration less than 10 minutes';
      errors.push(invalidValue(`${path}.expirationSeconds`, seconds, why));
    }
  }
  const groups = ['File', 'None', 'ReadWriteOnceWithFSType'];
  errors.push(...oneOf('spec.fsGroupPolicy', spec['fsGroupPolicy'], groups));
  const modes = Array.isArray(spec['volumeLifecycleModes']) ? spec['volumeLifecycleModes'] : [];
  for (const mode of modes) errors.push(...oneOf('spec.volumeLifecycleModes', mode, ['Persistent', 'Ephemeral']));
  return errors;
}

export function csiDriverUpdateErrors(driver: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [specOf(driver), specOf(old)];
  const errors = csiDriverErrors(driver);
  for (const name of ['attachRequired', 'fsGroupPolicy', 'volumeLifecycleModes']) {
    errors.push(...unchanged(`spec.${name}`, spec[name], before[name]));
  }
  return errors;
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
  const errors = attacher === '' ? [requiredValue('spec.attacher')] : dnsSubdomain('spec.attacher', attacher);
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
  if (sameJson(attachment['spec'], old['spec'])) return [];
  const shown = internalJson('storage/v1.VolumeAttachmentSpec', attachment['spec']);
  return [invalidValue('spec', shown, 'field is immutable')];
}
