import { posix } from 'node:path';
import { objectAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { nodeSelectorErrors } from './affinity.ts';
import { compareAmounts, dnsLabel, dnsSubdomain, isNegativeAmount, oneOf, sameJson, unchanged } from './checks.ts';
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

/** Checks of persistent volumes and of claims (pkg/apis/core/validation). */

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
