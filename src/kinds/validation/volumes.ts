import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsLabel, dnsSubdomain, duplicate, isNegativeAmount, oneOf } from './checks.ts';

/** Checks of the volumes of a pod spec (pkg/apis/core/validation: ValidateVolumes). */

/** The problems of the volumes, and those without problems, which are all that containers may mount. */
export function checkedVolumes(
  field: string,
  volumes: readonly JsonObject[],
): { readonly errors: FieldError[]; readonly valid: JsonObject[] } {
  const errors: FieldError[] = [];
  const valid: JsonObject[] = [];
  const names = new Set<string>();
  for (const [i, volume] of volumes.entries()) {
    const path = `${field}[${i}]`;
    const name = textAt(volume, 'name');
    const found = sourceErrors(path, volume, false);
    if (name === '') found.push(requiredValue(`${path}.name`));
    else found.push(...dnsLabel(`${path}.name`, name));
    if (names.has(name)) found.push(duplicate(`${path}.name`, name));
    errors.push(...found);
    if (found.length > 0) continue;
    names.add(name);
    valid.push(volume);
  }
  return { errors, valid };
}

type SourceCheck = (path: string, source: JsonObject) => FieldError[];

/** Upstream looks at the sources in this order: the second and later ones are too many. */
const SOURCES: readonly (readonly [string, SourceCheck])[] = [
  ['emptyDir', emptyDirErrors],
  ['hostPath', hostPathErrors],
  ['gitRepo', (path, source) => needed(path, source, 'repository')],
  ['gcePersistentDisk', (path, source) => needed(path, source, 'pdName')],
  ['awsElasticBlockStore', (path, source) => needed(path, source, 'volumeID')],
  ['secret', (path, source) => [...needed(path, source, 'secretName'), ...itemErrors(path, source)]],
  ['nfs', nfsErrors],
  ['iscsi', (path, source) => [...needed(path, source, 'targetPortal'), ...needed(path, source, 'iqn')]],
  ['glusterfs', (path, source) => [...needed(path, source, 'endpoints'), ...needed(path, source, 'path')]],
  ['flocker', () => []],
  ['persistentVolumeClaim', (path, source) => needed(path, source, 'claimName')],
  ['rbd', (path, source) => [...neededList(path, source, 'monitors'), ...needed(path, source, 'image')]],
  ['cinder', (path, source) => needed(path, source, 'volumeID')],
  ['cephfs', (path, source) => neededList(path, source, 'monitors')],
  ['quobyte', (path, source) => needed(path, source, 'registry')],
  ['downwardAPI', itemErrors],
  ['fc', () => []],
  ['flexVolume', (path, source) => needed(path, source, 'driver')],
  ['configMap', (path, source) => [...needed(path, source, 'name'), ...itemErrors(path, source)]],
  ['azureFile', (path, source) => [...needed(path, source, 'secretName'), ...needed(path, source, 'shareName')]],
  ['vsphereVolume', (path, source) => needed(path, source, 'volumePath')],
  ['photonPersistentDisk', (path, source) => needed(path, source, 'pdID')],
  ['portworxVolume', (path, source) => needed(path, source, 'volumeID')],
  ['azureDisk', (path, source) => [...needed(path, source, 'diskName'), ...needed(path, source, 'diskURI')]],
  ['storageos', () => []],
  ['projected', projectedErrors],
  ['scaleIO', (path, source) => needed(path, source, 'gateway')],
  ['local', (path, source) => needed(path, source, 'path')],
  ['csi', (path, source) => needed(path, source, 'driver')],
  [
    'ephemeral',
    (path, source) => (source['volumeClaimTemplate'] ? [] : [requiredValue(`${path}.volumeClaimTemplate`)]),
  ],
  ['image', (path, source) => needed(path, source, 'reference')],
];

/** Problems of the sources that an object gives; `isVolume` for a persistent volume, which has one by another rule. */
export function sourceErrors(path: string, object: JsonObject, isVolume: boolean): FieldError[] {
  const errors: FieldError[] = [];
  let isFirst = true;
  for (const [name, check] of SOURCES) {
    const source = objectAt(object, name);
    if (source === undefined) continue;
    if (isFirst) errors.push(...check(`${path}.${name}`, source));
    else errors.push(forbiddenField(`${path}.${name}`, 'may not specify more than 1 volume type'));
    isFirst = false;
  }
  if (isFirst) errors.push(requiredValue(path, 'must specify a volume type'));
  if (
    isVolume &&
    textAt(objectAt(object, 'csi'), 'driver') !== '' &&
    !textAt(objectAt(object, 'csi'), 'volumeHandle')
  ) {
    errors.push(requiredValue(`${path}.csi.volumeHandle`));
  }
  return errors;
}

function needed(path: string, source: JsonObject, name: string): FieldError[] {
  return textAt(source, name) === '' ? [requiredValue(`${path}.${name}`)] : [];
}

function neededList(path: string, source: JsonObject, name: string): FieldError[] {
  return Array.isArray(source[name]) && source[name].length > 0 ? [] : [requiredValue(`${path}.${name}`)];
}

function emptyDirErrors(path: string, source: JsonObject): FieldError[] {
  const limit = source['sizeLimit'];
  return isNegativeAmount(limit)
    ? [invalidValue(`${path}.sizeLimit`, limit, 'must be greater than or equal to zero')]
    : [];
}

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

function hostPathErrors(path: string, source: JsonObject): FieldError[] {
  const text = textAt(source, 'path');
  if (text === '') return [requiredValue(`${path}.path`)];
  return [...noBackSteps(`${path}.path`, text), ...oneOf(`${path}.type`, source['type'], HOST_PATH_TYPES)];
}

function nfsErrors(path: string, source: JsonObject): FieldError[] {
  const errors = [...needed(path, source, 'server'), ...needed(path, source, 'path')];
  const text = textAt(source, 'path');
  return text !== '' && !text.startsWith('/')
    ? [...errors, invalidValue(`${path}.path`, text, 'must be an absolute path')]
    : errors;
}

function noBackSteps(field: string, text: string): FieldError[] {
  return text.split('/').includes('..') ? [invalidValue(field, text, "must not contain '..'")] : [];
}

const MODE_TEXT = 'must be a number between 0 and 0777 (octal), both inclusive';

function modeErrors(field: string, mode: JsonValue | undefined): FieldError[] {
  return typeof mode === 'number' && (mode < 0 || mode > 0o777) ? [invalidValue(field, mode, MODE_TEXT)] : [];
}

/** The files that a source projects. */
function itemErrors(path: string, source: JsonObject): FieldError[] {
  const errors = modeErrors(`${path}.defaultMode`, source['defaultMode']);
  for (const [i, item] of objectsAt(source, 'items').entries()) {
    const at = `${path}.items[${i}]`;
    if (objectAt(item, 'fieldRef') === undefined && objectAt(item, 'resourceFieldRef') === undefined) {
      errors.push(...needed(at, item, 'key'));
    }
    const text = textAt(item, 'path');
    if (text === '') errors.push(requiredValue(`${at}.path`));
    else if (text.startsWith('/')) errors.push(invalidValue(`${at}.path`, text, 'must be a relative path'));
    else if (text.startsWith('..')) {
      errors.push(...noBackSteps(`${at}.path`, text), invalidValue(`${at}.path`, text, "must not start with '..'"));
    } else errors.push(...noBackSteps(`${at}.path`, text));
    errors.push(...modeErrors(`${at}.mode`, item['mode']));
  }
  return errors;
}

function projectedErrors(path: string, source: JsonObject): FieldError[] {
  const errors = modeErrors(`${path}.defaultMode`, source['defaultMode']);
  for (const [i, each] of objectsAt(source, 'sources').entries()) {
    const at = `${path}.sources[${i}]`;
    for (const name of ['secret', 'configMap']) {
      const part = objectAt(each, name);
      if (part !== undefined)
        errors.push(...needed(`${at}.${name}`, part, 'name'), ...itemErrors(`${at}.${name}`, part));
    }
    const downward = objectAt(each, 'downwardAPI');
    if (downward !== undefined) errors.push(...itemErrors(`${at}.downwardAPI`, downward));
    const token = objectAt(each, 'serviceAccountToken');
    if (token === undefined) continue;
    const seconds = token['expirationSeconds'];
    const tokenPath = `${at}.serviceAccountToken`;
    if (typeof seconds === 'number' && seconds < 600) {
      errors.push(
        invalidValue(`${tokenPath}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'),
      );
    }
    errors.push(...needed(tokenPath, token, 'path'));
  }
  return errors;
}

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

export function accessModeErrors(field: string, modes: readonly JsonValue[]): FieldError[] {
  const errors = modes.flatMap((mode) => oneOf(field, mode, ACCESS_MODES));
  if (modes.length > 1 && modes.includes('ReadWriteOncePod')) {
    errors.push(forbiddenField(field, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}

/** The spec of a claim, also within templates. */
export function claimSpecErrors(field: string, spec: JsonObject, selectorErrors: FieldError[]): FieldError[] {
  const modes = Array.isArray(spec['accessModes']) ? spec['accessModes'] : [];
  const errors: FieldError[] = [];
  if (modes.length === 0) errors.push(requiredValue(`${field}.accessModes`, 'at least 1 access mode is required'));
  errors.push(...selectorErrors, ...accessModeErrors(`${field}.accessModes`, modes));
  const storage = objectAt(objectAt(spec, 'resources'), 'requests')?.['storage'];
  if (storage === undefined) errors.push(requiredValue(`${field}.resources[storage]`));
  else if (isNegativeAmount(storage) || storage === '0') {
    errors.push(invalidValue(`${field}.resources[storage]`, storage, 'must be greater than zero'));
  }
  const storageClass = textAt(spec, 'storageClassName');
  if (storageClass !== '') errors.push(...dnsSubdomain(`${field}.storageClassName`, storageClass));
  errors.push(...oneOf(`${field}.volumeMode`, spec['volumeMode'], ['Block', 'Filesystem']));
  return errors;
}
