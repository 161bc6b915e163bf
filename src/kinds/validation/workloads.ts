import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import {
  annotations,
  dnsLabel,
  intOrPercent,
  isEmptySelector,
  labelSelector,
  labels,
  notAboveWhole,
  notNegative,
  oneOf,
  sameJson,
  selectorMatches,
  sortedByKey,
  unchanged,
} from './checks.ts';
import { internalJson } from './internal-json.ts';
import { podAnnotationErrors } from './pod-annotations.ts';
import { podSpecErrors } from './pod-spec.ts';
import { claimSpecErrors } from './volumes.ts';

/** Checks of the kinds that keep pods running (pkg/apis/apps/validation, ValidateReplicationController). */

export function specOf(object: JsonObject): JsonObject {
  return objectAt(object, 'spec') ?? {};
}

/** A pod template: its labels, annotations and spec. */
export function templateErrors(field: string, template: JsonObject): FieldError[] {
  const spec = objectAt(template, 'spec') ?? {};
  const errors = [
    ...templateMetadataErrors(field, template),
    ...podAnnotationErrors(`${field}.annotations`, template),
    ...podSpecErrors(`${field}.spec`, spec),
  ];
  if (objectsAt(spec, 'ephemeralContainers').length === 0) return errors;
  const why = 'ephemeral containers not allowed in pod template';
  return [...errors, forbiddenField(`${field}.spec.ephemeralContainers`, why)];
}

function templateMetadataErrors(field: string, template: JsonObject): FieldError[] {
  const metadata = objectAt(template, 'metadata');
  return [
    ...labels(`${field}.labels`, metadata?.['labels']),
    ...annotations(`${field}.annotations`, metadata?.['annotations']),
  ];
}

function selectorErrors(spec: JsonObject, kind: string): FieldError[] {
  const selector = objectAt(spec, 'selector');
  if (selector === undefined) return [requiredValue('spec.selector')];
  const errors = labelSelector('spec.selector', selector);
  if (isEmptySelector(selector)) {
    errors.push(invalidValue('spec.selector', selector, `empty selector is invalid for ${kind}`));
  }
  return errors;
}

/** Whether a selector has a form that can be evaluated. */
function isReadable(spec: JsonObject): boolean {
  return labelSelector('', objectAt(spec, 'selector')).length === 0;
}

/** The template must be what the selector selects, and its pods must be restarted always. */
function templateOfSelector(spec: JsonObject, kind = 'ReplicaSet'): FieldError[] {
  const template = objectAt(spec, 'template') ?? {};
  const selector = objectAt(spec, 'selector');
  const errors: FieldError[] = [];
  if (isReadable(spec) && selectsSome(selector)) errors.push(...matchErrors(selector, template));
  errors.push(...templateErrors('spec.template', template));
  // Stateful sets have the metadata of their template checked twice.
  if (kind === 'StatefulSet') errors.push(...templateMetadataErrors('spec.template', template));
  return [...errors, ...alwaysRestarted('spec.template', template, kind)];
}

function alwaysRestarted(field: string, template: JsonObject, kind = 'ReplicaSet'): FieldError[] {
  const spec = objectAt(template, 'spec') ?? {};
  const errors: FieldError[] = [];
  const policy = textAt(spec, 'restartPolicy');
  if (policy !== 'Always') errors.push(unsupportedValue(`${field}.spec.restartPolicy`, policy, ['Always']));
  if (spec['activeDeadlineSeconds'] !== undefined) {
    const why = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(forbiddenField(`${field}.spec.activeDeadlineSeconds`, why));
  }
  return errors;
}

function selectsSome(selector: JsonObject | undefined): boolean {
  return selector === undefined || !isEmptySelector(selector);
}

function matchErrors(selector: JsonObject | undefined, template: JsonObject): FieldError[] {
  const values = objectAt(objectAt(template, 'metadata'), 'labels');
  // No selector selects nothing.
  if (selector !== undefined && selectorMatches(selector, values ?? {})) return [];
  return [
    invalidValue(
      'spec.template.metadata.labels',
      values === undefined ? null : sortedByKey(values),
      '`selector` does not match template `labels`',
    ),
  ];
}

export function deploymentErrors(deployment: JsonObject): FieldError[] {
  const spec = specOf(deployment);
  const errors = notNegative('spec.replicas', spec['replicas']);
  errors.push(...selectorErrors(spec, 'deployment'));
  const selector = objectAt(spec, 'selector');
  if (selector !== undefined && !isReadable(spec)) {
    errors.push(invalidValue('spec.selector', selector, 'invalid label selector'));
  } else errors.push(...templateOfSelector(spec));
  errors.push(...strategyErrors(objectAt(spec, 'strategy') ?? {}));
  errors.push(...notNegative('spec.minReadySeconds', spec['minReadySeconds']));
  errors.push(...notNegative('spec.revisionHistoryLimit', spec['revisionHistoryLimit']));
  const deadline = spec['progressDeadlineSeconds'];
  if (typeof deadline === 'number') {
    errors.push(...notNegative('spec.progressDeadlineSeconds', deadline));
    if (deadline <= Number(spec['minReadySeconds'] ?? 0)) {
      errors.push(invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'));
    }
  }
  return errors;
}

function strategyErrors(strategy: JsonObject): FieldError[] {
  const rolling = objectAt(strategy, 'rollingUpdate');
  const path = 'spec.strategy.rollingUpdate';
  switch (strategy['type']) {
    case 'Recreate':
      if (rolling === undefined) return [];
      return [forbiddenField(path, "may not be specified when strategy `type` is 'Recreate'")];
    case 'RollingUpdate':
      if (rolling === undefined) return [requiredValue(path, 'this should be defaulted and never be nil')];
      return rollingErrors(path, rolling);
    default: {
      const shown = internalJson('apps/v1.DeploymentStrategy', strategy);
      return [unsupportedValue('spec.strategy', shown, ['Recreate', 'RollingUpdate'])];
    }
  }
}

function rollingErrors(path: string, rolling: JsonObject): FieldError[] {
  const [down, up] = [rolling['maxUnavailable'], rolling['maxSurge']];
  const errors = [...intOrPercent(`${path}.maxUnavailable`, down), ...intOrPercent(`${path}.maxSurge`, up)];
  if (isZero(down) && isZero(up)) {
    errors.push(invalidValue(`${path}.maxUnavailable`, down, 'may not be 0 when `maxSurge` is 0'));
  }
  return [...errors, ...notAboveWhole(`${path}.maxUnavailable`, down)];
}

/** Whether a number or a percentage is none; a text that is no percentage counts by its digits. */
function isZero(value: JsonValue | undefined): boolean {
  if (typeof value !== 'string') return (value ?? 0) === 0;
  return /^[0-9]+%$/.test(value)
    ? Number.parseInt(value, 10) === 0
    : !/^[+-]?[0-9]+$/.test(value) || Number(value) === 0;
}

export function replicaSetErrors(set: JsonObject): FieldError[] {
  const spec = specOf(set);
  const errors = [
    ...notNegative('spec.replicas', spec['replicas']),
    ...notNegative('spec.minReadySeconds', spec['minReadySeconds']),
    ...selectorErrors(spec, 'deployment'),
  ];
  const selector = objectAt(spec, 'selector');
  if (selector !== undefined && !isReadable(spec)) {
    return [...errors, invalidValue('spec.selector', selector, 'invalid label selector')];
  }
  return [...errors, ...templateOfSelector(spec)];
}

export function controllerErrors(controller: JsonObject): FieldError[] {
  const spec = specOf(controller);
  const selector = objectAt(spec, 'selector') ?? {};
  const errors = notNegative('spec.minReadySeconds', spec['minReadySeconds']);
  if (Object.keys(selector).length === 0) errors.push(requiredValue('spec.selector'));
  errors.push(...notNegative('spec.replicas', spec['replicas']));
  const template = objectAt(spec, 'template');
  if (template === undefined) return [...errors, requiredValue('spec.template')];
  if (Object.keys(selector).length > 0) errors.push(...matchErrors({ matchLabels: selector }, template));
  errors.push(...templateErrors('spec.template', template));
  return [...errors, ...alwaysRestarted('spec.template', template, 'ReplicationController')];
}

export function daemonSetErrors(set: JsonObject): FieldError[] {
  const spec = specOf(set);
  const selector = objectAt(spec, 'selector');
  const template = objectAt(spec, 'template') ?? {};
  const errors = labelSelector('spec.selector', selector);
  if (isReadable(spec) && selectsSome(selector)) errors.push(...matchErrors(selector, template));
  if (selector !== undefined && isEmptySelector(selector)) {
    errors.push(invalidValue('spec.selector', selector, 'empty selector is invalid for daemonset'));
  }
  errors.push(...templateErrors('spec.template', template), ...alwaysRestarted('spec.template', template, 'DaemonSet'));
  errors.push(...notNegative('spec.minReadySeconds', spec['minReadySeconds']));
  errors.push(...daemonStrategyErrors(objectAt(spec, 'updateStrategy') ?? {}));
  return [...errors, ...notNegative('spec.revisionHistoryLimit', spec['revisionHistoryLimit'])];
}

function daemonStrategyErrors(strategy: JsonObject): FieldError[] {
  if (strategy['type'] === 'OnDelete') return [];
  if (strategy['type'] !== 'RollingUpdate') {
    const shown = internalJson('apps/v1.DaemonSetUpdateStrategy', strategy);
    return [unsupportedValue('spec.updateStrategy', shown, ['RollingUpdate', 'OnDelete'])];
  }
  const rolling = objectAt(strategy, 'rollingUpdate') ?? {};
  const path = 'spec.updateStrategy.rollingUpdate';
  const [down, up] = [rolling['maxUnavailable'], rolling['maxSurge']];
  const errors = [
    ...intOrPercent(`${path}.maxUnavailable`, down),
    ...intOrPercent(`${path}.maxSurge`, up),
    ...notAboveWhole(`${path}.maxUnavailable`, down),
    ...notAboveWhole(`${path}.maxSurge`, up),
  ];
  if (!isZero(down) && !isZero(up) && up !== undefined) {
    errors.push(invalidValue(`${path}.maxSurge`, up, 'may not be set when maxUnavailable is non-zero'));
  } else if (isZero(down) && isZero(up)) {
    errors.push(requiredValue(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  }
  return errors;
}

const RETENTION = ['Retain', 'Delete'];

export function statefulSetErrors(set: JsonObject): FieldError[] {
  const spec = specOf(set);
  const errors: FieldError[] = [];
  const policy = textAt(spec, 'podManagementPolicy');
  if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    errors.push(invalidValue('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'"));
  }
  errors.push(...statefulStrategyErrors(objectAt(spec, 'updateStrategy') ?? {}));
  const retention = objectAt(spec, 'persistentVolumeClaimRetentionPolicy');
  for (const name of ['whenDeleted', 'whenScaled']) {
    errors.push(...oneOf(`spec.persistentVolumeClaimRetentionPolicy.${name}`, retention?.[name], RETENTION));
  }
  errors.push(...notNegative('spec.replicas', spec['replicas']));
  errors.push(...notNegative('spec.minReadySeconds', spec['minReadySeconds']));
  errors.push(...notNegative('spec.ordinals.start', objectAt(spec, 'ordinals')?.['start']));
  const service = textAt(spec, 'serviceName');
  if (service !== '') errors.push(...dnsLabel('spec.serviceName', service));
  for (const [i, claim] of objectsAt(spec, 'volumeClaimTemplates').entries()) {
    const at = `spec.volumeClaimTemplates[${i}].spec`;
    const claimSpec = objectAt(claim, 'spec') ?? {};
    errors.push(...claimSpecErrors(at, claimSpec));
  }
  errors.push(...selectorErrors(spec, 'statefulset'));
  const selector = objectAt(spec, 'selector');
  if (selector !== undefined && !isReadable(spec)) {
    const message = `Invalid value: ${JSON.stringify(selector)}`;
    errors.push({ reason: 'FieldValueInvalid', field: 'spec.selector', message });
  } else errors.push(...templateOfSelector(spec, 'StatefulSet'));
  return errors;
}

function statefulStrategyErrors(strategy: JsonObject): FieldError[] {
  const rolling = objectAt(strategy, 'rollingUpdate');
  const path = 'spec.updateStrategy.rollingUpdate';
  switch (strategy['type']) {
    case 'OnDelete':
      if (rolling === undefined) return [];
      return [invalidValue(path, rolling, `only allowed for updateStrategy 'RollingUpdate'`)];
    case 'RollingUpdate':
      return [
        ...notNegative(`${path}.partition`, rolling?.['partition']),
        ...maxUnavailableErrors(`${path}.maxUnavailable`, rolling?.['maxUnavailable']),
      ];
    default: {
      const shown = internalJson('apps/v1.StatefulSetUpdateStrategy', strategy);
      return [invalidValue('spec.updateStrategy', shown, "must be 'RollingUpdate' or 'OnDelete'")];
    }
  }
}

function maxUnavailableErrors(field: string, value: JsonValue | undefined): FieldError[] {
  if (value === undefined) return [];
  const errors = intOrPercent(field, value);
  if (isZero(value)) errors.push(invalidValue(field, value, 'cannot be 0'));
  return [...errors, ...notAboveWhole(field, value)];
}

const STATEFUL_UPDATES = [
  ...['replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit'],
  ...['persistentVolumeClaimRetentionPolicy', 'minReadySeconds'],
];

export function statefulSetUpdateErrors(set: JsonObject, old: JsonObject): FieldError[] {
  const rest = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(specOf(object)).filter(([name]) => !STATEFUL_UPDATES.includes(name)));
  const errors = statefulSetErrors(set);
  if (sameJson(rest(set), rest(old))) return errors;
  const names = STATEFUL_UPDATES.map((name) => `'${name}'`);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return [...errors, forbiddenField('spec', `updates to statefulset spec for fields other than ${list} are forbidden`)];
}

/** A daemon set's selector is compared before anything else. */
export function daemonSetUpdateErrors(set: JsonObject, old: JsonObject): FieldError[] {
  return [...selectorIsImmutable(set, old), ...daemonSetErrors(set)];
}

export function selectorIsImmutable(object: JsonObject, old: JsonObject): FieldError[] {
  return unchanged('spec.selector', objectAt(object, 'spec')?.['selector'], objectAt(old, 'spec')?.['selector']);
}
