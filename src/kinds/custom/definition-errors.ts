import { isDeepStrictEqual } from 'node:util';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue } from '../object/field-errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsSubdomain, oneOf } from '../validation/checks.ts';
import { internalJson } from '../validation/internal-json.ts';
import { schemaDefinitionErrors } from './definition-schema-errors.ts';

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
  const group = textAt(spec, 'group');
  const versions = objectsAt(spec, 'versions');
  const errors: FieldError[] = [];
  errors.push(...groupErrors(group), ...oneOf('spec.scope', spec['scope'], ['Cluster', 'Namespaced'], true));
  errors.push(...defaultsErrors(spec), ...versionErrors(spec));
  const first = textAt(versions[0] ?? {}, 'name');
  if (first !== '' && !LABEL_1035.test(first)) errors.push(invalidValue('spec.version', first, LABEL_1035_TEXT));
  errors.push(...nameErrors(objectAt(spec, 'names') ?? {}), ...partErrors(spec, true));
  errors.push(...conversionErrors(objectAt(spec, 'conversion')));
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
  if (spec['preserveUnknownFields'] === true) {
    const instead = 'set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    errors.push(invalidValue('spec.preserveUnknownFields', true, `cannot set to true, ${instead}`));
  }
  return errors;
}

/** Defaults need a schema that says everything. */
function defaultsErrors(spec: JsonObject): FieldError[] {
  if (spec['preserveUnknownFields'] !== true) return [];
  if (!objectsAt(spec, 'versions').some((version) => hasDefaults(schemaOf(version)))) return [];
  return [invalidValue('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema')];
}

function hasDefaults(schema: JsonObject | undefined): boolean {
  if (schema === undefined) return false;
  if (schema['default'] !== undefined) return true;
  const below = [
    ...Object.values(objectAt(schema, 'properties') ?? {}),
    schema['items'],
    schema['additionalProperties'],
  ];
  return below.some((part) => isJsonObject(part) && hasDefaults(part));
}

function schemaOf(version: JsonObject): JsonObject | undefined {
  return objectAt(objectAt(version, 'schema'), 'openAPIV3Schema');
}

/**
 * The schemas, subresources and columns of the versions. What all versions have in common is the definition's own
 * inside of the API server, and is checked and named as such.
 */
function partErrors(spec: JsonObject, isShared: boolean): FieldError[] {
  const versions = objectsAt(spec, 'versions');
  return PARTS.flatMap(({ name, shared, check }) => {
    const isSame = versions.every((version) => isDeepStrictEqual(version[name], versions[0]?.[name]));
    if (isSame !== isShared) return [];
    const checked = isSame ? versions.slice(0, 1) : versions;
    return checked.flatMap((version, i) => check(version, isSame ? `spec.${shared}` : `spec.versions[${i}].${name}`));
  });
}

interface Part {
  /** The member of a version, and that of the spec inside of the API server. */
  readonly name: string;
  readonly shared: string;
  check(version: JsonObject, path: string): FieldError[];
}

const PARTS: readonly Part[] = [
  {
    name: 'schema',
    shared: 'validation',
    check(version, path) {
      const schema = schemaOf(version);
      const hasStatus = objectAt(objectAt(version, 'subresources'), 'status') !== undefined;
      return schema === undefined ? [] : schemaDefinitionErrors(schema, `${path}.openAPIV3Schema`, hasStatus);
    },
  },
  { name: 'subresources', shared: 'subresources', check: scaleErrors },
  { name: 'additionalPrinterColumns', shared: 'additionalPrinterColumns', check: columnErrors },
];

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function columnErrors(version: JsonObject, field: string): FieldError[] {
  return objectsAt(version, 'additionalPrinterColumns').flatMap((column, i) => {
    const path = `${field}[${i}]`;
    const errors = textAt(column, 'name') === '' ? [requiredValue(`${path}.name`)] : [];
    const [type, format] = [textAt(column, 'type'), textAt(column, 'format')];
    if (type === '') errors.push(requiredValue(`${path}.type`, `must be one of ${COLUMN_TYPES.join(',')}`));
    else if (!COLUMN_TYPES.includes(type)) {
      errors.push(invalidValue(`${path}.type`, type, `must be one of ${COLUMN_TYPES.join(',')}`));
    }
    if (format !== '' && !COLUMN_FORMATS.includes(format)) {
      errors.push(invalidValue(`${path}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`));
    }
    const json = textAt(column, 'jsonPath');
    if (json === '') errors.push(requiredValue(`${path}.JSONPath`));
    else errors.push(...simplePathErrors(`${path}.JSONPath`, json));
    return errors;
  });
}

function simplePathErrors(field: string, path: string): FieldError[] {
  return path.startsWith('.') ? [] : [invalidValue(field, path, 'must be a simple json path starting with .')];
}

function scaleErrors(version: JsonObject, field: string): FieldError[] {
  const scale = objectAt(objectAt(version, 'subresources'), 'scale');
  if (scale === undefined) return [];
  return SCALE_PATHS.flatMap(([name, isRequired, roots]) => {
    const path = textAt(scale, name);
    const at = `${field}.scale.${name}`;
    if (path === '') return isRequired ? [requiredValue(at)] : [];
    const errors = simplePathErrors(at, path);
    if (errors.length > 0 || roots.some((root) => path.startsWith(`${root}.`))) return errors;
    const where = roots.length === 1 ? roots[0] : `either ${roots.join(' or ')}`;
    return [invalidValue(at, path, `should be a json path under ${where}`)];
  });
}

const SCALE_PATHS: readonly (readonly [string, boolean, readonly string[]])[] = [
  ['specReplicasPath', true, ['.spec']],
  ['statusReplicasPath', true, ['.status']],
  ['labelSelectorPath', false, ['.spec', '.status']],
];

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
    if (schemaOf(version) !== undefined) continue;
    errors.push(requiredValue(`spec.versions[${i}].schema.openAPIV3Schema`));
  }
  for (const [i, version] of versions.entries()) {
    const name = textAt(version, 'name');
    if (!LABEL_1035.test(name)) errors.push(invalidValue(`spec.versions[${i}].name`, name, LABEL_1035_TEXT));
  }
  errors.push(...partErrors(spec, false));
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
