import { labelKeyProblems, labelValueProblems } from '../../api/label-syntax.ts';
import { quantityNano } from '../../api/quantity-text.ts';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, tooLong, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';

/** Checks that many kinds share. Each returns the problems that it finds. */

const LABEL_FORM = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN_FORM = `${LABEL_FORM}(\\.${LABEL_FORM})*`;
const LABEL = new RegExp(`^${LABEL_FORM}$`);
const SUBDOMAIN = new RegExp(`^${SUBDOMAIN_FORM}$`);
const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with" +
  ` an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL_FORM}')`;
const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and" +
  ` end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN_FORM}')`;
export const NOT_NEGATIVE = 'must be greater than or equal to 0';
export const IMMUTABLE = 'field is immutable';

export function dnsLabelProblems(text: string): string[] {
  const long = Buffer.byteLength(text) > 63 ? ['must be no more than 63 characters'] : [];
  if (LABEL.test(text)) return long;
  return [...long, SUBDOMAIN.test(text) ? 'must not contain dots' : LABEL_TEXT];
}

export function dnsSubdomainProblems(text: string): string[] {
  const long = Buffer.byteLength(text) > 253 ? ['must be no more than 253 characters'] : [];
  return SUBDOMAIN.test(text) ? long : [...long, SUBDOMAIN_TEXT];
}

const KEY_TEXT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME', " +
  " or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** Checks a key of a config map or of a secret. */
export function configKey(field: string, key: string): FieldError[] {
  const errors = Buffer.byteLength(key) > 253 ? [invalidValue(field, key, 'must be no more than 253 characters')] : [];
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) errors.push(invalidValue(field, key, KEY_TEXT));
  if (key === '.') errors.push(invalidValue(field, key, "must not be '.'"));
  else if (key === '..') errors.push(invalidValue(field, key, "must not be '..'"));
  else if (key.startsWith('..')) errors.push(invalidValue(field, key, "must not start with '..'"));
  return errors;
}

export function dnsLabel(field: string, text: string): FieldError[] {
  return dnsLabelProblems(text).map((why) => invalidValue(field, text, why));
}

export function dnsSubdomain(field: string, text: string): FieldError[] {
  return dnsSubdomainProblems(text).map((why) => invalidValue(field, text, why));
}

const SEARCH_LABEL = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SEARCH_FORM = `${SEARCH_LABEL}(\\.${SEARCH_LABEL})*`;
const SEARCH = new RegExp(`^${SEARCH_FORM}$`);
const SEARCH_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start" +
  ` and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SEARCH_FORM}')`;

/** A domain to search in, which may have underscores (ValidateDNS1123SubdomainWithUnderScore). */
export function underscoredDomain(field: string, text: string): FieldError[] {
  const long = Buffer.byteLength(text) > 253 ? ['must be no more than 253 characters'] : [];
  const problems = SEARCH.test(text) ? long : [...long, SEARCH_TEXT];
  return problems.map((why) => invalidValue(field, text, why));
}

/** A name with or without a domain in front: `example.com/name`. */
export function qualifiedName(field: string, text: string): FieldError[] {
  return labelKeyProblems(text).map((why) => invalidValue(field, text, why));
}

export function labels(field: string, values: JsonValue | undefined): FieldError[] {
  const map = (values ?? {}) as JsonObject;
  return Object.keys(map)
    .sort()
    .flatMap((key) => [
      ...qualifiedName(field, key),
      ...labelValueProblems(String(map[key])).map((why) => invalidValue(field, String(map[key]), why)),
    ]);
}

const ANNOTATIONS_BYTES_MAX = 256 * 1024;

/** Annotations, whose names are checked in lower case, and whose sum of bytes is limited. */
export function annotations(field: string, values: JsonValue | undefined): FieldError[] {
  const map = (values ?? {}) as JsonObject;
  const errors = Object.keys(map)
    .sort()
    .flatMap((key) => labelKeyProblems(key.toLowerCase()).map((why) => invalidValue(field, key, why)));
  const texts = Object.entries(map).map(([key, value]) => key + String(value));
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= ANNOTATIONS_BYTES_MAX) return errors;
  return [...errors, tooLong(field, `may not be more than ${ANNOTATIONS_BYTES_MAX} bytes`)];
}

/** The members that metadata of a template cannot have, in the order of Go's struct. */
const NOT_IN_TEMPLATES = [
  ...['name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion', 'generation', 'creationTimestamp'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds', 'ownerReferences', 'finalizers', 'managedFields'],
];

/** The metadata of a template of claims, which has annotations and labels only (ValidateTemplateObjectMeta). */
export function templateObjectMetadata(field: string, metadata: JsonObject | undefined): FieldError[] {
  const given = NOT_IN_TEMPLATES.filter((name) => metadata?.[name] !== undefined && metadata[name] !== null);
  return [
    ...annotations(`${field}.annotations`, metadata?.['annotations']),
    ...labels(`${field}.labels`, metadata?.['labels']),
    // Go's name of the uid is UID, of which only the first letter is made small.
    ...given.map((name) => forbiddenField(`${field}.${name === 'uid' ? 'uID' : name}`, 'cannot be set')),
  ];
}

export function notNegative(field: string, value: JsonValue | undefined): FieldError[] {
  return typeof value === 'number' && value < 0 ? [invalidValue(field, value, NOT_NEGATIVE)] : [];
}

export function between(field: string, value: JsonValue | undefined, min: number, max: number): FieldError[] {
  if (typeof value !== 'number' || (value >= min && value <= max)) return [];
  return [invalidValue(field, value, `must be between ${min} and ${max}, inclusive`)];
}

export function portNumber(field: string, value: JsonValue | undefined): FieldError[] {
  return between(field, value, 1, 65_535);
}

/** A port by number or by name. */
export function portRef(field: string, value: JsonValue | undefined): FieldError[] {
  if (typeof value === 'string') return portNameProblems(value).map((why) => invalidValue(field, value, why));
  return portNumber(field, value ?? 0);
}

export function portNameProblems(name: string): string[] {
  const problems: string[] = [];
  if (name.length > 15) problems.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (/^-|-$/.test(name)) problems.push('must not begin or end with a hyphen');
  return problems;
}

/** One of these texts; an empty one is missing, if `isRequired`. */
export function oneOf(
  field: string,
  value: JsonValue | undefined,
  supported: readonly string[],
  isRequired = false,
): FieldError[] {
  if (value === undefined || value === null || value === '') return isRequired ? [requiredValue(field)] : [];
  return supported.includes(String(value)) ? [] : [unsupportedValue(field, value, supported)];
}

export function duplicate(field: string, value: JsonValue): FieldError {
  const { message } = invalidValue(field, value, '');
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${message.slice(15, -2)}` };
}

export function notFound(field: string, value: string): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${JSON.stringify(value)}` };
}

export function unchanged(field: string, value: JsonValue | undefined, old: JsonValue | undefined): FieldError[] {
  return sameJson(value, old) ? [] : [invalidValue(field, value, IMMUTABLE)];
}

/** Whether two values are the same; what is empty is like what is absent. */
export function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return JSON.stringify(normal(a)) === JSON.stringify(normal(b));
}

function normal(value: JsonValue | undefined): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(normal);
  const result: JsonObject = {};
  for (const key of Object.keys(value).sort()) {
    const member = normal(value[key]);
    if (member !== null) result[key] = member;
  }
  return result;
}

/** A label selector of the metadata group (ValidateLabelSelector). */
export function labelSelector(field: string, selector: JsonObject | undefined): FieldError[] {
  if (selector === undefined) return [];
  const errors = labels(`${field}.matchLabels`, selector['matchLabels']);
  for (const [i, expression] of objectsAt(selector, 'matchExpressions').entries()) {
    errors.push(...selectorRequirement(`${field}.matchExpressions[${i}]`, expression));
  }
  return errors;
}

function selectorRequirement(field: string, expression: JsonObject): FieldError[] {
  const operator = textAt(expression, 'operator');
  const errors = operatorErrors(field, expression);
  if (!SELECTOR_OPERATORS.includes(operator)) {
    errors.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'));
  }
  return [...errors, ...selectorTextErrors(field, expression)];
}

const SELECTOR_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** Whether a requirement has the values that its operator takes; operators that are not known take any. */
export function operatorErrors(field: string, expression: JsonObject): FieldError[] {
  const operator = textAt(expression, 'operator');
  const values = Array.isArray(expression['values']) ? expression['values'] : [];
  const errors: FieldError[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      errors.push(requiredValue(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      errors.push(forbiddenField(`${field}.values`, why));
    }
  }
  return errors;
}

/** The problems of a requirement's label, and of the values it may have. */
export function selectorTextErrors(field: string, expression: JsonObject): FieldError[] {
  const values = Array.isArray(expression['values']) ? expression['values'] : [];
  const errors = qualifiedName(`${field}.key`, textAt(expression, 'key'));
  for (const [i, value] of values.entries()) {
    const problems = labelValueProblems(String(value));
    errors.push(...problems.map((why) => invalidValue(`${field}.values[${i}]`, value, why)));
  }
  return errors;
}

export function isEmptySelector(selector: JsonObject | undefined): boolean {
  return (
    Object.keys(objectAt(selector, 'matchLabels') ?? {}).length === 0 &&
    objectsAt(selector, 'matchExpressions').length === 0
  );
}

/** Whether labels match a selector whose form was checked. */
export function selectorMatches(selector: JsonObject | undefined, values: JsonObject): boolean {
  const wanted = objectAt(selector, 'matchLabels') ?? {};
  if (Object.keys(wanted).some((key) => values[key] !== wanted[key])) return false;
  return objectsAt(selector, 'matchExpressions').every((expression) => {
    const value = values[textAt(expression, 'key')];
    const given = Array.isArray(expression['values']) ? expression['values'] : [];
    const operator = textAt(expression, 'operator');
    if (operator === 'Exists') return value !== undefined;
    if (operator === 'DoesNotExist') return value === undefined;
    const isIn = value !== undefined && given.includes(value);
    return operator === 'In' ? isIn : !isIn;
  });
}

/** Go writes maps in the order of their keys. */
export function sortedByKey(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** An integer or a percentage. */
export function intOrPercent(field: string, value: JsonValue | undefined): FieldError[] {
  if (typeof value === 'number') return notNegative(field, value);
  if (typeof value !== 'string' || /^[0-9]+%$/.test(value)) return [];
  const why =
    "a valid percent string must be a numeric string followed by an ending '%' " +
    "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
  return [invalidValue(field, value, why)];
}

export function notAboveWhole(field: string, value: JsonValue | undefined): FieldError[] {
  const isAbove = typeof value === 'string' && /^[0-9]+%$/.test(value) && Number.parseInt(value, 10) > 100;
  return isAbove ? [invalidValue(field, value, 'must not be greater than 100%')] : [];
}

export function isNegativeAmount(amount: JsonValue | undefined): boolean {
  return typeof amount === 'string' && amount.startsWith('-');
}

/** Compares two amounts: negative if the first is smaller. */
export function compareAmounts(a: JsonValue | undefined, b: JsonValue | undefined): number {
  const difference = quantityNano(String(a ?? '0')) - quantityNano(String(b ?? '0'));
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function isWholeAmount(amount: JsonValue | undefined): boolean {
  return quantityNano(String(amount ?? '0')) % 1_000_000_000n === 0n;
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

export function isIp(text: string): boolean {
  return IPV4.test(text) || (text.includes(':') && /^[0-9a-fA-F:.]+$/.test(text) && isIpv6(text));
}

function isIpv6(text: string): boolean {
  try {
    return new URL(`http://[${text}]/`).hostname.length > 2;
  } catch {
    return false;
  }
}

/** An IPv4 address with zeros before a number, which some programs read as octal. */
const ZEROS_AHEAD = /^(?=.*(?:^|\.)0\d)0*(\d{1,3})\.0*(\d{1,3})\.0*(\d{1,3})\.0*(\d{1,3})$/;

export function ipAddress(field: string, text: string): FieldError[] {
  const parts = ZEROS_AHEAD.exec(text)?.slice(1);
  if (parts?.every((part) => Number(part) <= 255)) return [invalidValue(field, text, 'must not have leading 0s')];
  return isIp(text) ? [] : [invalidValue(field, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

/** A path whose first part is a domain: `acme.io/foo` (IsDomainPrefixedPath). */
export function domainPathErrors(field: string, text: string): FieldError[] {
  if (text === '') return [requiredValue(field)];
  const slash = text.indexOf('/');
  const [domain, path] = [text.slice(0, Math.max(slash, 0)), text.slice(slash + 1)];
  if (domain === '' || path === '') {
    return [invalidValue(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const domainErrors = dnsSubdomain(field, domain);
  if (/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path)) return domainErrors;
  const why = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";
  return [...domainErrors, invalidValue(field, path, why)];
}

/** A name that is part of a path (IsValidPathSegmentName). */
export function pathSegment(field: string, name: string): FieldError[] {
  if (name === '.' || name === '..') return [invalidValue(field, name, `may not be '${name}'`)];
  const wrong = ['/', '%'].filter((character) => name.includes(character));
  return wrong.map((character) => invalidValue(field, name, `may not contain '${character}'`));
}
