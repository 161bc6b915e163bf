import { objectAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue, tooLong, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { between, dnsLabel, dnsSubdomain, dnsSubdomainProblems } from './checks.ts';
import { localPath, noBackSteps } from './paths.ts';

/** Checks of sources that volumes of pods and persistent volumes share. */

export function needed(path: string, source: JsonObject, name: string): FieldError[] {
  return textAt(source, name) === '' ? [requiredValue(`${path}.${name}`)] : [];
}

export function neededList(path: string, source: JsonObject, name: string): FieldError[] {
  return Array.isArray(source[name]) && source[name].length > 0 ? [] : [requiredValue(`${path}.${name}`)];
}

/** The secret that a source names, if it does. */
export function secretErrors(path: string, source: JsonObject, members: readonly string[] = ['name']): FieldError[] {
  const secret = objectAt(source, 'secretRef');
  return secret === undefined ? [] : members.flatMap((name) => needed(`${path}.secretRef`, secret, name));
}

const HOST_PATH_TYPES = [
  ...['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
];

export function hostPathErrors(path: string, source: JsonObject): FieldError[] {
  const text = textAt(source, 'path');
  if (text === '') return [requiredValue(`${path}.path`)];
  const type = textAt(source, 'type');
  const errors = noBackSteps(`${path}.path`, text);
  return HOST_PATH_TYPES.includes(type) ? errors : [...errors, unsupportedValue(`${path}.type`, type, HOST_PATH_TYPES)];
}

export function gitErrors(path: string, source: JsonObject): FieldError[] {
  return [...needed(path, source, 'repository'), ...localPath(`${path}.directory`, textAt(source, 'directory'))];
}

export function partitionErrors(path: string, source: JsonObject): FieldError[] {
  return between(`${path}.partition`, source['partition'], 0, 255);
}

export function nfsErrors(path: string, source: JsonObject): FieldError[] {
  const text = textAt(source, 'path');
  const errors = [...needed(path, source, 'server'), ...needed(path, source, 'path')];
  return text.startsWith('/') ? errors : [...errors, invalidValue(`${path}.path`, text, 'must be an absolute path')];
}

const ISCSI_NAMES: Readonly<Record<string, RegExp>> = {
  iqn: /^iqn\.\d{4}-\d{2}\.([\w.-]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui\.[0-9A-Fa-f]{16}$/,
  naa: /^naa\.[0-9A-Fa-f]{32}$/,
};

function iscsiNameErrors(field: string, text: string, start: string): FieldError[] {
  const form = ISCSI_NAMES[text.slice(0, 3)];
  if (form === undefined) return [invalidValue(field, text, `must be valid format${start}`)];
  return form.test(text) ? [] : [invalidValue(field, text, 'must be valid format')];
}

const STARTS = ' starting with iqn, eui, or naa';

export function iscsiErrors(path: string, source: JsonObject): FieldError[] {
  const [name, initiator] = [textAt(source, 'iqn'), source['initiatorName']];
  const isSecret = source['chapAuthDiscovery'] === true || source['chapAuthSession'] === true;
  return [
    ...needed(path, source, 'targetPortal'),
    ...(name === '' ? [requiredValue(`${path}.iqn`)] : iscsiNameErrors(`${path}.iqn`, name, STARTS)),
    ...between(`${path}.lun`, source['lun'] ?? 0, 0, 255),
    ...(isSecret && source['secretRef'] === undefined ? [requiredValue(`${path}.secretRef`)] : []),
    ...(typeof initiator === 'string' ? iscsiNameErrors(`${path}.initiatorname`, initiator, STARTS) : []),
  ];
}

export function fibreErrors(path: string, source: JsonObject): FieldError[] {
  const listAt = (name: string): string[] => (Array.isArray(source[name]) ? source[name].map(String) : []);
  const [names, ids] = [listAt('targetWWNs'), listAt('wwids')];
  const at = `${path}.targetWWNs`;
  const errors: FieldError[] = [];
  if (names.length === 0 && ids.length === 0) {
    errors.push(requiredValue(at, 'must specify either targetWWNs or wwids, but not both'));
  }
  if (names.length > 0 && ids.length > 0) {
    errors.push(invalidValue(at, names, 'targetWWNs and wwids can not be specified simultaneously'));
  }
  if (names.length === 0) return errors;
  const lun = source['lun'];
  if (lun === undefined) errors.push(requiredValue(`${path}.lun`, 'lun is required if targetWWNs is specified'));
  return [...errors, ...between(`${path}.lun`, lun, 0, 255)];
}

export function flockerErrors(path: string, source: JsonObject): FieldError[] {
  const [name, id] = [textAt(source, 'datasetName'), textAt(source, 'datasetUUID')];
  const errors: FieldError[] = [];
  if (name === '' && id === '') errors.push(requiredValue(path, 'one of datasetName and datasetUUID is required'));
  if (name !== '' && id !== '') {
    errors.push(invalidValue(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  }
  if (name.includes('/')) errors.push(invalidValue(`${path}.datasetName`, name, "must not contain '/'"));
  return errors;
}

const PAIRS = 'must be a host:port pair or multiple pairs separated by commas';

export function quobyteErrors(path: string, source: JsonObject): FieldError[] {
  const registry = textAt(source, 'registry');
  const errors: FieldError[] = [];
  if (registry === '') errors.push(requiredValue(`${path}.registry`, PAIRS));
  else if (textAt(source, 'tenant').length >= 65) {
    errors.push(requiredValue(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'));
  } else {
    for (const pair of registry.split(',')) {
      if (!/^(?:[^:[\]]*|\[[^[\]]*\]):[^:]*$/.test(pair)) {
        errors.push(invalidValue(`${path}.registry`, registry, PAIRS));
      }
    }
  }
  return [...errors, ...needed(path, source, 'volume')];
}

export function flexErrors(path: string, source: JsonObject): FieldError[] {
  const errors = needed(path, source, 'driver');
  for (const key of Object.keys(objectAt(source, 'options') ?? {}).sort()) {
    const domain = key.split('/')[0]?.toLowerCase() ?? '';
    if (!/(?:^|\.)(?:kubernetes|k8s)\.io$/.test(domain)) continue;
    const why = 'kubernetes.io and k8s.io namespaces are reserved';
    errors.push(invalidValue(`${path}.options[${key}]`, key, why));
  }
  return errors;
}

const MANAGED_DISK = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_DISK = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

export function azureDiskErrors(path: string, source: JsonObject): FieldError[] {
  const [kind, uri, caching] = [source['kind'], textAt(source, 'diskURI'), source['cachingMode']];
  const errors = [...needed(path, source, 'diskName'), ...needed(path, source, 'diskURI')];
  const [modes, kinds] = [
    ['None', 'ReadOnly', 'ReadWrite'],
    ['Dedicated', 'Managed', 'Shared'],
  ];
  if (caching !== undefined && !modes.includes(String(caching))) {
    errors.push(unsupportedValue(`${path}.cachingMode`, caching, modes));
  }
  if (kind === undefined) return errors;
  if (!kinds.includes(String(kind))) errors.push(unsupportedValue(`${path}.kind`, kind, kinds));
  const [start, form] = kind === 'Managed' ? ['/subscriptions/', MANAGED_DISK] : ['https://', BLOB_DISK];
  return uri.startsWith(start) ? errors : [...errors, unsupportedValue(`${path}.diskURI`, uri, [form])];
}

export function storageOsErrors(path: string, source: JsonObject): FieldError[] {
  const [name, namespace] = [textAt(source, 'volumeName'), textAt(source, 'volumeNamespace')];
  return [
    ...(name === '' ? [requiredValue(`${path}.volumeName`)] : dnsLabel(`${path}.volumeName`, name)),
    ...(namespace === '' ? [] : dnsLabel(`${path}.volumeNamespace`, namespace)),
    ...secretErrors(path, source),
  ];
}

const DRIVER_LENGTH_MAX = 63;

/** The name of a CSI driver, whose case does not matter (ValidateCSIDriverName). */
export function csiDriverName(field: string, name: string): FieldError[] {
  if (name === '') return [requiredValue(field)];
  const long =
    name.length > DRIVER_LENGTH_MAX ? [tooLong(field, `may not be more than ${DRIVER_LENGTH_MAX} bytes`)] : [];
  return [...long, ...dnsSubdomainProblems(name.toLowerCase()).map((why) => invalidValue(field, name, why))];
}

export function csiErrors(path: string, source: JsonObject): FieldError[] {
  const secret = objectAt(source, 'nodePublishSecretRef');
  const errors = csiDriverName(`${path}.driver`, textAt(source, 'driver'));
  if (secret === undefined) return errors;
  const name = textAt(secret, 'name');
  if (name === '') return [...errors, requiredValue(`${path}.nodePublishSecretRef.name`)];
  return [...errors, ...dnsSubdomain(`${path}.name`, name)];
}
