/** Problems of fields in the words of the API (upstream: apimachinery/pkg/util/validation/field). */
import type { JsonValue } from './json.ts';
import type { FieldError } from './status-error.ts';

/** The text of a value in a message: strings quoted, other values as JSON, in which Go escapes what HTML knows. */
function quoted(value: JsonValue | undefined): string {
  if (typeof value === 'string') return goQuoted(value);
  if (value === undefined) return 'null';
  return JSON.stringify(value).replace(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
}

export function invalidValue(field: string, value: JsonValue | undefined, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${quoted(value)}: ${detail}` };
}

export function requiredValue(field: string, detail = ''): FieldError {
  return {
    reason: 'FieldValueRequired',
    field,
    message: detail === '' ? 'Required value' : `Required value: ${detail}`,
  };
}

export function forbiddenField(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: `Forbidden: ${detail}` };
}

export function unsupportedValue(field: string, value: JsonValue, supported: readonly string[]): FieldError {
  const list = supported.map((one) => JSON.stringify(one)).join(', ');
  const message = `Unsupported value: ${quoted(value)}: supported values: ${list}`;
  return { reason: 'FieldValueNotSupported', field, message };
}

export function tooLong(field: string, detail: string): FieldError {
  return { reason: 'FieldValueTooLong', field, message: `Too long: ${detail}` };
}

export function tooMany(field: string, count: number, max: number): FieldError {
  const items = max === 1 ? 'item' : 'items';
  return { reason: 'FieldValueTooMany', field, message: `Too many: ${count}: must have at most ${max} ${items}` };
}

const GO_ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\u000b': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/** A text as Go quotes it. */
export function goQuoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
  const escaped = text.replace(/["\\\u0000-\u001f\u007f]/g, (character) => {
    return GO_ESCAPES[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `"${escaped}"`;
}
