import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { notFound, oneOf } from './checks.ts';
import { localPath, noBackSteps } from './paths.ts';

/** Checks of a container's mounts and block devices (ValidateVolumeMounts, ValidateVolumeDevices). */

export function mountErrors(path: string, container: JsonObject, volumes: readonly JsonObject[]): FieldError[] {
  const mounts = objectsAt(container, 'volumeMounts');
  const devices = objectsAt(container, 'volumeDevices');
  return [
    ...pathErrors(`${path}.volumeMounts`, container, volumes, devices),
    ...deviceErrors(`${path}.volumeDevices`, devices, volumes, mounts),
  ];
}

function textsOf(objects: readonly JsonObject[], name: string): Set<string> {
  return new Set(objects.map((object) => textAt(object, name)));
}

function pathErrors(
  field: string,
  container: JsonObject,
  volumes: readonly JsonObject[],
  devices: readonly JsonObject[],
): FieldError[] {
  const [deviceNames, devicePaths] = [textsOf(devices, 'name'), textsOf(devices, 'devicePath')];
  const names = textsOf(volumes, 'name');
  const seen = new Set<string>();
  return objectsAt(container, 'volumeMounts').flatMap((mount, i) => {
    const at = `${field}[${i}]`;
    const errors: FieldError[] = [];
    const [name, target] = [textAt(mount, 'name'), textAt(mount, 'mountPath')];
    if (name === '') errors.push(requiredValue(`${at}.name`));
    if (!names.has(name)) errors.push(notFound(`${at}.name`, name));
    if (target === '') errors.push(requiredValue(`${at}.mountPath`));
    if (seen.has(target)) errors.push(invalidValue(`${at}.mountPath`, target, 'must be unique'));
    seen.add(target);
    if (deviceNames.has(name)) {
      errors.push(invalidValue(`${at}.name`, name, 'must not already exist in volumeDevices'));
    }
    if (devicePaths.has(target)) {
      errors.push(invalidValue(`${at}.mountPath`, target, 'must not already exist as a path in volumeDevices'));
    }
    return [...errors, ...optionErrors(field, at, mount, container)];
  });
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];

/** Checks the options of a mount. Upstream leaves the index out of most of their paths. */
function optionErrors(field: string, at: string, mount: JsonObject, container: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const [sub, subExpression] = [textAt(mount, 'subPath'), textAt(mount, 'subPathExpr')];
  if (sub !== '') errors.push(...localPath(`${field}.subPath`, sub));
  if (subExpression !== '') {
    const why = 'subPathExpr and subPath are mutually exclusive';
    if (sub !== '') errors.push(invalidValue(`${at}.subPathExpr`, subExpression, why));
    errors.push(...localPath(`${field}.subPathExpr`, subExpression));
  }
  const propagation = mount['mountPropagation'];
  errors.push(...oneOf(`${field}.mountPropagation`, propagation, PROPAGATIONS));
  if (propagation === 'Bidirectional' && objectAt(container, 'securityContext')?.['privileged'] !== true) {
    const why = 'Bidirectional mount propagation is available only to privileged containers';
    errors.push(forbiddenField(`${field}.mountPropagation`, why));
  }
  return [...errors, ...readOnlyErrors(`${field}.recursiveReadOnly`, mount)];
}

function readOnlyErrors(field: string, mount: JsonObject): FieldError[] {
  const mode = mount['recursiveReadOnly'];
  if (mode === undefined || mode === 'Disabled') return [];
  if (mode !== 'Enabled' && mode !== 'IfPossible') {
    return oneOf(field, mode, ['Disabled', 'Enabled', 'IfPossible']);
  }
  const errors: FieldError[] = [];
  if (mount['readOnly'] !== true) errors.push(forbiddenField(field, 'may only be specified when readOnly is true'));
  if ((mount['mountPropagation'] ?? 'None') !== 'None') {
    errors.push(forbiddenField(field, 'may only be specified when mountPropagation is None or not specified'));
  }
  return errors;
}

const NO_CLAIM = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';

function deviceErrors(
  field: string,
  devices: readonly JsonObject[],
  volumes: readonly JsonObject[],
  mounts: readonly JsonObject[],
): FieldError[] {
  const [mountNames, mountPaths] = [textsOf(mounts, 'name'), textsOf(mounts, 'mountPath')];
  const [names, paths] = [new Set<string>(), new Set<string>()];
  return devices.flatMap((device, i) => {
    const at = `${field}[${i}]`;
    const errors: FieldError[] = [];
    const [name, path] = [textAt(device, 'name'), textAt(device, 'devicePath')];
    const volume = volumes.find((each) => each['name'] === name);
    if (name === '') errors.push(requiredValue(`${at}.name`));
    if (names.has(name)) errors.push(invalidValue(`${at}.name`, name, 'must be unique'));
    if (volume === undefined) errors.push(notFound(`${at}.name`, name));
    else if (!volume['persistentVolumeClaim'] && !volume['ephemeral']) {
      errors.push(invalidValue(`${at}.name`, name, NO_CLAIM));
    }
    if (path === '') errors.push(requiredValue(`${at}.devicePath`));
    if (paths.has(path)) errors.push(invalidValue(`${at}.devicePath`, path, 'must be unique'));
    if (noBackSteps('', path).length > 0) {
      errors.push(invalidValue(`${at}.devicePath`, path, "can not contain backsteps ('..')"));
    } else paths.add(path);
    if (mountNames.has(name)) errors.push(invalidValue(`${at}.name`, name, 'must not already exist in volumeMounts'));
    if (mountPaths.has(path)) {
      errors.push(invalidValue(`${at}.devicePath`, path, 'must not already exist as a path in volumeMounts'));
    }
    if (name !== '') names.add(name);
    return errors;
  });
}
