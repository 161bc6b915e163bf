import { type Check, isObject, type UnknownObject } from '../../api/validation/check.ts';
import { arrayOf, integer, nonEmpty, required, string } from '../../api/validation/shapes.ts';
import { parseDistribution } from '../../lib/distribution.ts';
import { FieldWarnings } from '../../manifests/field-warnings.ts';
import { type FileSource, shownName } from '../../manifests/file-source.ts';
import { decodeUtf8 } from '../../manifests/source-document.ts';
import {
  type BoundsFields,
  boundsOf,
  distribution,
  duration,
  durationMillis,
  manyOf,
  oneField,
  oneOrMany,
  readSettings,
  settings,
  settingsError,
} from '../input/settings-file.ts';
import type { ArrivalSource } from './arrival.ts';
import { type ArrivalTimes, fixedTimes, poissonTimes, steadyTimes } from './arrival-times.ts';
import type { PlannedChange } from './planned-change.ts';
import { namedObject, type ReadingOptions } from './read-objects.ts';
import { type NamedObject, SUBMITTED_KINDS } from './submitted-object.ts';
import { templatedSource, withRunDuration } from './templated-source.ts';
import { type ChangeEntry, changeEntry, readChanges } from './workload-changes.ts';

/** One checked entry of `arrivals`. */
interface ArrivalEntry extends BoundsFields {
  readonly name?: string;
  readonly at?: string | readonly string[];
  readonly rate?: string;
  readonly poisson?: string;
  readonly trace?: string;
  readonly duration?: string;
  readonly lifetime?: string;
  readonly object: UnknownObject;
}

const COUNT_MAX = 100_000_000;
const TRACE_MAX_BYTES = 256 * 2 ** 20;
const RATE = /^(\d{1,9}(?:\.\d{1,6})?)\/(s|m|h)$/;
const UNIT_MILLIS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

const rate: Check = (value, field, problems) => {
  if (value === undefined || (typeof value === 'string' && gapMillis(value) > 0)) return;
  problems.push({ field, reason: `must be a rate such as "10/s", "6/m" or "0.5/h", not ${JSON.stringify(value)}` });
};

const template: Check = (value, field, problems) => {
  if (!isObject(value)) problems.push({ field, reason: 'must be a Kubernetes object' });
  else if (typeof value['kind'] !== 'string' || !Object.hasOwn(SUBMITTED_KINDS, value['kind'])) {
    const known = Object.keys(SUBMITTED_KINDS).join(', ');
    problems.push({
      field: `${field}.kind`,
      reason: `unknown kind ${JSON.stringify(value['kind'])} (known: ${known})`,
    });
  }
};

const entry = settings(
  {
    name: string,
    at: oneOrMany(duration),
    rate,
    poisson: rate,
    trace: string,
    from: duration,
    until: duration,
    count: integer(1, COUNT_MAX),
    duration: distribution,
    lifetime: distribution,
    object: required(template),
  },
  oneField('at', 'rate', 'poisson', 'trace'),
);

export interface WorkloadFile {
  readonly sources: readonly ArrivalSource[];
  /** One object of each source. */
  readonly templates: readonly NamedObject[];
  /** What users do to objects that are there. */
  readonly changes: readonly PlannedChange[];
  /** Things that the owner of the input should know, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Reads the objects that arrive over time:
 *
 * ```yaml
 * apiVersion: berth.dev/v1alpha1
 * kind: Workload
 * arrivals:
 *   - poisson: 2/s              # one of: at (a time, or a list), rate, poisson, trace (a file)
 *     from: 5m                  # with rate and poisson: when it begins; absent: at once
 *     until: 2h                 #   when it ends; absent: never
 *     count: 1000               #   how many objects arrive; absent: no limit. With at and trace: objects at each time
 *     duration: lognormal(2m, 1.2)   # how long containers run; absent: as the object says
 *     lifetime: 1h              # when its user deletes an object again; absent: never
 *     object: {apiVersion: batch/v1, kind: Job, metadata: {name: work}, spec: ...}
 * changes:
 *   - {at: 30m, apply: web-v2.yaml}     # one of: apply (a file, or an object), patch, delete (objects)
 * ```
 *
 * A trace has one time a line, in seconds; empty lines and everything after `#` are ignored. Objects of one entry are
 * named `work-0`, `work-1`, ...; with `generateName` the API names them.
 *
 * @throws CodedError with file, field path and reason
 */
export async function readWorkload(
  name: string,
  files: FileSource,
  reading: ReadingOptions = {},
): Promise<WorkloadFile> {
  const file = shownName(name);
  const unknown = new FieldWarnings(reading.validate ?? 'warn');
  const fields = { arrivals: nonEmptyList(entry), changes: nonEmptyList(changeEntry) };
  const document = await readSettings(name, 'Workload', fields, files);
  const { arrivals: listed = [], changes: planned = [] } = document as WorkloadDocument;
  if (listed.length + planned.length === 0) throw settingsError(`${file}: needs arrivals or changes`);
  const sources: ArrivalSource[] = [];
  const templates: NamedObject[] = [];
  for (const [i, arrivals] of listed.entries()) {
    const place = `${file}: arrivals[${i}]`;
    const { object, count, lifetime } = arrivals;
    const kind = String(object['kind']);
    const { submitted } = namedObject(kind, object, `${place}.object`);
    unknown.check(kind, object, file, `arrivals[${i}].object`);
    const template = arrivals.duration === undefined ? submitted : withRunDuration(submitted, arrivals.duration);
    const isProcess = arrivals.rate !== undefined || arrivals.poisson !== undefined;
    templates.push({ submitted: template, place: `${place}.object` });
    sources.push(
      templatedSource({
        name: arrivals.name ?? `arrivals[${i}]`,
        template,
        times: await timesOf(arrivals, name, place, files),
        perTime: isProcess ? 1 : (count ?? 1),
        lifetime: lifetime === undefined ? undefined : parseDistribution(lifetime),
      }),
    );
  }
  const fileOf = (other: string): string => besideFile(name, other);
  const { changes, warnings } = await readChanges(planned, file, { files, fileOf, reading, unknown });
  return { sources, templates, changes, warnings: [...unknown.texts().map((text) => `${file}: ${text}`), ...warnings] };
}

interface WorkloadDocument {
  readonly arrivals?: readonly ArrivalEntry[];
  readonly changes?: readonly ChangeEntry[];
}

function nonEmptyList(item: Check): Check {
  const check = nonEmpty(arrayOf(item));
  return (value, field, problems) => {
    if (value !== undefined) check(value, field, problems);
  };
}

async function timesOf(entry: ArrivalEntry, name: string, place: string, files: FileSource): Promise<ArrivalTimes> {
  const { at, rate, poisson, trace, from, until } = entry;
  const times = trace !== undefined ? 'a trace' : at !== undefined ? 'at' : undefined;
  if (times !== undefined && (from !== undefined || until !== undefined)) {
    throw settingsError(`${place}: ${times} has no from and until`);
  }
  if (trace !== undefined) return readTrace(besideFile(name, trace), files);
  if (at !== undefined) return fixedTimes(manyOf(at).map(durationMillis));
  const bounds = boundsOf(entry);
  return rate === undefined ? poissonTimes(gapMillis(poisson ?? ''), bounds) : steadyTimes(gapMillis(rate), bounds);
}

/** The average time between two arrivals; NaN or Infinity for a malformed rate. */
function gapMillis(text: string): number {
  const [, amount = '', unit = ''] = RATE.exec(text) ?? [];
  const perUnit = Number(amount);
  return perUnit > 0 ? (UNIT_MILLIS[unit] ?? Number.NaN) / perUnit : Number.NaN;
}

async function readTrace(name: string, files: FileSource): Promise<ArrivalTimes> {
  const file = shownName(name);
  const text = decodeUtf8(await files.read(name, TRACE_MAX_BYTES), file, 1);
  const millis: number[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    const content = line.replace(/#.*$/, '').trim();
    if (content === '') continue;
    if (!/^\d{1,12}(?:\.\d+)?$/.test(content)) {
      throw settingsError(
        `${file}:${i + 1}: expected a time in seconds, found ${JSON.stringify(content.slice(0, 80))}`,
      );
    }
    millis.push(Math.round(Number(content) * 1000));
  }
  if (millis.length === 0) throw settingsError(`${file}: holds no time`);
  return fixedTimes(millis);
}

/** The path of a file that is named in another one, relative to that file's folder. */
function besideFile(name: string, other: string): string {
  const slash = name.lastIndexOf('/');
  return other.startsWith('/') || slash < 0 ? other : `${name.slice(0, slash + 1)}${other}`;
}
