import { parseCronFields } from '../../lib/cron/cron-fields.ts';
import { objectAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { notNegative, oneOf } from './checks.ts';
import { jobSpecErrors } from './jobs.ts';
import { specOf } from './workloads.ts';

/** Checks of cron jobs (pkg/apis/batch/validation). */

const NAME_MAX = 52;

/** A new cron job, whose jobs are named after it and their time. */
export function newCronJobErrors(job: JsonObject): FieldError[] {
  const errors = specErrors(specOf(job), undefined);
  const name = textAt(objectAt(job, 'metadata'), 'name');
  if (Buffer.byteLength(name) <= NAME_MAX) return errors;
  return [...errors, invalidValue('metadata.name', name, `must be no more than ${NAME_MAX} characters`)];
}

export function cronJobUpdateErrors(job: JsonObject, old: JsonObject): FieldError[] {
  return specErrors(specOf(job), specOf(old));
}

function specErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const schedule = textAt(spec, 'schedule');
  if (schedule === '') errors.push(requiredValue('spec.schedule'));
  else errors.push(...scheduleErrors(schedule, spec, old));
  errors.push(...notNegative('spec.startingDeadlineSeconds', spec['startingDeadlineSeconds']));
  if (old === undefined || old['timeZone'] !== spec['timeZone']) errors.push(...zoneErrors(spec['timeZone']));
  errors.push(...oneOf('spec.concurrencyPolicy', spec['concurrencyPolicy'], ['Allow', 'Forbid', 'Replace'], true));
  errors.push(...jobTemplateErrors('spec.jobTemplate.spec', objectAt(objectAt(spec, 'jobTemplate'), 'spec') ?? {}));
  for (const name of ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit']) {
    errors.push(...notNegative(`spec.${name}`, spec[name]));
  }
  return errors;
}

/** The selectors of jobs that are made are made with them. */
function jobTemplateErrors(field: string, spec: JsonObject): FieldError[] {
  const errors = jobSpecErrors(field, spec);
  const selector = objectAt(spec, 'selector');
  if (selector !== undefined) {
    errors.push(invalidValue(`${field}.selector`, selector, '`selector` will be auto-generated'));
  }
  if (spec['manualSelector'] !== true) return errors;
  return [...errors, unsupportedValue(`${field}.manualSelector`, true, ['nil', 'false'])];
}

/** A schedule may name a zone only if the stored one does so already. */
function scheduleErrors(schedule: string, spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (why: string): void => {
    errors.push(invalidValue('spec.schedule', schedule, why));
  };
  const parsed = parseCronFields(schedule.replace(/^(CRON_)?TZ=\S*\s+/, ''));
  if ('error' in parsed) refuse(parsed.error);
  if (!schedule.includes('TZ')) return errors;
  const mayName = textAt(old, 'schedule').includes('TZ');
  if (!mayName) refuse('cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  else if (spec['timeZone'] !== undefined) refuse('cannot use both timeZone field and TZ or CRON_TZ in schedule');
  return errors;
}

const ZONE_PART = /^(?!-)(?!\.{1,2}$)[A-Za-z.\-_0-9+]{1,14}$/;

function zoneErrors(zone: JsonValue | undefined): FieldError[] {
  if (typeof zone !== 'string') return [];
  const refused = (why: string): FieldError[] => [invalidValue('spec.timeZone', zone, why)];
  if (zone === '') return refused('timeZone must be nil or non-empty string');
  const unknown = `unknown time zone ${zone}`;
  if (!zone.split('/').every((part) => ZONE_PART.test(part))) return refused(unknown);
  const local = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
  if (zone === 'Local') return refused(local);
  if (zone.toLowerCase() === 'local') return [...refused(local), ...refused(unknown)];
  return isZone(zone) ? [] : refused(unknown);
}

/** The names of zones have their case, as the files that upstream reads have it; offsets are no names. */
function isZone(zone: string): boolean {
  if (/^[+-]/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
  } catch {
    return false;
  }
  const lower = zone.toLowerCase();
  const known = Intl.supportedValuesOf('timeZone').find((name) => name.toLowerCase() === lower);
  return known === undefined ? zone !== lower : known === zone;
}
