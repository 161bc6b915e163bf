import { invalidValue } from '../object/field-errors.ts';
import type { FieldError } from '../object/status-error.ts';

/** Checks of paths (validateLocalDescendingPath, validatePathNoBacksteps). */

/** A path below some folder. */
export function localPath(field: string, path: string): FieldError[] {
  const absolute = path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : [];
  return [...absolute, ...noBackSteps(field, path)];
}

export function noBackSteps(field: string, path: string): FieldError[] {
  return path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : [];
}
