/** The options in a query, read as the API reads them: by Go's rules for numbers and booleans. */

import {
  forbiddenField,
  invalidValue,
  requiredValue,
  tooLong,
  unsupportedValue,
} from '../../kinds/object/field-errors.ts';
import { badRequest, refuseInvalid } from '../../kinds/object/refusals.ts';
import type { FieldError } from '../../kinds/object/status-error.ts';

/** An integer, or undefined when it is not given. @throws StatusError BadRequest */
export function integerIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = BigInt(text);
  if (BigInt.asIntN(64, value) !== value) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  }
  return Number(value);
}

/** The number of a resource version, 0 for none; a text: what Go says of one that is no number. */
export function versionIn(text: string): number | string {
  const isNumber = /^\d*$/.test(text);
  if (isNumber && Number(text) < UINT64_LIMIT) return Number(text);
  return `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${isNumber ? 'value out of range' : 'invalid syntax'}`;
}

const UINT64_LIMIT = 2 ** 64;

/** A boolean: anything but `false` and `0`, in any case, is true; undefined when it is not given. */
export function booleanIn(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  return text === null ? undefined : !['false', '0'].includes(text.toLowerCase());
}

export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly isWatch: boolean;
  readonly allowsBookmarks: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds: number | undefined;
  readonly limit: number;
  readonly continueToken: string;
  readonly sendInitialEvents: boolean | undefined;
}

/** @throws StatusError BadRequest, Invalid */
export function listOptions(query: URLSearchParams, isWatchPath: boolean): ListOptions {
  const options: ListOptions = {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    isWatch: isWatchPath || (booleanIn(query, 'watch') ?? false),
    allowsBookmarks: booleanIn(query, 'allowWatchBookmarks') ?? false,
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    timeoutSeconds: integerIn(query, 'timeoutSeconds'),
    limit: integerIn(query, 'limit') ?? 0,
    continueToken: query.get('continue') ?? '',
    sendInitialEvents: booleanIn(query, 'sendInitialEvents'),
  };
  return options;
}

const LIST_OPTIONS = { group: 'meta.k8s.io', kind: 'ListOptions' };

/** Upstream: ValidateListOptions in meta/internalversion/validation. @throws StatusError Invalid */
export function checkListOptions(options: ListOptions): void {
  const errors = options.isWatch ? watchErrors(options) : listErrors(options);
  refuseInvalid(LIST_OPTIONS, '', errors);
}

function listErrors(options: ListOptions): FieldError[] {
  const { resourceVersion: version, resourceVersionMatch: match, continueToken, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (match !== '') {
    if (version === '') {
      errors.push(
        forbiddenField('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
      );
    }
    if (continueToken !== '') {
      errors.push(
        forbiddenField('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided'),
      );
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(unsupportedValue('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && version === '0') {
      const why = 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"';
      errors.push(forbiddenField('resourceVersionMatch', why));
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function watchErrors({ resourceVersionMatch: match, continueToken, sendInitialEvents }: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const field = 'resourceVersionMatch';
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(forbiddenField(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (sendInitialEvents === undefined && match !== '') {
    errors.push(
      forbiddenField(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
    );
  }
  if (match !== '' && match !== 'NotOlderThan') errors.push(unsupportedValue(field, match, ['NotOlderThan']));
  if (continueToken !== '') {
    errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  return errors;
}

export interface WriteOptions {
  readonly isDryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  readonly force: boolean | undefined;
}

/** The options of a create, update or patch. `kind`: CreateOptions, ... @throws StatusError Invalid */
export function writeOptions(query: URLSearchParams, kind: string, isApply = false): WriteOptions {
  const dryRun = query.getAll('dryRun');
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const force = booleanIn(query, 'force');
  const errors: FieldError[] = [];
  if (kind === 'PatchOptions') {
    if (isApply && fieldManager === '') {
      errors.push(requiredValue('fieldManager', 'is required for apply patch'));
    }
    if (!isApply && force !== undefined)
      errors.push(forbiddenField('force', 'may not be specified for non-apply patch'));
  }
  errors.push(...fieldManagerErrors(fieldManager), ...dryRunErrors(dryRun));
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(fieldValidation)) {
    errors.push(unsupportedValue('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  refuseInvalid({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    isDryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as WriteOptions['fieldValidation']),
    force,
  };
}

export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  if (dryRun.every((one) => one === 'All')) return [];
  return [unsupportedValue('dryRun', [...dryRun], ['All'])];
}

function fieldManagerErrors(name: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(name) > 128) errors.push(tooLong('fieldManager', 'may not be more than 128 bytes'));
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code >= 0x20 && code !== 0x7f) continue;
    const shown = `invalid character U+${code.toString(16).toUpperCase().padStart(4, '0')} (at position ${i})`;
    errors.push(invalidValue('fieldManager', name, shown));
  }
  return errors;
}
