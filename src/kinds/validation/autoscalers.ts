import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { compareAmounts, dnsLabel, pathSegment } from './checks.ts';
import { containerResourceNameErrors } from './compute-resources.ts';

/** Horizontal pod autoscalers (pkg/apis/autoscaling/validation). */

const WINDOW_SECONDS_MAX = 3600;
const PERIOD_SECONDS_MAX = 1800;

export function newAutoscalerErrors(autoscaler: JsonObject): FieldError[] {
  return autoscalerErrors(autoscaler, 1);
}

/** An autoscaler that may scale to nothing already may go on to do so. */
export function autoscalerUpdateErrors(autoscaler: JsonObject, old: JsonObject): FieldError[] {
  return autoscalerErrors(autoscaler, objectAt(old, 'spec')?.['minReplicas'] === 0 ? 0 : 1);
}

function autoscalerErrors(autoscaler: JsonObject, leastMin: number): FieldError[] {
  const spec = objectAt(autoscaler, 'spec') ?? {};
  const [least, most] = [spec['minReplicas'], Number(spec['maxReplicas'] ?? 0)];
  const errors: FieldError[] = [];
  if (typeof least === 'number' && least < leastMin) {
    errors.push(invalidValue('spec.minReplicas', least, `must be greater than or equal to ${leastMin}`));
  }
  if (most < 1) errors.push(invalidValue('spec.maxReplicas', most, 'must be greater than 0'));
  if (typeof least === 'number' && most < least) {
    errors.push(invalidValue('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`'));
  }
  errors.push(...referenceErrors('spec.scaleTargetRef', objectAt(spec, 'scaleTargetRef')));
  const metrics = objectsAt(spec, 'metrics');
  errors.push(...metrics.flatMap((metric, i) => metricErrors(`spec.metrics[${i}]`, metric)));
  if (least === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    const why = 'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(forbiddenField('spec.metrics', why));
  }
  const behavior = objectAt(spec, 'behavior');
  for (const direction of ['scaleUp', 'scaleDown']) {
    errors.push(...scalingErrors(`spec.behavior.${direction}`, objectAt(behavior, direction)));
  }
  return errors;
}

function referenceErrors(field: string, reference: JsonObject | undefined): FieldError[] {
  return ['kind', 'name'].flatMap((member) => {
    const text = textAt(reference, member);
    return text === '' ? [requiredValue(`${field}.${member}`)] : pathSegment(`${field}.${member}`, text);
  });
}

/** The member that has the source of a type of metric, in the order in which they are checked. */
const SOURCES: Readonly<Record<string, string>> = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};
const METRIC_TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

function metricErrors(field: string, metric: JsonObject): FieldError[] {
  const type = textAt(metric, 'type');
  const errors: FieldError[] = [];
  if (type === '') errors.push(requiredValue(`${field}.type`, 'must specify a metric source type'));
  if (!METRIC_TYPES.includes(type)) errors.push(unsupportedValue(`${field}.type`, type, METRIC_TYPES));
  const present = Object.values(SOURCES).filter((name) => objectAt(metric, name) !== undefined);
  const [first] = present;
  if (first !== undefined) errors.push(...sourceErrors(`${field}.${first}`, first, objectAt(metric, first) ?? {}));
  const wanted = SOURCES[type];
  if (wanted === undefined) {
    errors.push(invalidValue(`${field}.type`, type, 'must be a supported metric source type'));
  } else if (!present.includes(wanted)) {
    errors.push(requiredValue(`${field}.${wanted}`, 'must populate information for the given metric source'));
  }
  if (present.length === 1) return errors;
  const others = present.filter((name) => name !== wanted);
  const why = 'must populate the given metric source only';
  return [...errors, ...others.map((name) => forbiddenField(`${field}.${name}`, why))];
}

function sourceErrors(field: string, source: string, value: JsonObject): FieldError[] {
  const target = objectAt(value, 'target') ?? {};
  const at = `${field}.target`;
  const errors: FieldError[] = [];
  if (source === 'object')
    errors.push(...referenceErrors(`${field}.describedObject`, objectAt(value, 'describedObject')));
  if (source === 'resource' || source === 'containerResource') {
    const [name, container] = [textAt(value, 'name'), textAt(value, 'container')];
    if (name === '') errors.push(requiredValue(`${field}.name`, 'must specify a resource name'));
    else if (source === 'containerResource') errors.push(...containerResourceNameErrors(`${field}.name`, name));
    if (source === 'containerResource') {
      const at = `${field}.container`;
      if (container === '') errors.push(requiredValue(at, 'must specify a container'));
      else errors.push(...dnsLabel(at, container));
    }
    return [...errors, ...targetErrors(at, target), ...eitherErrors(at, target)];
  }
  errors.push(...identifierErrors(`${field}.metric`, objectAt(value, 'metric')), ...targetErrors(at, target));
  if (source === 'pods') {
    if (target['averageValue'] === undefined) {
      errors.push(requiredValue(`${at}.averageValue`, 'must specify a positive target averageValue'));
    }
    return errors;
  }
  if (target['value'] === undefined && target['averageValue'] === undefined) {
    const why =
      source === 'object'
        ? 'must set either a target value or averageValue'
        : 'must set either a target value for metric or a per-pod target';
    errors.push(requiredValue(`${at}.averageValue`, why));
  }
  if (source === 'external' && target['value'] !== undefined && target['averageValue'] !== undefined) {
    const why = 'may not set both a target value for metric and a per-pod target';
    errors.push(forbiddenField(`${at}.value`, why));
  }
  return errors;
}

function identifierErrors(field: string, metric: JsonObject | undefined): FieldError[] {
  const name = textAt(metric, 'name');
  if (name === '') return [requiredValue(`${field}.name`, 'must specify a metric name')];
  return pathSegment(`${field}.name`, name);
}

function eitherErrors(field: string, { averageUtilization, averageValue }: JsonObject): FieldError[] {
  if (averageUtilization === undefined && averageValue === undefined) {
    const why = 'must set either a target raw value or a target utilization';
    return [requiredValue(`${field}.averageUtilization`, why)];
  }
  if (averageUtilization === undefined || averageValue === undefined) return [];
  const why = 'may not set both a target raw value and a target utilization';
  return [forbiddenField(`${field}.averageValue`, why)];
}

function targetErrors(field: string, target: JsonObject): FieldError[] {
  const type = textAt(target, 'type');
  const errors: FieldError[] = [];
  if (type === '') errors.push(requiredValue(`${field}.type`, 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    errors.push(invalidValue(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  }
  for (const name of ['value', 'averageValue']) {
    const amount = target[name];
    if (amount !== undefined && compareAmounts(amount, '0') <= 0) {
      errors.push(invalidValue(`${field}.${name}`, amount, 'must be positive'));
    }
  }
  const utilization = target['averageUtilization'];
  if (typeof utilization === 'number' && utilization < 1) {
    errors.push(invalidValue(`${field}.averageUtilization`, utilization, 'must be greater than 0'));
  }
  return errors;
}

function scalingErrors(field: string, rules: JsonObject | undefined): FieldError[] {
  if (rules === undefined) return [];
  const errors: FieldError[] = [];
  const [window, select] = [rules['stabilizationWindowSeconds'], rules['selectPolicy']];
  const at = `${field}.stabilizationWindowSeconds`;
  if (typeof window === 'number' && window < 0) {
    errors.push(invalidValue(at, window, 'must be greater than or equal to zero'));
  }
  if (typeof window === 'number' && window > WINDOW_SECONDS_MAX) {
    errors.push(invalidValue(at, window, `must be less than or equal to ${WINDOW_SECONDS_MAX}`));
  }
  const selections = ['Disabled', 'Max', 'Min'];
  if (typeof select === 'string' && !selections.includes(select)) {
    errors.push(unsupportedValue(`${field}.selectPolicy`, select, selections));
  }
  const policies = objectsAt(rules, 'policies');
  if (policies.length === 0) errors.push(requiredValue(`${field}.policies`, 'must specify at least one Policy'));
  for (const [i, policy] of policies.entries()) errors.push(...policyErrors(`${field}.policies[${i}]`, policy));
  return errors;
}

function policyErrors(field: string, policy: JsonObject): FieldError[] {
  const type = textAt(policy, 'type');
  const [value, period] = [Number(policy['value'] ?? 0), Number(policy['periodSeconds'] ?? 0)];
  const errors: FieldError[] = [];
  if (type !== 'Pods' && type !== 'Percent') errors.push(unsupportedValue(`${field}.type`, type, ['Percent', 'Pods']));
  if (value <= 0) errors.push(invalidValue(`${field}.value`, value, 'must be greater than zero'));
  if (period <= 0) errors.push(invalidValue(`${field}.periodSeconds`, period, 'must be greater than zero'));
  if (period > PERIOD_SECONDS_MAX) {
    errors.push(invalidValue(`${field}.periodSeconds`, period, `must be less than or equal to ${PERIOD_SECONDS_MAX}`));
  }
  return errors;
}
