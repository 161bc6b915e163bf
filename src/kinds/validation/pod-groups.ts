import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue, tooMany } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsLabel, dnsSubdomain, duplicate, oneOf, pathSegment, qualifiedName, unchanged } from './checks.ts';
import { specOf } from './workloads.ts';

/** Checks of `scheduling.k8s.io/v1alpha2` (the tags of its types, and pkg/apis/scheduling/validation). */

const TEMPLATES_MAX = 8;
const TOPOLOGY_KEYS_MAX = 1;
const DISRUPTION_MODES = ['Pod', 'PodGroup'];
const ONE_SOURCE = 'must specify exactly one of: `resourceClaimName`, `resourceClaimTemplateName`';

export function podGroupErrors(group: JsonObject): FieldError[] {
  const spec = specOf(group);
  const ref = objectAt(spec, 'podGroupTemplateRef');
  return [
    ...(ref === undefined ? [] : templateRefErrors('spec.podGroupTemplateRef', ref)),
    ...partErrors('spec', spec),
  ];
}

export function podGroupUpdateErrors(group: JsonObject, old: JsonObject): FieldError[] {
  return [...podGroupErrors(group), ...unchangedMembers(specOf(group), specOf(old))];
}

export function workloadErrors(workload: JsonObject): FieldError[] {
  const spec = specOf(workload);
  const field = 'spec.podGroupTemplates';
  const templates = objectsAt(spec, 'podGroupTemplates');
  const errors = controllerRefErrors('spec.controllerRef', objectAt(spec, 'controllerRef'));
  if (templates.length === 0) errors.push(requiredValue(field));
  if (templates.length > TEMPLATES_MAX) errors.push(tooMany(field, templates.length, TEMPLATES_MAX));
  const names = new Set<string>();
  for (const [i, template] of templates.entries()) {
    const name = textAt(template, 'name');
    errors.push(...label(`${field}[${i}].name`, name));
    if (names.has(name)) errors.push(duplicate(`${field}[${i}]`, { name }));
    names.add(name);
    errors.push(...partErrors(`${field}[${i}]`, template));
  }
  return errors;
}

export function workloadUpdateErrors(workload: JsonObject, old: JsonObject): FieldError[] {
  return [...workloadErrors(workload), ...unchangedMembers(specOf(workload), specOf(old))];
}

/** Nothing of a spec may be changed. */
function unchangedMembers(spec: JsonObject, old: JsonObject): FieldError[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(spec)])];
  return names.flatMap((name) => unchanged(`spec.${name}`, spec[name], old[name]));
}

function templateRefErrors(field: string, ref: JsonObject): FieldError[] {
  const workload = objectAt(ref, 'workload');
  if (workload === undefined) return [invalidValue(field, '', 'must specify one of: `workload`')];
  return ['workloadName', 'podGroupTemplateName'].flatMap((name) =>
    label(`${field}.workload.${name}`, textAt(workload, name)),
  );
}

/** What a group and a template of one have in common. */
function partErrors(field: string, part: JsonObject): FieldError[] {
  return [
    ...policyErrors(`${field}.schedulingPolicy`, objectAt(part, 'schedulingPolicy') ?? {}),
    ...constraintErrors(`${field}.schedulingConstraints`, objectAt(part, 'schedulingConstraints')),
    ...claimErrors(`${field}.resourceClaims`, objectsAt(part, 'resourceClaims')),
    ...oneOf(`${field}.disruptionMode`, part['disruptionMode'], DISRUPTION_MODES),
    ...(textAt(part, 'priorityClassName') === ''
      ? []
      : dnsSubdomain(`${field}.priorityClassName`, textAt(part, 'priorityClassName'))),
  ];
}

function policyErrors(field: string, policy: JsonObject): FieldError[] {
  const [basic, gang] = [objectAt(policy, 'basic'), objectAt(policy, 'gang')];
  if (basic === undefined && gang === undefined) {
    return [invalidValue(field, '', 'must specify one of: `basic`, `gang`')];
  }
  if (basic !== undefined && gang !== undefined) {
    return [invalidValue(field, '{`basic`, `gang`}', 'must specify exactly one of: `basic`, `gang`')];
  }
  const minCount = gang?.['minCount'] ?? 0;
  if (gang === undefined || (typeof minCount === 'number' && minCount >= 1)) return [];
  const at = `${field}.gang.minCount`;
  return minCount === 0 ? [requiredValue(at)] : [invalidValue(at, minCount, 'must be greater than or equal to 1')];
}

function constraintErrors(field: string, constraints: JsonObject | undefined): FieldError[] {
  if (constraints === undefined) return [];
  const topology = objectsAt(constraints, 'topology');
  const at = `${field}.topology`;
  const errors = topology.length > TOPOLOGY_KEYS_MAX ? [tooMany(at, topology.length, TOPOLOGY_KEYS_MAX)] : [];
  for (const [i, each] of topology.entries()) {
    const key = textAt(each, 'key');
    errors.push(...(key === '' ? [requiredValue(`${at}[${i}].key`)] : qualifiedName(`${at}[${i}].key`, key)));
  }
  return errors;
}

function claimErrors(field: string, claims: readonly JsonObject[]): FieldError[] {
  const names = new Set<string>();
  return claims.flatMap((claim, i) => {
    const name = textAt(claim, 'name');
    const errors = label(`${field}[${i}].name`, name);
    if (names.has(name)) errors.push(duplicate(`${field}[${i}]`, { name }));
    names.add(name);
    const sources = ['resourceClaimName', 'resourceClaimTemplateName'].filter((key) => textAt(claim, key) !== '');
    if (sources.length !== 1) errors.push(invalidValue(`${field}[${i}]`, claim, ONE_SOURCE));
    return errors;
  });
}

function controllerRefErrors(field: string, ref: JsonObject | undefined): FieldError[] {
  if (ref === undefined) return [];
  const apiGroup = textAt(ref, 'apiGroup');
  const errors = apiGroup === '' ? [] : dnsSubdomain(`${field}.apiGroup`, apiGroup);
  for (const name of ['kind', 'name']) {
    const text = textAt(ref, name);
    errors.push(...(text === '' ? [requiredValue(`${field}.${name}`)] : pathSegment(`${field}.${name}`, text)));
  }
  return errors;
}

function label(field: string, text: string): FieldError[] {
  return text === '' ? [requiredValue(field)] : dnsLabel(field, text);
}
