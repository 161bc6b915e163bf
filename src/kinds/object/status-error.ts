import type { JsonObject } from './json.ts';

/** One problem of a refused request, as it stands in a Status: `field` is absent for problems of the whole. */
export interface StatusCause {
  /** `FieldValueInvalid`, `FieldValueRequired`, `FieldManagerConflict`, ... */
  readonly reason?: string;
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string | undefined;
  readonly group?: string | undefined;
  readonly kind?: string | undefined;
  readonly uid?: string | undefined;
  readonly causes?: readonly StatusCause[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** A refused request. It is answered with a Status of this code; nothing has changed. */
export class StatusError extends Error {
  readonly code: number;
  /** `NotFound`, `Invalid`, ...; '' where the API gives none. */
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  /** Warnings that accompany the refusal. */
  warnings: readonly string[] = [];
  /** Where a list that cannot go on as it was can go on otherwise; '' for all else. */
  continueToken = '';

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }
}

/** A problem of a field. `message` begins with the kind of problem: `Invalid value: "x": must be ...`. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  readonly message: string;
}

export type FieldErrorReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError'
  | 'FieldValueTypeInvalid';

/** The Status that answers a refused request. */
export function statusOf({ code, reason, message, details, continueToken }: StatusError): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: continueToken === '' ? {} : { continue: continueToken },
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details: { ...details } as JsonObject }),
    code,
  };
}
