import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue } from '../object/field-errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsSubdomain, oneOf } from './checks.ts';
import { internalJson } from './internal-json.ts';

/** Checks of definitions of custom resources (apiextensions-apiserver/pkg/apis/apiextensions/validation). */

const LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_1035_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character," +
  " and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is" +
  " '[a-z]([-a-z0-9]*[a-z0-9])?')";
const APPROVAL = 'api-approved.kubernetes.io';

export function definitionErrors(definition: JsonObject): FieldError[] {
  return [...definitionNameErrors(definition), ...specErrors(definition)];
}

function definitionNameErrors(definition: JsonObject): FieldError[] {
  const spec = objectAt(definition, 'spec');
  const name = textAt(objectAt(definition, 'metadata'), 'name');
  if (name === `${textAt(objectAt(spec, 'names'), 'plural')}.${textAt(spec, 'group')}`) return [];
  return [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
}

function specErrors(definition: JsonObject): FieldError[] {
  const metadata = objectAt(definition, 'metadata');
  const spec = objectAt(definition, 'spec') ?? {};
  const names = objectAt(spec, 'names') ?? {};
  const group = textAt(spec, 'group');
  const errors: FieldError[] = [];
  errors.push(...groupErrors(group), ...oneOf('spec.scope', spec['scope'], ['Cluster', 'Namespaced'], true));
  errors.push(...versionErrors(spec), ...nameErrors(names), ...conversionErrors(objectAt(spec, 'conversion')));
  for (const version of objectsAt(spec, 'versions')) {
    const schema = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema');
    const path = 'spec.validation.openAPIV3Schema';
    if (schema !== undefined && textAt(schema, 'type') === '') {
      errors.push(requiredValue(`${path}.type`, 'must not be empty at the root'));
    }
    if (schema !== undefined) errors.push(...patternErrors(schema, path));
    errors.push(...columnErrors(version), ...scaleErrors(version));
  }
  const stored = objectAt(definition, 'status')?.['storedVersions'];
  if (!Array.isArray(stored) || stored.length === 0) {
    errors.push(invalidValue('status.storedVersions', null, 'must have at least one stored version'));
  }
  const isProtected = /(^|\.)k8s\.io$|(^|\.)kubernetes\.io$/.test(group);
  if (isProtected && textAt(objectAt(metadata, 'annotations'), APPROVAL) === '') {
    const see = 'https://github.com/kubernetes/enhancements/pull/1111';
    const why = `protected groups must have approval annotation "${APPROVAL}", see ${see}`;
    errors.push(requiredValue(`metadata.annotations[${APPROVAL}]`, why));
  }
  return errors;
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];

function columnErrors(version: JsonObject): FieldError[] {
  return objectsAt(version, 'additionalPrinterColumns').flatMap((column, i) => {
    const path = `spec.additionalPrinterColumns[${i}]`;
    const errors = textAt(column, 'name') === '' ? [requiredValue(`${path}.name`)] : [];
    const type = textAt(column, 'type');
    if (type === '') errors.push(requiredValue(`${path}.type`, `must be one of ${COLUMN_TYPES.join(',')}`));
    else if (!COLUMN_TYPES.includes(type)) {
      errors.push(invalidValue(`${path}.type`, type, `must be one of ${COLUMN_TYPES.join(',')}`));
    }
    if (textAt(column, 'jsonPath') === '') errors.push(requiredValue(`${path}.JSONPath`));
    return errors;
  });
}

function scaleErrors(version: JsonObject): FieldError[] {
  const scale = objectAt(objectAt(version, 'subresources'), 'scale');
  if (scale === undefined) return [];
  return ['specReplicasPath', 'statusReplicasPath'].flatMap((name) => {
    const path = textAt(scale, name);
    const field = `spec.subresources.scale.${name}`;
    if (path === '') return [requiredValue(field)];
    if (!/^(\.[\w-]+)+$/.test(path)) return [invalidValue(field, path, 'must be a simple json path starting with .')];
    const start = name.startsWith('spec') ? '.spec.' : '.status.';
    return path.startsWith(start)
      ? []
      : [invalidValue(field, path, `should be a json path under ${start.slice(0, -1)}`)];
  });
}

function groupErrors(group: string): FieldError[] {
  if (group === '') return [requiredValue('spec.group')];
  const errors = dnsSubdomain('spec.group', group);
  if (errors.length > 0 || group.includes('.')) return errors;
  return [invalidValue('spec.group', group, 'should be a domain with at least one dot')];
}

function versionErrors(spec: JsonObject): FieldError[] {
  const versions = objectsAt(spec, 'versions');
  const errors: FieldError[] = [];
  const stored = versions.filter((version) => version['storage'] === true).length;
  for (const [i, version] of versions.entries()) {
    const name = textAt(version, 'name');
    if (!LABEL_1035.test(name)) errors.push(invalidValue(`spec.versions[${i}].name`, name, LABEL_1035_TEXT));
    if (objectAt(objectAt(version, 'schema'), 'openAPIV3Schema') === undefined) {
      errors.push(requiredValue(`spec.versions[${i}].schema.openAPIV3Schema`, 'schemas are required'));
    }
  }
  if (stored !== 1) {
    const type = 'apiextensions/v1.CustomResourceDefinitionVersion';
    const shown: JsonValue = versions.map(({ name, served, storage }) => {
      return internalJson(type, { name: name ?? '', served: served ?? false, storage: storage ?? false });
    });
    errors.push(invalidValue('spec.versions', shown, 'must have exactly one version marked as storage version'));
  }
  return errors;
}

function nameErrors(names: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['plural', 'singular']) {
    const text = textAt(names, field);
    if (!LABEL_1035.test(text)) errors.push(invalidValue(`spec.names.${field}`, text, LABEL_1035_TEXT));
  }
  for (const field of ['kind', 'listKind']) {
    const text = textAt(names, field);
    if (text === '') errors.push(requiredValue(`spec.names.${field}`));
    if (text === '' || LABEL_1035.test(text.toLowerCase())) continue;
    const why = `may have mixed case, but should otherwise match: ${LABEL_1035_TEXT}`;
    errors.push(invalidValue(`spec.names.${field}`, text, why));
  }
  for (const field of ['shortNames', 'categories']) {
    const list = Array.isArray(names[field]) ? names[field].map(String) : [];
    for (const [i, text] of list.entries()) {
      if (!LABEL_1035.test(text)) errors.push(invalidValue(`spec.names.${field}[${i}]`, text, LABEL_1035_TEXT));
    }
  }
  if (textAt(names, 'kind') !== '' && textAt(names, 'kind') === textAt(names, 'listKind')) {
    errors.push(
      invalidValue('spec.names.listKind', textAt(names, 'listKind'), 'kind and listKind may not be the same'),
    );
  }
  return errors;
}

function conversionErrors(conversion: JsonObject | undefined): FieldError[] {
  const path = 'spec.conversion';
  if (conversion?.['strategy'] !== 'Webhook')
    return oneOf(`${path}.strategy`, conversion?.['strategy'], ['None', 'Webhook']);
  const webhook = objectAt(conversion, 'webhook');
  const errors: FieldError[] = [];
  if (objectAt(webhook, 'clientConfig') === undefined) {
    errors.push(requiredValue(`${path}.webhookClientConfig`, 'required when strategy is set to Webhook'));
  }
  if (!Array.isArray(webhook?.['conversionReviewVersions'])) {
    errors.push(requiredValue(`${path}.conversionReviewVersions`));
  }
  return errors;
}

/** Patterns that are no regular expressions. */
function patternErrors(schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const pattern = schema['pattern'];
  if (typeof pattern === 'string') {
    try {
      new RegExp(pattern, 'u');
    } catch {
      const problem =
        pattern.split('(').length > pattern.split(')').length
          ? 'missing closing )'
          : 'invalid or unsupported Perl syntax';
      const why = `must be a valid regular expression, but isn't: error parsing regexp: ${problem}: \`${pattern}\``;
      errors.push(invalidValue(`${path}.pattern`, pattern, why));
    }
  }
  for (const [name, part] of Object.entries(objectAt(schema, 'properties') ?? {})) {
    if (isJsonObject(part)) errors.push(...patternErrors(part, `${path}.properties[${name}]`));
  }
  for (const name of ['items', 'additionalProperties']) {
    const part = objectAt(schema, name);
    if (part !== undefined) errors.push(...patternErrors(part, `${path}.${name}`));
  }
  return errors;
}

/** Whether a definition keeps what its objects depend on. */
export function definitionUpdateErrors(definition: JsonObject, old: JsonObject): FieldError[] {
  const errors = specErrors(definition);
  const [spec, before] = [objectAt(definition, 'spec'), objectAt(old, 'spec')];
  const conditions = objectsAt(objectAt(old, 'status'), 'conditions');
  if (!conditions.some(({ type, status }) => type === 'Established' && status === 'True')) return errors;
  const same = (path: string, now: JsonValue | undefined, then: JsonValue | undefined): void => {
    if (now !== then) errors.push(invalidValue(path, now, 'field is immutable'));
  };
  same('spec.group', spec?.['group'], before?.['group']);
  same('spec.scope', spec?.['scope'], before?.['scope']);
  same('spec.names.kind', objectAt(spec, 'names')?.['kind'], objectAt(before, 'names')?.['kind']);
  same('spec.names.plural', objectAt(spec, 'names')?.['plural'], objectAt(before, 'names')?.['plural']);
  return errors;
}
