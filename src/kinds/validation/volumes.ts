import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsLabel, dnsSubdomain, duplicate, isNegativeAmount, labelSelector, labels, oneOf } from './checks.ts';
import { fieldRefErrors, resourceRefErrors, VOLUME_FIELDS } from './environment.ts';
import { localPath } from './paths.ts';
import {
  azureDiskErrors,
  csiErrors,
  fibreErrors,
  flexErrors,
  flockerErrors,
  gitErrors,
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
    const found = sourceErrors(path, volume);
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

export type SourceCheck = (path: string, source: JsonObject) => FieldError[];

/** Upstream looks at the sources in this order: the second and later ones are too many. */
const SOURCES: readonly (readonly [string, SourceCheck])[] = [
  ['emptyDir', emptyDirErrors],
  ['hostPath', hostPathErrors],
  ['gitRepo', gitErrors],
  ['gcePersistentDisk', (path, source) => [...needed(path, source, 'pdName'), ...partitionErrors(path, source)]],
  ['awsElasticBlockStore', (path, source) => [...needed(path, source, 'volumeID'), ...partitionErrors(path, source)]],
  ['secret', (path, source) => [...needed(path, source, 'secretName'), ...itemErrors(path, source)]],
  ['nfs', nfsErrors],
  ['iscsi', iscsiErrors],
  ['glusterfs', (path, source) => [...needed(path, source, 'endpoints'), ...needed(path, source, 'path')]],
  ['flocker', flockerErrors],
  ['persistentVolumeClaim', (path, source) => needed(path, source, 'claimName')],
  ['rbd', (path, source) => [...neededList(path, source, 'monitors'), ...needed(path, source, 'image')]],
  ['cinder', (path, source) => [...needed(path, source, 'volumeID'), ...secretErrors(path, source)]],
  ['cephfs', (path, source) => neededList(path, source, 'monitors')],
  ['quobyte', quobyteErrors],
  [
    'downwardAPI',
    (path, source) => [...modeErrors(`${path}.defaultMode`, source['defaultMode']), ...fileErrors(path, source)],
  ],
  ['fc', fibreErrors],
  ['flexVolume', flexErrors],
  ['configMap', (path, source) => [...needed(path, source, 'name'), ...itemErrors(path, source)]],
  ['azureFile', (path, source) => [...needed(path, source, 'secretName'), ...needed(path, source, 'shareName')]],
  ['vsphereVolume', (path, source) => needed(path, source, 'volumePath')],
  ['photonPersistentDisk', (path, source) => needed(path, source, 'pdID')],
  ['portworxVolume', (path, source) => needed(path, source, 'volumeID')],
  ['azureDisk', azureDiskErrors],
  ['storageos', storageOsErrors],
  ['projected', projectedErrors],
  ['scaleIO', (path, source) => ['gateway', 'system', 'volumeName'].flatMap((name) => needed(path, source, name))],
  ['csi', csiErrors],
  ['ephemeral', ephemeralErrors],
  ['image', imageErrors],
];

/** The paths that upstream writes in another way than the field's name. */
const ODD_PATHS: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };
const ODD_SURPLUS: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

function sourceErrors(path: string, volume: JsonObject): FieldError[] {
  return firstSourceErrors(path, volume, SOURCES);
}

/** Checks the first source that an object gives; the others are too many. */
export function firstSourceErrors(
  path: string,
  object: JsonObject,
  sources: readonly (readonly [string, SourceCheck])[],
): FieldError[] {
  const errors: FieldError[] = [];
  let isFirst = true;
  for (const [name, check] of sources) {
    const source = objectAt(object, name);
    if (source === undefined) continue;
    if (isFirst) errors.push(...check(`${path}.${ODD_PATHS[name] ?? name}`, source));
    else {
      errors.push(forbiddenField(`${path}.${ODD_SURPLUS[name] ?? name}`, 'may not specify more than 1 volume type'));
    }
    isFirst = false;
  }
  return isFirst ? [requiredValue(path, 'must specify a volume type')] : errors;
}

function emptyDirErrors(path: string, source: JsonObject): FieldError[] {
  if (!isNegativeAmount(source['sizeLimit'])) return [];
  return [forbiddenField(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')];
}

function imageErrors(path: string, source: JsonObject): FieldError[] {
  const policies = ['Always', 'IfNotPresent', 'Never'];
  return [...needed(path, source, 'reference'), ...oneOf(`${path}.pullPolicy`, source['pullPolicy'], policies, true)];
}

/** The claim that is made for a volume. */
function ephemeralErrors(path: string, source: JsonObject): FieldError[] {
  const template = objectAt(source, 'volumeClaimTemplate');
  const at = `${path}.volumeClaimTemplate`;
  if (template === undefined) return [requiredValue(at)];
  return [
    ...labels(`${at}.metadata.labels`, objectAt(template, 'metadata')?.['labels']),
    ...claimSpecErrors(`${at}.spec`, objectAt(template, 'spec') ?? {}),
  ];
}

const MODE_TEXT = 'must be a number between 0 and 0777 (octal), both inclusive';

function modeErrors(field: string, mode: JsonValue | undefined): FieldError[] {
  return typeof mode === 'number' && (mode < 0 || mode > 0o777) ? [invalidValue(field, mode, MODE_TEXT)] : [];
}

/** A path of a file below the volume. */
function filePathErrors(field: string, text: string): FieldError[] {
  const errors = localPath(field, text);
  if (!text.startsWith('..') || text.startsWith('../')) return errors;
  return [...errors, invalidValue(field, text, "must not start with '..'")];
}

function neededFilePath(field: string, text: string): FieldError[] {
  return text === '' ? [requiredValue(field)] : filePathErrors(field, text);
}

/** The files that a source projects, by keys. */
function itemErrors(path: string, source: JsonObject): FieldError[] {
  const errors = modeErrors(`${path}.defaultMode`, source['defaultMode']);
  for (const [i, item] of objectsAt(source, 'items').entries()) {
    const at = `${path}.items[${i}]`;
    errors.push(
      ...needed(at, item, 'key'),
      ...neededFilePath(`${at}.path`, textAt(item, 'path')),
      ...modeErrors(`${at}.mode`, item['mode']),
    );
  }
  return errors;
}

/** The files that hold what is known of the pod. Upstream names the source, and not its items. */
function fileErrors(path: string, source: JsonObject): FieldError[] {
  return objectsAt(source, 'items').flatMap((file) => {
    const [field, resource] = [objectAt(file, 'fieldRef'), objectAt(file, 'resourceFieldRef')];
    const errors = neededFilePath(`${path}.path`, textAt(file, 'path'));
    if (field !== undefined) {
      errors.push(...fieldRefErrors(`${path}.fieldRef`, field, VOLUME_FIELDS));
      const why = 'fieldRef and resourceFieldRef can not be specified simultaneously';
      if (resource !== undefined) errors.push(invalidValue(path, 'resource', why));
    } else if (resource !== undefined) {
      errors.push(...resourceRefErrors(`${path}.resourceFieldRef`, resource, true));
    } else errors.push(requiredValue(path, 'one of fieldRef and resourceFieldRef is required'));
    return [...errors, ...modeErrors(`${path}.mode`, file['mode'])];
  });
}

const TOKEN_SECONDS = { min: 600, max: 2 ** 32 };

function tokenErrors(path: string, at: string, token: JsonObject): FieldError[] {
  const seconds = token['expirationSeconds'];
  const errors: FieldError[] = [];
  if (typeof seconds === 'number' && seconds < TOKEN_SECONDS.min) {
    errors.push(invalidValue(`${at}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'));
  }
  if (typeof seconds === 'number' && seconds > TOKEN_SECONDS.max) {
    errors.push(
      invalidValue(`${at}.expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds'),
    );
  }
  return [...errors, ...neededFilePath(`${path}.path`, textAt(token, 'path'))];
}

function projectedErrors(path: string, source: JsonObject): FieldError[] {
  const errors = modeErrors(`${path}.defaultMode`, source['defaultMode']);
  const paths = new Set<string>();
  const claim = (text: string, owner: string): void => {
    if (text !== '' && paths.has(text)) errors.push(invalidValue(path, owner, 'conflicting duplicate paths'));
    paths.add(text);
  };
  for (const [i, each] of objectsAt(source, 'sources').entries()) {
    const at = `${path}.sources[${i}]`;
    const given = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle'].filter(
      (name) => objectAt(each, name) !== undefined,
    );
    for (const name of given) {
      const part = objectAt(each, name) as JsonObject;
      if (name === 'serviceAccountToken') errors.push(...tokenErrors(path, `${at}.${name}`, part));
      else if (name === 'downwardAPI') errors.push(...fileErrors(`${at}.${name}`, part));
      else if (name !== 'clusterTrustBundle') {
        errors.push(...needed(`${at}.${name}`, part, 'name'), ...itemErrors(`${at}.${name}`, part));
      }
      for (const item of objectsAt(part, 'items')) {
        const text = textAt(item, 'path');
        claim(text, name === 'downwardAPI' ? text : textAt(part, 'name'));
      }
    }
    if (given.length > 1) errors.push(forbiddenField(at, 'may not specify more than 1 volume type per source'));
  }
  return errors;
}

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

export function accessModeErrors(field: string, modes: readonly JsonValue[]): FieldError[] {
  const errors = modes.flatMap((mode) => oneOf(field, mode, ACCESS_MODES));
  const isShared = modes.some((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(String(mode)));
  if (isShared && modes.includes('ReadWriteOncePod')) {
    errors.push(forbiddenField(field, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}

/** The spec of a claim, also within templates. */
export function claimSpecErrors(field: string, spec: JsonObject): FieldError[] {
  const modes = Array.isArray(spec['accessModes']) ? spec['accessModes'] : [];
  const errors: FieldError[] = [];
  if (modes.length === 0) errors.push(requiredValue(`${field}.accessModes`, 'at least 1 access mode is required'));
  errors.push(...labelSelector(`${field}.selector`, objectAt(spec, 'selector')));
  errors.push(...accessModeErrors(`${field}.accessModes`, modes));
  const storage = objectAt(objectAt(spec, 'resources'), 'requests')?.['storage'];
  if (storage === undefined) errors.push(requiredValue(`${field}.resources[storage]`));
  else if (isNegativeAmount(storage) || storage === '0') {
    errors.push(invalidValue(`${field}.resources[storage]`, storage, 'must be greater than zero'));
  }
  const storageClass = textAt(spec, 'storageClassName');
  if (storageClass !== '') errors.push(...dnsSubdomain(`${field}.storageClassName`, storageClass));
  errors.push(...oneOf(`${field}.volumeMode`, spec['volumeMode'], ['Block', 'Filesystem']));
  errors.push(...dataSourceErrors(field, spec));
  const attributes = textAt(spec, 'volumeAttributesClassName');
  if (attributes !== '') errors.push(...dnsSubdomain(`${field}.volumeAttributesClassName`, attributes));
  return errors;
}

/** Checks where a claim takes its data from, which two fields say (validateDataSource, validateDataSourceRef). */
function dataSourceErrors(field: string, spec: JsonObject): FieldError[] {
  const [source, ref] = [objectAt(spec, 'dataSource'), objectAt(spec, 'dataSourceRef')];
  const errors: FieldError[] = [];
  for (const [name, object] of [['dataSource', source] as const, ['dataSourceRef', ref] as const]) {
    if (object === undefined) continue;
    const at = `${field}.${name}`;
    const [kind, group] = [textAt(object, 'kind'), textAt(object, 'apiGroup')];
    errors.push(...needed(at, object, 'name'), ...needed(at, object, 'kind'));
    if (group === '' && kind !== 'PersistentVolumeClaim') {
      errors.push(invalidValue(at, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
    }
    if (group !== '') errors.push(...dnsSubdomain(`${at}.apiGroup`, group));
  }
  const namespace = textAt(ref, 'namespace');
  if (namespace !== '') errors.push(...dnsLabel(`${field}.dataSourceRef.namespace`, namespace));
  if (source === undefined || ref === undefined) return errors;
  const isSame = ['apiGroup', 'kind', 'name'].every((name) => textAt(source, name) === textAt(ref, name));
  const why =
    namespace === '' ? 'must match dataSourceRef' : 'may not be specified when dataSourceRef.namespace is specified';
  // The value is a path of upstream's, which has no public members.
  if (namespace !== '' || !isSame) errors.push(invalidValue(field, {}, why));
  return errors;
}
