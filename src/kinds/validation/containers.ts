import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsLabelProblems, duplicate, notFound, oneOf, portNameProblems, portNumber } from './checks.ts';
import { resourceErrors } from './compute-resources.ts';
import { environmentErrors } from './environment.ts';
import { internalJson } from './internal-json.ts';
import { lifecycleErrors, probeErrors } from './probes.ts';

/** Checks of the containers of a pod spec (pkg/apis/core/validation: validateContainers and its kin). */

export interface ContainerContext {
  readonly volumes: readonly JsonObject[];
  readonly claimNames: ReadonlySet<string>;
  readonly restartPolicy: string;
}

export function containerErrors(field: string, spec: JsonObject, context: ContainerContext): FieldError[] {
  const containers = objectsAt(spec, 'containers');
  if (containers.length === 0) return [requiredValue(field)];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  const hostPorts = new Set<string>();
  for (const [i, container] of containers.entries()) {
    const path = `${field}[${i}]`;
    const name = textAt(container, 'name');
    errors.push(...commonErrors(path, container, context));
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    else if (name !== '') names.add(name);
    errors.push(...lifecycleErrors(`${path}.lifecycle`, objectAt(container, 'lifecycle')));
    errors.push(...probesOf(path, container), ...restartPolicyErrors(path, container));
    for (const [p, port] of objectsAt(container, 'ports').entries()) {
      if (!port['hostPort']) continue;
      const key = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${String(port['hostPort'])}`;
      if (hostPorts.has(key)) errors.push(duplicate(`${path}.ports[${p}].hostPort`, key));
      hostPorts.add(key);
    }
  }
  return errors;
}

export function initContainerErrors(field: string, spec: JsonObject, context: ContainerContext): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set(objectsAt(spec, 'containers').map((container) => textAt(container, 'name')));
  for (const [i, container] of objectsAt(spec, 'initContainers').entries()) {
    const path = `${field}[${i}]`;
    const name = textAt(container, 'name');
    errors.push(...commonErrors(path, container, context));
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    else if (name !== '') names.add(name);
    errors.push(...restartPolicyErrors(path, container));
    if (container['restartPolicy'] === 'Always') {
      errors.push(
        ...lifecycleErrors(`${path}.lifecycle`, objectAt(container, 'lifecycle')),
        ...probesOf(path, container),
      );
      continue;
    }
    for (const part of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) {
      if (container[part] === undefined) continue;
      const why = 'may not be set for init containers without restartPolicy=Always';
      errors.push(forbiddenField(`${path}.${part}`, why));
    }
  }
  return errors;
}

const NOT_FOR_DEBUGGING = [
  ...['ports', 'resources', 'resizePolicy', 'restartPolicy', 'restartPolicyRules', 'livenessProbe'],
  ...['readinessProbe', 'startupProbe', 'lifecycle'],
];

/** Containers for debugging may be added only later, through their own subresource. */
export function ephemeralContainerErrors(field: string, spec: JsonObject, context: ContainerContext): FieldError[] {
  const others = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
  const targets = new Set(others.map((container) => textAt(container, 'name')));
  const names = new Set(targets);
  return objectsAt(spec, 'ephemeralContainers').flatMap((container, i) => {
    const path = `${field}[${i}]`;
    const errors = commonErrors(path, container, context);
    const [name, target] = [textAt(container, 'name'), textAt(container, 'targetContainerName')];
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    if (target !== '' && !targets.has(target)) errors.push(notFound(`${path}.targetContainerName`, target));
    for (const part of NOT_FOR_DEBUGGING.filter((each) => isGiven(container[each]))) {
      errors.push(forbiddenField(`${path}.${part}`, NO_DEBUGGING));
    }
    for (const [m, mount] of objectsAt(container, 'volumeMounts').entries()) {
      for (const part of ['subPath', 'subPathExpr'].filter((each) => textAt(mount, each) !== '')) {
        errors.push(forbiddenField(`${path}.volumeMounts[${m}].${part}`, NO_DEBUGGING));
      }
    }
    return errors;
  });
}

const NO_DEBUGGING = 'cannot be set for an Ephemeral Container';

function isGiven(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== undefined;
}

const RESTART_POLICIES = ['Always', 'Never', 'OnFailure'];

function restartPolicyErrors(path: string, container: JsonObject): FieldError[] {
  return oneOf(`${path}.restartPolicy`, container['restartPolicy'], RESTART_POLICIES);
}

function probesOf(path: string, container: JsonObject): FieldError[] {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) =>
    probeErrors(`${path}.${name}`, objectAt(container, name), name !== 'readinessProbe'),
  );
}

function commonErrors(path: string, container: JsonObject, context: ContainerContext): FieldError[] {
  const errors: FieldError[] = [];
  const name = textAt(container, 'name');
  if (name === '') errors.push(requiredValue(`${path}.name`));
  else errors.push(...dnsLabelProblems(name).map((why) => invalidValue(`${path}.name`, name, why)));
  const image = textAt(container, 'image');
  if (image === '') errors.push(requiredValue(`${path}.image`));
  else if (image !== image.trim()) {
    errors.push(invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace'));
  }
  const policies = ['File', 'FallbackToLogsOnError'];
  const policy = textAt(container, 'terminationMessagePolicy');
  if (policy === '') errors.push(requiredValue(`${path}.terminationMessagePolicy`));
  else if (!policies.includes(policy)) {
    errors.push(unsupportedValue(`${path}.terminationMessagePolicy`, policy, policies));
  }
  errors.push(
    ...portErrors(`${path}.ports`, objectsAt(container, 'ports')),
    ...environmentErrors(path, container),
    ...mountErrors(path, container, context.volumes),
    ...oneOf(`${path}.imagePullPolicy`, container['imagePullPolicy'], ['Always', 'IfNotPresent', 'Never'], true),
    ...resourceErrors(`${path}.resources`, objectAt(container, 'resources'), context.claimNames),
    ...resizeErrors(`${path}.resizePolicy`, container, context),
    ...securityErrors(`${path}.securityContext`, objectAt(container, 'securityContext')),
  );
  return errors;
}

function portErrors(field: string, ports: readonly JsonObject[]): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const path = `${field}[${i}]`;
    const name = textAt(port, 'name');
    if (name !== '') {
      const problems = portNameProblems(name);
      if (problems.length > 0) errors.push(...problems.map((why) => invalidValue(`${path}.name`, name, why)));
      else if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
      names.add(name);
    }
    if (!port['containerPort']) errors.push(requiredValue(`${path}.containerPort`));
    else errors.push(...portNumber(`${path}.containerPort`, port['containerPort']));
    if (port['hostPort']) errors.push(...portNumber(`${path}.hostPort`, port['hostPort']));
    errors.push(...oneOf(`${path}.protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP'], true));
  }
  return errors;
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];

function mountErrors(path: string, container: JsonObject, volumes: readonly JsonObject[]): FieldError[] {
  const errors: FieldError[] = [];
  const mountPaths = new Set<string>();
  const isClaim = (name: string): boolean | undefined => {
    const volume = volumes.find((each) => each['name'] === name);
    return volume === undefined ? undefined : Boolean(volume['persistentVolumeClaim'] ?? volume['ephemeral']);
  };
  for (const [i, mount] of objectsAt(container, 'volumeMounts').entries()) {
    const at = `${path}.volumeMounts[${i}]`;
    const name = textAt(mount, 'name');
    if (name === '') errors.push(requiredValue(`${at}.name`));
    else if (isClaim(name) === undefined) errors.push(notFound(`${at}.name`, name));
    const target = textAt(mount, 'mountPath');
    if (target === '') errors.push(requiredValue(`${at}.mountPath`));
    else if (mountPaths.has(target)) errors.push(invalidValue(`${at}.mountPath`, target, 'must be unique'));
    mountPaths.add(target);
    const [sub, subExpression] = [textAt(mount, 'subPath'), textAt(mount, 'subPathExpr')];
    if (sub !== '') errors.push(...relativePath(`${at}.subPath`, sub));
    if (subExpression !== '') {
      if (sub !== '')
        errors.push(invalidValue(`${at}.subPathExpr`, subExpression, 'subPathExpr and subPath are mutually exclusive'));
      errors.push(...relativePath(`${at}.subPathExpr`, subExpression));
    }
    errors.push(...oneOf(`${at}.mountPropagation`, mount['mountPropagation'], PROPAGATIONS));
  }
  for (const [i, device] of objectsAt(container, 'volumeDevices').entries()) {
    const at = `${path}.volumeDevices[${i}]`;
    const name = textAt(device, 'name');
    if (name === '') errors.push(requiredValue(`${at}.name`));
    else if (isClaim(name) === undefined) errors.push(notFound(`${at}.name`, name));
    else if (isClaim(name) === false) {
      const why = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      errors.push(invalidValue(`${at}.name`, name, why));
    }
    if (textAt(device, 'devicePath') === '') errors.push(requiredValue(`${at}.devicePath`));
  }
  return errors;
}

function relativePath(field: string, text: string): FieldError[] {
  if (text.startsWith('/')) return [invalidValue(field, text, 'must be a relative path')];
  return text.split('/').includes('..') ? [invalidValue(field, text, "must not contain '..'")] : [];
}

function resizeErrors(field: string, container: JsonObject, { restartPolicy }: ContainerContext): FieldError[] {
  const policies = objectsAt(container, 'resizePolicy');
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const policy of policies) {
    const name = textAt(policy, 'resourceName');
    if (seen.has(name)) errors.push(duplicate(field, name));
    seen.add(name);
    errors.push(...oneOf(field, name, ['cpu', 'memory'], true));
    errors.push(...oneOf(field, policy['restartPolicy'], ['NotRequired', 'RestartContainer'], true));
    if (restartPolicy === 'Never' && policy['restartPolicy'] === 'RestartContainer') {
      errors.push(invalidValue(field, 'RestartContainer', "must be 'NotRequired' when `restartPolicy` is 'Never'"));
    }
  }
  return errors;
}

function securityErrors(field: string, context: JsonObject | undefined): FieldError[] {
  if (context === undefined) return [];
  const errors = [
    ...idErrors(field, context),
    ...oneOf(`${field}.procMount`, context['procMount'], ['Default', 'Unmasked']),
  ];
  if (context['allowPrivilegeEscalation'] !== false) return errors;
  const shown = internalJson('core/v1.SecurityContext', context);
  if (context['privileged'] === true) {
    errors.push(invalidValue(field, shown, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'));
  }
  const added = objectAt(context, 'capabilities')?.['add'];
  if (Array.isArray(added) && added.some((name) => name === 'CAP_SYS_ADMIN' || name === 'SYS_ADMIN')) {
    const why = 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN';
    errors.push(invalidValue(field, shown, why));
  }
  return errors;
}

const ID_MAX = 2 ** 31 - 1;

/** Users and groups by number. */
export function idErrors(field: string, context: JsonObject): FieldError[] {
  return ['runAsUser', 'runAsGroup'].flatMap((name) => {
    const id = context[name];
    if (typeof id !== 'number' || (id >= 0 && id <= ID_MAX)) return [];
    return [invalidValue(`${field}.${name}`, id, `must be between 0 and ${ID_MAX}, inclusive`)];
  });
}
