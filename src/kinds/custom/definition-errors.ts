import { isDeepStrictEqual } from 'node:util';
import { objectAt, objectsAt, textAt, textsAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, tooMany } from '../object/field-errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsSubdomain, duplicate, oneOf } from '../validation/checks.ts';
import { internalJson } from '../validation/internal-json.ts';
import { schemaDefinitionErrors } from './definition-schema-errors.ts';
import { unknownFormats } from './formats.ts';
import { schemaAt } from './rule-definition-errors.ts';

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
  errors.push(...conversionErrors(objectAt(spec, 'conversion')), ...storedVersionErrors(definition));
  const isProtected = /(^|\.)k8s\.io$|(^|\.)kubernetes\.io$/.test(group);
  if (isProtected) errors.push(...approvalErrors(textAt(objectAt(metadata, 'annotations'), APPROVAL)));
  if (spec['preserveUnknownFields'] === true) {
    const instead = 'set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    errors.push(invalidValue('spec.preserveUnknownFields', true, `cannot set to true, ${instead}`));
  }
  return errors;
}

/** Groups of Kubernetes itself need a link to where their API was approved, or a word that it was not. */
function approvalErrors(approval: string): FieldError[] {
  const field = `metadata.annotations[${APPROVAL}]`;
  const needed = `protected groups must have approval annotation "${APPROVAL}"`;
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
  if (approval === '') return [requiredValue(field, `${needed}, ${see}`)];
  if (approval.startsWith('unapproved') || /^[a-z][a-z0-9+.-]*:\/\/[^/\s]/i.test(approval)) return [];
  const either = 'with either a URL or a reason starting with "unapproved"';
  return [invalidValue(field, approval, `${needed} ${either}, ${see}`)];
}

/** Versions in which objects may be stored must stay. */
function storedVersionErrors(definition: JsonObject): FieldError[] {
  const field = 'status.storedVersions';
  const stored = textsAt(objectAt(definition, 'status'), 'storedVersions');
  if (stored.length === 0) return [invalidValue(field, null, 'must have at least one stored version')];
  const versions = objectsAt(objectAt(definition, 'spec'), 'versions');
  const errors = versions
    .filter((version) => version['storage'] === true && !stored.includes(textAt(version, 'name')))
    .map((version) => invalidValue(field, [...stored], `must have the storage version ${textAt(version, 'name')}`));
  for (const [i, name] of stored.entries()) {
    if (versions.some((version) => version['name'] === name)) continue;
    const why =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until` +
      ` a storage migration ensures no data remains persisted in ${name} and removes ${name} from ${field}`;
    errors.push(invalidValue(`${field}[${i}]`, name, why));
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
  { name: 'selectableFields', shared: 'selectableFields', check: selectableErrors },
];

const SELECTABLE_MAX = 8;
const SELECTABLE_TYPES = ['boolean', 'integer', 'string'];

function selectableErrors(version: JsonObject, field: string): FieldError[] {
  const schema = schemaOf(version) ?? {};
  const seen = new Set<string>();
  const errors = objectsAt(version, 'selectableFields').flatMap((selectable, i) => {
    const json = textAt(selectable, 'jsonPath');
    const path = `${field}[${i}].jsonPath`;
    if (json === '') return [requiredValue(path)];
    const found = json.includes('[') ? undefined : schemaAt(json, schema);
    if (found === undefined) {
      return [invalidValue(path, json, 'is an invalid path: does not refer to a valid field')];
    }
    const problems: FieldError[] = [];
    if (/^\.metadata(?:\.|$)/.test(json)) {
      problems.push(invalidValue(path, json, 'must not point to fields in metadata'));
    }
    if (!SELECTABLE_TYPES.includes(textAt(found, 'type'))) {
      const why = 'Enum string fields and strings with formats are allowed.';
      problems.push(invalidValue(path, json, `must point to a field of type string, boolean or integer. ${why}`));
    }
    if (seen.has(json)) problems.push(duplicate(path, json));
    seen.add(json);
    return problems;
  });
  return seen.size > SELECTABLE_MAX ? [...errors, tooMany(field, seen.size, SELECTABLE_MAX)] : errors;
}

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
  errors.push(
    ...versions.flatMap((version, i) => deprecationErrors(version, `spec.versions[${i}].deprecationWarning`)),
  );
  errors.push(...partErrors(spec, false));
  const refuse = (why: string): void => {
    const type = 'apiextensions/v1.CustomResourceDefinitionVersion';
    const shown: JsonValue = versions.map(({ name, served, storage }) => {
      return internalJson(type, { name: name ?? '', served: served ?? false, storage: storage ?? false });
    });
    errors.push(invalidValue('spec.versions', shown, why));
  };
  if (new Set(versions.map(({ name }) => name)).size < versions.length) refuse('must contain unique version names');
  if (stored !== 1) refuse('must have exactly one version marked as storage version');
  return errors;
}

function deprecationErrors(version: JsonObject, field: string): FieldError[] {
  const warning = version['deprecationWarning'];
  if (typeof warning !== 'string') return [];
  const wrong = (why: string): FieldError => invalidValue(field, warning, why);
  if (version['deprecated'] !== true) return [wrong('can only be set for deprecated versions')];
  const errors = Buffer.byteLength(warning) > 256 ? [wrong('must be <= 256 characters long')] : [];
  if (warning === '') errors.push(wrong('must not be an empty string'));
  const [, before] = /^([^\p{C}]*)\p{C}/u.exec(warning) ?? [];
  if (before !== undefined) {
    const where = `non-printable character found at index ${Buffer.byteLength(before)}`;
    errors.push(wrong(`must only contain printable UTF-8 characters; ${where}`));
  }
  return errors;
}

function nameErrors(names: JsonObject): FieldError[] {
  const required = ['plural', 'singular', 'kind', 'listKind'].filter((field) => textAt(names, field) === '');
  const errors = required.map((field) => requiredValue(`spec.names.${field}`));
  for (const field of ['plural', 'singular']) {
    const text = textAt(names, field);
    if (text === '' || LABEL_1035.test(text)) continue;
    errors.push(invalidValue(`spec.names.${field}`, text, LABEL_1035_TEXT));
  }
  for (const field of ['kind', 'listKind']) {
    const text = textAt(names, field);
    if (text === '' || LABEL_1035.test(text.toLowerCase())) continue;
    const why = `may have mixed case, but should otherwise match: ${LABEL_1035_TEXT}`;
    errors.push(invalidValue(`spec.names.${field}`, text, why));
  }
  errors.push(...labelErrors(names, 'shortNames'));
  if (textAt(names, 'kind') !== '' && textAt(names, 'kind') === textAt(names, 'listKind')) {
    errors.push(
      invalidValue('spec.names.listKind', textAt(names, 'listKind'), 'kind and listKind may not be the same'),
    );
  }
  return [...errors, ...labelErrors(names, 'categories')];
}

function labelErrors(names: JsonObject, field: string): FieldError[] {
  return textsAt(names, field).flatMap((text, i) =>
    LABEL_1035.test(text) ? [] : [invalidValue(`spec.names.${field}[${i}]`, text, LABEL_1035_TEXT)],
  );
}

function conversionErrors(conversion: JsonObject | undefined): FieldError[] {
  const path = 'spec.conversion';
  const webhook = objectAt(conversion, 'webhook');
  const client = objectAt(webhook, 'clientConfig');
  const versions = textsAt(webhook, 'conversionReviewVersions');
  const field = `${path}.conversionReviewVersions`;
  if (conversion?.['strategy'] !== 'Webhook') {
    const errors = oneOf(`${path}.strategy`, conversion?.['strategy'], ['None', 'Webhook']);
    const why = 'should not be set when strategy is not set to Webhook';
    if (client !== undefined) errors.push(forbiddenField(`${path}.webhookClientConfig`, why));
    if (versions.length > 0) errors.push(forbiddenField(field, why));
    return errors;
  }
  const errors: FieldError[] = [];
  if (client === undefined) {
    errors.push(requiredValue(`${path}.webhookClientConfig`, 'required when strategy is set to Webhook'));
  } else if ((client['url'] === undefined) === (client['service'] === undefined)) {
    errors.push(requiredValue(`${path}.webhookClientConfig`, 'exactly one of url or service is required'));
  }
  if (versions.length === 0) return [...errors, requiredValue(field)];
  for (const [i, version] of versions.entries()) {
    const at = `${field}[${i}]`;
    if (versions.indexOf(version) < i) errors.push(invalidValue(at, version, 'duplicate version'));
    else if (!LABEL_1035.test(version)) errors.push(invalidValue(at, version, LABEL_1035_TEXT));
  }
  if (versions.some((version) => REVIEW_VERSIONS.includes(version))) return errors;
  const why = `must include at least one of ${REVIEW_VERSIONS.join(', ')}`;
  return [...errors, invalidValue(field, [...versions], why)];
}

const REVIEW_VERSIONS = ['v1', 'v1beta1'];

/** Whether a definition keeps what its objects depend on. */
export function definitionUpdateErrors(definition: JsonObject, old: JsonObject): FieldError[] {
  const errors = specErrors(definition);
  const [spec, before] = [objectAt(definition, 'spec'), objectAt(old, 'spec')];
  const conditions = objectsAt(objectAt(old, 'status'), 'conditions');
  const isEstablished = conditions.some(({ type, status }) => type === 'Established' && status === 'True');
  const same = (path: string, now: JsonValue | undefined, then: JsonValue | undefined): void => {
    if (now !== then) errors.push(invalidValue(path, now, 'field is immutable'));
  };
  if (isEstablished) {
    same('spec.scope', spec?.['scope'], before?.['scope']);
    same('spec.names.kind', objectAt(spec, 'names')?.['kind'], objectAt(before, 'names')?.['kind']);
  }
  same('spec.group', spec?.['group'], before?.['group']);
  same('spec.names.plural', objectAt(spec, 'names')?.['plural'], objectAt(before, 'names')?.['plural']);
  return errors;
}

/** Formats of texts that nobody knows; an update warns of those that are new. */
export function definitionWarnings(definition: JsonObject, old: JsonObject | undefined): string[] {
  const formatsOf = (one: JsonObject | undefined): string[] =>
    objectsAt(objectAt(one, 'spec'), 'versions').flatMap((version) => unknownFormats(schemaOf(version) ?? {}));
  const known = formatsOf(old);
  const formats = formatsOf(definition).filter((format) => !known.includes(format));
  return formats.map((format) => `unrecognized format ${JSON.stringify(format)}`);
}
