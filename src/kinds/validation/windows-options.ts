import { objectAt, objectsAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsSubdomain } from './checks.ts';

/** Checks of what pods say for Windows, and of pods that name their operating system. */

const SPEC_KIB_MAX = 64;
const DOMAIN_LENGTH = 256;
const USER_LENGTH_MAX = 104;
const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const DNS_DOMAIN = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Checks `windowsOptions` of a security context (validateWindowsSecurityContextOptions). */
export function windowsOptionErrors(field: string, options: JsonObject | undefined): FieldError[] {
  if (options === undefined) return [];
  const errors: FieldError[] = [];
  const name = options['gmsaCredentialSpecName'];
  if (typeof name === 'string') errors.push(...dnsSubdomain(`${field}.gmsaCredentialSpecName`, name));
  const spec = options['gmsaCredentialSpec'];
  if (spec === '') {
    errors.push(invalidValue(`${field}.gmsaCredentialSpec`, spec, 'gmsaCredentialSpec cannot be an empty string'));
  } else if (typeof spec === 'string' && Buffer.byteLength(spec) > SPEC_KIB_MAX * 1024) {
    const why = `gmsaCredentialSpec size must be under ${SPEC_KIB_MAX} KiB`;
    errors.push(invalidValue(`${field}.gmsaCredentialSpec`, spec, why));
  }
  const user = options['runAsUserName'];
  if (typeof user === 'string') {
    errors.push(...userProblems(user).map((why) => invalidValue(`${field}.runAsUserName`, user, why)));
  }
  return errors;
}

/** The problems of a user's name, which may have a domain in front: `domain\user`. */
function userProblems(text: string): string[] {
  if (text === '') return ['runAsUserName cannot be an empty string'];
  if (CONTROL.test(text)) return ['runAsUserName cannot contain control characters'];
  const parts = text.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) as string;
  const domain = parts.length === 2 ? parts[0] : undefined;
  const problems: string[] = [];
  if (domain !== undefined && domain.length >= DOMAIN_LENGTH) {
    problems.push(`runAsUserName's Domain length must be under ${DOMAIN_LENGTH} characters`);
  }
  if (domain !== undefined && !NET_BIOS.test(domain) && !DNS_DOMAIN.test(domain)) {
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === '') problems.push("runAsUserName's User cannot be empty");
  else if (user.length > USER_LENGTH_MAX) {
    problems.push(`runAsUserName's User length must not be longer than ${USER_LENGTH_MAX} characters`);
  }
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  }
  return problems;
}

/** The containers of a pod spec, with their paths, in the order in which upstream visits them. */
function containersOf(field: string, spec: JsonObject): { readonly path: string; readonly container: JsonObject }[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((name) =>
    objectsAt(spec, name).map((container, i) => ({ path: `${field}.${name}[${i}]`, container })),
  );
}

function hostProcessOf(owner: JsonObject): boolean | undefined {
  const value = objectAt(objectAt(owner, 'securityContext'), 'windowsOptions')?.['hostProcess'];
  return typeof value === 'boolean' ? value : undefined;
}

/** Checks containers that run as processes of a Windows host (validateWindowsHostProcessPod). */
export function hostProcessErrors(field: string, spec: JsonObject): FieldError[] {
  const ofPod = hostProcessOf(spec);
  const containers = containersOf(field, spec);
  const errors: FieldError[] = [];
  let count = 0;
  for (const { path, container } of containers) {
    const own = hostProcessOf(container);
    if (own !== undefined && ofPod !== undefined && own !== ofPod) {
      const why = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.push(invalidValue(`${path}.securityContext.windowsOptions.hostProcess`, own, why));
    }
    if (own ?? ofPod) count++;
  }
  if (count === 0) return errors;
  if (count !== containers.length) {
    const why = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    errors.push(invalidValue(field, '', why));
  }
  if (spec['hostNetwork'] !== true) {
    const why = 'hostNetwork must be true if pod contains any hostProcess containers';
    errors.push(invalidValue(`${field}.hostNetwork`, false, why));
  }
  return errors;
}

const NOT_ON_LINUX = 'windows options cannot be set for a linux pod';
const NOT_ON_WINDOWS = 'cannot be set for a windows pod';

/** The members that a Windows pod may not have, in the spec (with a slash in front) or in its security context. */
const OF_LINUX_PODS = [
  ...['appArmorProfile', 'seLinuxOptions', '/hostUsers', '/hostPID', '/hostIPC', 'seccompProfile', 'fsGroup'],
  ...['fsGroupChangePolicy', 'sysctls', '/shareProcessNamespace', 'runAsUser', 'runAsGroup', 'supplementalGroups'],
  ...['supplementalGroupsPolicy', 'seLinuxChangePolicy'],
];
const OF_LINUX_CONTAINERS = [
  ...['appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'capabilities', 'readOnlyRootFilesystem', 'privileged'],
  ...['allowPrivilegeEscalation', 'procMount', 'runAsUser', 'runAsGroup'],
];

/** Checks what a pod of a known operating system may not have (validateLinux, validateWindows). */
export function operatingSystemErrors(field: string, spec: JsonObject, os: string): FieldError[] {
  const context = objectAt(spec, 'securityContext') ?? {};
  const errors: FieldError[] = [];
  if (os === 'linux' && context['windowsOptions'] !== undefined) {
    errors.push(forbiddenField(`${field}.securityContext.windowsOptions`, NOT_ON_LINUX));
  }
  if (os === 'windows') {
    for (const name of OF_LINUX_PODS) {
      const isOfSpec = name.startsWith('/');
      const value = isOfSpec ? spec[name.slice(1)] : context[name];
      const isFlag = name === '/hostPID' || name === '/hostIPC';
      const isGiven = isFlag ? value === true : value !== undefined && !(name === 'sysctls' && isEmptyList(value));
      const path = isOfSpec ? `${field}.${name.slice(1)}` : `${field}.securityContext.${name}`;
      if (isGiven) errors.push(forbiddenField(path, NOT_ON_WINDOWS));
    }
  }
  for (const { path, container } of containersOf(field, spec)) {
    const own = objectAt(container, 'securityContext') ?? {};
    const names = os === 'linux' ? ['windowsOptions'] : OF_LINUX_CONTAINERS;
    const why = os === 'linux' ? NOT_ON_LINUX : NOT_ON_WINDOWS;
    for (const name of names) {
      if (own[name] !== undefined) errors.push(forbiddenField(`${path}.securityContext.${name}`, why));
    }
  }
  return errors;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
