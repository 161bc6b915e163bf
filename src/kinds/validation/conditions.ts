import { objectsAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue, tooLong, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { duplicate, qualifiedName } from './checks.ts';

/** Checks of conditions of the metadata group's type (ValidateConditions of pkg/apis/meta/v1/validation). */

const REASON_FORM = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const REASON = new RegExp(`^${REASON_FORM}$`);
const REASON_TEXT =
  'a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric' +
  " characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or" +
  ` 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${REASON_FORM}')`;
const STATUSES = ['False', 'True', 'Unknown'];
const REASON_BYTES_MAX = 1024;
const MESSAGE_BYTES_MAX = 32_768;

/** The problems of the member `conditions` of `status`, which is at `path`. */
export function conditionsErrors(path: string, status: JsonObject | undefined): FieldError[] {
  const seen = new Set<string>();
  return objectsAt(status, 'conditions').flatMap((condition, i) => {
    const at = `${path}.conditions[${i}]`;
    const type = textAt(condition, 'type');
    const again = seen.has(type) ? [duplicate(`${at}.type`, type)] : [];
    seen.add(type);
    return [...again, ...conditionErrors(at, condition)];
  });
}

function conditionErrors(at: string, condition: JsonObject): FieldError[] {
  const errors = qualifiedName(`${at}.type`, textAt(condition, 'type'));
  const status = textAt(condition, 'status');
  if (!STATUSES.includes(status)) errors.push(unsupportedValue(`${at}.status`, status, STATUSES));
  const generation = Number(condition['observedGeneration'] ?? 0);
  if (generation < 0) {
    errors.push(invalidValue(`${at}.observedGeneration`, generation, 'must be greater than or equal to zero'));
  }
  if (!condition['lastTransitionTime']) errors.push(requiredValue(`${at}.lastTransitionTime`, 'must be set'));
  const reason = textAt(condition, 'reason');
  if (reason === '') errors.push(requiredValue(`${at}.reason`, 'must be set'));
  else if (!REASON.test(reason)) errors.push(invalidValue(`${at}.reason`, reason, REASON_TEXT));
  return [
    ...errors,
    ...notLonger(`${at}.reason`, reason, REASON_BYTES_MAX),
    ...notLonger(`${at}.message`, textAt(condition, 'message'), MESSAGE_BYTES_MAX),
  ];
}

function notLonger(field: string, text: string, max: number): FieldError[] {
  return Buffer.byteLength(text) <= max ? [] : [tooLong(field, `may not be more than ${max} bytes`)];
}
