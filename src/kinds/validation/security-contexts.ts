import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, tooLong, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { between, duplicate, oneOf } from './checks.ts';
import { internalJson } from './internal-json.ts';
import { localPath } from './paths.ts';
import { windowsOptionErrors } from './windows-options.ts';

/** Checks of the security contexts of pods and containers (validatePodSpecSecurityContext, ValidateSecurityContext). */

const ID_MAX = 2 ** 31 - 1;

function idErrors(field: string, context: JsonObject, names: readonly string[]): FieldError[] {
  return names.flatMap((name) => between(`${field}.${name}`, context[name], 0, ID_MAX));
}

/** Checks the context of a pod. Its host namespaces stand beside it in the spec. */
export function podSecurityErrors(field: string, spec: JsonObject): FieldError[] {
  const context = objectAt(spec, 'securityContext') ?? {};
  const groups = Array.isArray(context['supplementalGroups']) ? context['supplementalGroups'] : [];
  const errors = idErrors(field, context, ['fsGroup', 'runAsUser', 'runAsGroup']);
  for (const [i, group] of groups.entries()) {
    errors.push(...between(`${field}.supplementalGroups[${i}]`, group, 0, ID_MAX));
  }
  if (spec['shareProcessNamespace'] === true && spec['hostPID'] === true) {
    const why = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(invalidValue(`${field}.shareProcessNamespace`, true, why));
  }
  errors.push(
    ...sysctlErrors(`${field}.sysctls`, spec, objectsAt(context, 'sysctls')),
    ...choice(field, context, 'fsGroupChangePolicy', ['Always', 'OnRootMismatch']),
    ...seccompErrors(`${field}.seccompProfile`, objectAt(context, 'seccompProfile')),
    ...windowsOptionErrors(`${field}.windowsOptions`, objectAt(context, 'windowsOptions')),
    ...appArmorErrors(`${field}.appArmorProfile`, objectAt(context, 'appArmorProfile')),
    ...choice(field, context, 'supplementalGroupsPolicy', ['Merge', 'Strict']),
    ...choice(field, context, 'seLinuxChangePolicy', ['MountOption', 'Recursive']),
  );
  return errors;
}

/** Checks that a member, if it is given, is one of these; an empty text is none. */
function choice(field: string, object: JsonObject, name: string, supported: readonly string[]): FieldError[] {
  const value = object[name];
  if (value === undefined || supported.includes(String(value))) return [];
  return [unsupportedValue(`${field}.${name}`, value, supported)];
}

const SYSCTL_PART = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SYSCTL = `^(${SYSCTL_PART}[\\./])*${SYSCTL_PART}$`;
const SYSCTL_MAX = 253;
const SYSCTL_NAME = new RegExp(SYSCTL);

function sysctlErrors(field: string, spec: JsonObject, sysctls: readonly JsonObject[]): FieldError[] {
  const names = new Set<string>();
  return sysctls.flatMap((sysctl, i) => {
    const name = textAt(sysctl, 'name');
    const at = `${field}[${i}].name`;
    const errors: FieldError[] = [];
    if (name === '') errors.push(requiredValue(at));
    else if (name.length > SYSCTL_MAX || !SYSCTL_NAME.test(name)) {
      errors.push(invalidValue(at, name, `must have at most ${SYSCTL_MAX} characters and match regex ${SYSCTL}`));
    } else if (names.has(name)) errors.push(duplicate(at, name));
    names.add(name);
    const host = hostNamespaceOf(name);
    if (host === undefined || spec[host] !== true) return errors;
    return [...errors, invalidValue(at, name, `may not be specified when '${host}' is true`)];
  });
}

/** The member of the spec with which a pod gives up the namespace that the sysctl belongs to. */
function hostNamespaceOf(sysctl: string): 'hostNetwork' | 'hostIPC' | undefined {
  // A name whose first separator is a slash has dots where others have slashes.
  const [separator] = /[./]/.exec(sysctl) ?? [];
  const name = separator === '/' ? sysctl.replace(/[./]/g, (one) => (one === '/' ? '.' : '/')) : sysctl;
  if (name.startsWith('net.')) return 'hostNetwork';
  const isIpc = name === 'kernel.sem' || ['kernel.shm', 'kernel.msg', 'fs.mqueue.'].some((it) => name.startsWith(it));
  return isIpc ? 'hostIPC' : undefined;
}

const PROFILES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function seccompErrors(field: string, profile: JsonObject | undefined): FieldError[] {
  if (profile === undefined) return [];
  const type = textAt(profile, 'type');
  const path = profile['localhostProfile'];
  const at = `${field}.localhostProfile`;
  const errors =
    type === ''
      ? [requiredValue(`${field}.type`, 'type is required when seccompProfile is set')]
      : oneOf(`${field}.type`, type, PROFILES);
  if (type === 'Localhost') {
    if (path === undefined) errors.push(requiredValue(at, 'must be set when seccomp type is Localhost'));
    else errors.push(...localPath(at, String(path)));
  } else if (path !== undefined) {
    const shown = internalJson('core/v1.SeccompProfile', profile);
    errors.push(invalidValue(at, shown, 'can only be set when seccomp type is Localhost'));
  }
  return errors;
}

const APP_ARMOR_MAX = 4095;

function appArmorErrors(field: string, profile: JsonObject | undefined): FieldError[] {
  if (profile === undefined) return [];
  const type = textAt(profile, 'type');
  const name = profile['localhostProfile'];
  const at = `${field}.localhostProfile`;
  if (type === '') return [requiredValue(`${field}.type`, 'type is required when appArmorProfile is set')];
  if (!PROFILES.includes(type)) return [unsupportedValue(`${field}.type`, type, PROFILES)];
  if (type !== 'Localhost') {
    return name === undefined ? [] : [invalidValue(at, name, 'can only be set when AppArmor type is Localhost')];
  }
  const text = String(name ?? '');
  const errors: FieldError[] = [];
  if (text !== text.trim()) errors.push(invalidValue(at, text, 'must not be padded with whitespace'));
  else if (text === '') errors.push(requiredValue(at, 'must be set when AppArmor type is Localhost'));
  if (text.length > APP_ARMOR_MAX) errors.push(tooLong(at, `may not be more than ${APP_ARMOR_MAX} bytes`));
  return errors;
}

/** Checks the context of a container. `hasHostUsers`: the pod has the users of its host. */
export function containerSecurityErrors(
  field: string,
  context: JsonObject | undefined,
  hasHostUsers: boolean,
): FieldError[] {
  if (context === undefined) return [];
  const errors = idErrors(field, context, ['runAsUser', 'runAsGroup']);
  errors.push(...choice(field, context, 'procMount', ['Default', 'Unmasked']));
  if (hasHostUsers && context['procMount'] === 'Unmasked') {
    errors.push(invalidValue(`${field}.procMount`, 'Unmasked', '`hostUsers` must be false to use `Unmasked`'));
  }
  return [
    ...errors,
    ...seccompErrors(`${field}.seccompProfile`, objectAt(context, 'seccompProfile')),
    ...escalationErrors(field, context),
    ...windowsOptionErrors(`${field}.windowsOptions`, objectAt(context, 'windowsOptions')),
    ...appArmorErrors(`${field}.appArmorProfile`, objectAt(context, 'appArmorProfile')),
  ];
}

function escalationErrors(field: string, context: JsonObject): FieldError[] {
  if (context['allowPrivilegeEscalation'] !== false) return [];
  const errors: FieldError[] = [];
  const shown = internalJson('core/v1.SecurityContext', context);
  if (context['privileged'] === true) {
    errors.push(invalidValue(field, shown, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'));
  }
  const added = objectAt(context, 'capabilities')?.['add'];
  for (const name of Array.isArray(added) ? added : []) {
    if (name !== 'CAP_SYS_ADMIN') continue;
    const why = 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN';
    errors.push(invalidValue(field, shown, why));
  }
  return errors;
}

const NOT_BOTH = 'when `pod.Spec.HostUsers` is false';

/** Refuses users of its own for a pod that shares other namespaces with its host (validateHostUsers). */
export function hostUserErrors(field: string, spec: JsonObject): FieldError[] {
  if (spec['hostUsers'] !== false) return [];
  const errors: FieldError[] = [];
  if (spec['hostNetwork'] === true) errors.push(forbiddenField(`${field}.hostNetwork`, NOT_BOTH));
  if (spec['hostPID'] === true) errors.push(forbiddenField(`${field}.HostPID`, NOT_BOTH));
  if (spec['hostIPC'] === true) errors.push(forbiddenField(`${field}.HostIPC`, NOT_BOTH));
  return errors;
}
