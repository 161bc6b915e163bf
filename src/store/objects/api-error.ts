import type { ObjectMeta } from '../../api/meta.ts';
import { isMissing, type Problem } from '../../api/validation/check.ts';
import { CodedError } from '../../lib/errors.ts';
import { kindText, type Resource, resourceText } from './resources.ts';
import type { Preconditions } from './store-client.ts';

/** The metav1.StatusReasons that this API uses, with the HTTP status of each. */
export const STATUS_CODES = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  AlreadyExists: 409,
  Conflict: 409,
  /** A version, or the continuation of a list, is too old; some servers report Gone instead. */
  Expired: 410,
  Gone: 410,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
} as const;

/** The reason of an API error, such as `NotFound` or `Conflict`. */
export type ApiReason = keyof typeof STATUS_CODES;

/** One problem: a field and the reason, or (without field) a machine-readable cause of the whole error. */
export interface StatusCause {
  /** metav1.CauseType: `FieldValueInvalid`, `NamespaceTerminating`, `DisruptionBudget`, ... */
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

/** A request that the API refused: nothing has changed. The message is the API's own text. */
export class ApiError extends CodedError<ApiReason> {
  /** The same as `code`, under the API's name. */
  readonly reason: ApiReason;
  readonly statusCode: number;
  readonly causes: readonly StatusCause[];

  constructor(reason: ApiReason, message: string, causes: readonly StatusCause[] = []) {
    super(reason, message);
    this.reason = reason;
    this.statusCode = STATUS_CODES[reason];
    this.causes = causes;
  }
}

export function isApiError(error: unknown, reason: ApiReason): error is ApiError {
  return error instanceof ApiError && error.reason === reason;
}

/** Whether the error means that the version is too old to continue from, so that the caller has to list again. */
export function isGone(error: unknown): error is ApiError {
  return error instanceof ApiError && error.statusCode === STATUS_CODES.Gone;
}

export function hasCause(error: unknown, reason: string): boolean {
  return error instanceof ApiError && error.causes.some((cause) => cause.reason === reason);
}

export function notFound(resource: Resource, name: string): ApiError {
  return new ApiError('NotFound', `${resourceText(resource)} ${quoted(name)} not found`);
}

/** `isGenerated`: the server had to generate the name. */
export function alreadyExists(resource: Resource, name: string, isGenerated = false): ApiError {
  const why = isGenerated ? ', the server was not able to generate a unique name for the object' : '';
  return new ApiError('AlreadyExists', `${resourceText(resource)} ${quoted(name)} already exists${why}`);
}

export function conflict(resource: Resource, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${resourceText(resource)} ${quoted(name)}: ${why}`;
  return new ApiError('Conflict', message);
}

const PRECONDITIONS = [
  ['uid', 'UID'],
  ['resourceVersion', 'ResourceVersion'],
] as const;

/** Refuses another uid or version than the wanted ones; what is missing is not checked. @throws ApiError Conflict */
export function refuseOther(resource: Resource, wanted: Preconditions, actual: ObjectMeta): void {
  for (const [key, what] of PRECONDITIONS) {
    if (isMissing(wanted[key]) || wanted[key] === actual[key]) continue;
    const why = `${what} in precondition: ${String(wanted[key])}, ${what} in object meta: ${actual[key]}`;
    throw conflict(resource, actual.name ?? '', `Precondition failed: ${why}`);
  }
}

export function invalid(resource: Resource, name: string, problems: readonly Problem[]): ApiError {
  return invalidKind(kindText(resource), name, problems);
}

/** @throws ApiError Invalid, when there are problems */
export function refuseInvalid(
  resource: Resource,
  metadata: ObjectMeta | undefined,
  problems: readonly Problem[],
): void {
  if (problems.length > 0) throw invalid(resource, metadata?.name ?? '', problems);
}

/** `invalid` for an object that is not stored. `kind`: for example `DeleteOptions.meta.k8s.io`. */
export function invalidKind(kind: string, name: string, problems: readonly Problem[]): ApiError {
  const texts = problems.map(({ field, reason }) => (field === '' ? reason : `${field}: ${reason}`));
  const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const causes = problems.map(({ field, reason }) => ({ reason: 'FieldValueInvalid', message: reason, field }));
  return new ApiError('Invalid', `${kind} ${quoted(name)} is invalid: ${all}`, causes);
}

export function forbidden(resource: Resource, name: string, why: string, causes?: readonly StatusCause[]): ApiError {
  return new ApiError('Forbidden', `${resourceText(resource)} ${quoted(name)} is forbidden: ${why}`, causes);
}

export function badRequest(why: string): ApiError {
  return new ApiError('BadRequest', why);
}

export function expired(why: string): ApiError {
  return new ApiError('Expired', why);
}

export function timeout(why: string): ApiError {
  return new ApiError('Timeout', `Timeout: ${why}`);
}

export function tooManyRequests(why: string, causes?: readonly StatusCause[]): ApiError {
  return new ApiError('TooManyRequests', why, causes);
}

export function internalError(why: string): ApiError {
  return new ApiError('InternalError', `Internal error occurred: ${why}`);
}

/** The name in quotes; it may be of any type, since it was not validated. */
function quoted(name: unknown): string {
  return `"${String(name)}"`;
}

/** Sends a request. Returns undefined when it is refused for one of these reasons. */
export function unlessRefused<T>(reasons: readonly ApiReason[], request: () => T): T | undefined {
  try {
    return request();
  } catch (error) {
    if (!(error instanceof ApiError) || !reasons.includes(error.reason)) throw error;
    return undefined;
  }
}

/** Returns the call's result; undefined when the object does not exist. @throws ApiError every other one */
export function ifFound<T>(call: () => T): T | undefined {
  return unlessRefused(['NotFound'], call);
}
