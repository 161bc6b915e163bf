/** One reason why a configuration is refused. */
export interface ConfigurationError {
  /** The full text: field path, problem, and the value if it is at fault. */
  readonly message: string;
  /** The field, such as `profiles[0].percentageOfNodesToScore`; absent if no single field is at fault. */
  readonly field?: string;
  /** The type; only for errors of validation. */
  readonly type?: FieldErrorType;
  /** The part of `message` after the value; absent when there is none. */
  readonly detail?: string;
}

/** Upstream: apimachinery/pkg/util/validation/field/errors.go. */
export type FieldErrorType =
  | 'FieldValueInvalid'
  | 'FieldValueRequired'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden';

/** An invalid value, which is shown as JSON. */
export function invalid(field: string, value: unknown, detail: string): ConfigurationError {
  return fieldError(field, 'FieldValueInvalid', `Invalid value: ${JSON.stringify(value)}`, detail);
}

export function required(field: string, detail = ''): ConfigurationError {
  return fieldError(field, 'FieldValueRequired', 'Required value', detail);
}

export function notSupported(field: string, value: string, supported: readonly string[]): ConfigurationError {
  const list = supported.map((name) => JSON.stringify(name)).join(', ');
  return fieldError(
    field,
    'FieldValueNotSupported',
    `Unsupported value: ${JSON.stringify(value)}`,
    `supported values: ${list}`,
  );
}

export function duplicate(field: string, value: unknown): ConfigurationError {
  return fieldError(field, 'FieldValueDuplicate', `Duplicate value: ${JSON.stringify(value)}`, '');
}

export function forbidden(field: string, detail: string): ConfigurationError {
  return fieldError(field, 'FieldValueForbidden', 'Forbidden', detail);
}

/** Several errors as one text, without duplicates. */
export function joinErrors(errors: readonly ConfigurationError[]): string {
  const messages = [...new Set(errors.map(({ message }) => message))];
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
}

function fieldError(field: string, type: FieldErrorType, problem: string, detail: string): ConfigurationError {
  const message = `${field}: ${problem}`;
  return detail === '' ? { field, type, message } : { field, type, detail, message: `${message}: ${detail}` };
}
