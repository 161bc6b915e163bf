import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, tooMany, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsLabelProblems, duplicate, notFound, oneOf, portNameProblems, portNumber } from './checks.ts';
import { resourceErrors } from './compute-resources.ts';
import { environmentErrors } from './environment.ts';
import { mountErrors } from './mounts.ts';
import { lifecycleErrors, probeErrors } from './probes.ts';
import { containerSecurityErrors } from './security-contexts.ts';

/** Checks of the containers of a pod spec (pkg/apis/core/validation: validateContainers and its kin). */

export interface ContainerContext {
  readonly volumes: readonly JsonObject[];
  readonly claimNames: ReadonlySet<string>;
  readonly restartPolicy: string;
  /** The time that the containers have to end; undefined if it is unknown. */
  readonly graceSeconds: number | undefined;
  /** Whether the pod has the users of its host. */
  readonly hasHostUsers: boolean;
}

export function containerErrors(field: string, spec: JsonObject, context: ContainerContext): FieldError[] {
  const containers = objectsAt(spec, 'containers');
  if (containers.length === 0) return [requiredValue(field)];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, container] of containers.entries()) {
    const path = `${field}[${i}]`;
    const name = textAt(container, 'name');
    errors.push(...commonErrors(path, container, context));
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    errors.push(...lifecycleErrors(`${path}.lifecycle`, objectAt(container, 'lifecycle'), context.graceSeconds));
    errors.push(...probesOf(path, container, context), ...restartPolicyErrors(path, container));
  }
  return [...errors, ...hostPortErrors(field, containers)];
}

/** Ports of the host that several of these containers want. */
function hostPortErrors(field: string, containers: readonly JsonObject[]): FieldError[] {
  const errors: FieldError[] = [];
  const taken = new Set<string>();
  for (const [i, container] of containers.entries()) {
    for (const [p, port] of objectsAt(container, 'ports').entries()) {
      if (!port['hostPort']) continue;
      const key = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${String(port['hostPort'])}`;
      if (taken.has(key)) errors.push(duplicate(`${field}[${i}].ports[${p}].hostPort`, key));
      taken.add(key);
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
    errors.push(...commonErrors(path, container, context), ...restartPolicyErrors(path, container));
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    else if (name !== '') names.add(name);
    // Each runs alone, so that only its own ports collide. Upstream names the first container in any case.
    errors.push(...hostPortErrors(field, [container]));
    if (container['restartPolicy'] === 'Always') {
      errors.push(
        ...lifecycleErrors(`${path}.lifecycle`, objectAt(container, 'lifecycle'), context.graceSeconds),
        ...probesOf(path, container, context),
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
    const errors = [...commonErrors(path, container, context), ...imageSpaceErrors(path, container)];
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
  const policy = container['restartPolicy'];
  const rules = objectsAt(container, 'restartPolicyRules');
  const errors = oneOf(`${path}.restartPolicy`, policy, RESTART_POLICIES);
  if (policy === undefined && rules.length > 0) {
    errors.push(requiredValue(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used'));
  }
  const at = `${path}.restartPolicyRules`;
  if (rules.length > RULES_MAX) errors.push(tooMany(at, rules.length, RULES_MAX));
  return [...errors, ...rules.flatMap((rule, i) => restartRuleErrors(`${at}[${i}]`, rule))];
}

const RULES_MAX = 20;
const EXIT_CODES_MAX = 255;
const RESTART_ACTIONS = ['Restart', 'RestartAllContainers'];

/** A rule by which a container is restarted after some exit codes. */
function restartRuleErrors(field: string, rule: JsonObject): FieldError[] {
  const action = textAt(rule, 'action');
  const errors = RESTART_ACTIONS.includes(action) ? [] : [unsupportedValue(`${field}.action`, action, RESTART_ACTIONS)];
  const codes = objectAt(rule, 'exitCodes');
  if (codes === undefined) return [...errors, requiredValue(`${field}.exitCodes`, 'must be specified')];
  const operator = textAt(codes, 'operator');
  const operators = ['In', 'NotIn'];
  if (!operators.includes(operator)) errors.push(unsupportedValue(`${field}.exitCodes.operator`, operator, operators));
  const count = Array.isArray(codes['values']) ? codes['values'].length : 0;
  return count > EXIT_CODES_MAX ? [...errors, tooMany(`${field}.exitCodes.values`, count, EXIT_CODES_MAX)] : errors;
}

function probesOf(path: string, container: JsonObject, { graceSeconds }: ContainerContext): FieldError[] {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) =>
    probeErrors(`${path}.${name}`, objectAt(container, name), name !== 'readinessProbe', graceSeconds),
  );
}

/** Blanks around an image, which templates may have, but pods may not (validateContainerOnlyForPod). */
export function imageSpaceErrors(path: string, container: JsonObject): FieldError[] {
  const image = textAt(container, 'image');
  if (image === image.trim()) return [];
  return [invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace')];
}

function commonErrors(path: string, container: JsonObject, context: ContainerContext): FieldError[] {
  const errors: FieldError[] = [];
  const name = textAt(container, 'name');
  if (name === '') errors.push(requiredValue(`${path}.name`));
  else errors.push(...dnsLabelProblems(name).map((why) => invalidValue(`${path}.name`, name, why)));
  if (textAt(container, 'image') === '') errors.push(requiredValue(`${path}.image`));
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
    ...containerSecurityErrors(`${path}.securityContext`, objectAt(container, 'securityContext'), context.hasHostUsers),
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

function resizeErrors(field: string, container: JsonObject, { restartPolicy }: ContainerContext): FieldError[] {
  const policies = objectsAt(container, 'resizePolicy');
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, policy] of policies.entries()) {
    const name = textAt(policy, 'resourceName');
    if (seen.has(name)) errors.push(duplicate(`${field}[${i}]`, name));
    seen.add(name);
    errors.push(...oneOf(field, name, ['cpu', 'memory'], true));
    errors.push(...oneOf(field, policy['restartPolicy'], ['NotRequired', 'RestartContainer'], true));
    if (restartPolicy === 'Never' && policy['restartPolicy'] !== 'NotRequired') {
      const given = textAt(policy, 'restartPolicy');
      errors.push(invalidValue(field, given, "must be 'NotRequired' when `restartPolicy` is 'Never'"));
    }
  }
  return errors;
}
