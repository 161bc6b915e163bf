/** The API's own refusals, each with its code, reason and text (upstream: apimachinery/pkg/api/errors). */
import { type ApiResource, kindText, resourceText } from './api-resource.ts';
import { type FieldError, type StatusCause, type StatusDetails, StatusError } from './status-error.ts';

type Named = Pick<ApiResource, 'group' | 'resource'>;

function detailsOf({ group, resource }: Named, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: resource,
  };
}

export function notFound(resource: Named, name: string): StatusError {
  const message = `${resourceText(resource)} ${JSON.stringify(name)} not found`;
  return new StatusError(404, 'NotFound', message, detailsOf(resource, name));
}

/** A path that is in a group that exists, but leads nowhere. */
export function unknownResource(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function methodNotAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource';
  return new StatusError(405, 'MethodNotAllowed', message, {});
}

export function alreadyExists(resource: Named, name: string, why = ''): StatusError {
  const message = `${resourceText(resource)} ${JSON.stringify(name)} already exists${why}`;
  return new StatusError(409, 'AlreadyExists', message, detailsOf(resource, name));
}

export function conflict(resource: Named, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${resourceText(resource)} ${JSON.stringify(name)}: ${why}`;
  return new StatusError(409, 'Conflict', message, detailsOf(resource, name));
}

export function forbidden(
  resource: Named,
  name: string,
  why: string,
  causes: readonly StatusCause[] = [],
): StatusError {
  const details = { ...detailsOf(resource, name), ...(causes.length === 0 ? {} : { causes }) };
  const subject =
    name === ''
      ? `${resourceText(resource)} is forbidden`
      : `${resourceText(resource)} ${JSON.stringify(name)} is forbidden`;
  return new StatusError(403, 'Forbidden', `${subject}: ${why}`, details);
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

/** An error of the server's own that has no reason in its Status. */
export function unclassified(message: string): StatusError {
  return new StatusError(500, '', message);
}

export function internalError(message: string): StatusError {
  const text = `Internal error occurred: ${message}`;
  return new StatusError(500, 'InternalError', text, { causes: [{ message }] });
}

export function expired(message: string): StatusError {
  return new StatusError(410, 'Expired', message);
}

type NamedKind = Pick<ApiResource, 'group' | 'kind'>;

export function invalid(kind: NamedKind, name: string, errors: readonly FieldError[]): StatusError {
  const causes = errors.map(({ reason, message, field }) => ({ reason, message, field }));
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  // An error that is found twice is told once in the message.
  const distinct = [...new Set(texts)];
  const all = distinct.length === 1 ? distinct[0] : `[${distinct.join(', ')}]`;
  const message = `${kindText(kind)} ${JSON.stringify(name)} is invalid: ${all}`;
  return new StatusError(422, 'Invalid', message, {
    ...(name === '' ? {} : { name }),
    ...(kind.group === '' ? {} : { group: kind.group }),
    ...(kind.kind === '' ? {} : { kind: kind.kind }),
    causes,
  });
}

/** Refuses what has errors. @throws StatusError */
export function refuseInvalid(kind: NamedKind, name: string, errors: readonly FieldError[]): void {
  // Events of both groups are one kind, and refused as the older one.
  const named = kind.kind === 'Event' ? { group: '', kind: 'Event' } : kind;
  if (errors.length > 0) throw invalid(named, name, errors);
}
