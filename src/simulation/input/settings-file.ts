import { type Check, isObject, member, type Problem, type UnknownObject } from '../../api/validation/check.ts';
import { object, oneOf, required, string } from '../../api/validation/shapes.ts';
import { DistributionError, parseDistribution } from '../../lib/distribution.ts';
import { CodedError } from '../../lib/errors.ts';
import { LONGEST_DURATION, parseDuration } from '../../lib/go-duration.ts';
import { decodeDocuments } from '../../manifests/decode.ts';
import { type FileSource, shownName } from '../../manifests/file-source.ts';
import { removeNulls } from '../../manifests/without-nulls.ts';

/** The apiVersion of Berth's own files. */
const SETTINGS_VERSION = 'berth.dev/v1alpha1';

const FILE_MAX_BYTES = 64 * 2 ** 20;

/**
 * Reads a file of Berth's own: one document, YAML or JSON, that names its kind and has no other fields than the checked
 * ones.
 *
 * @throws CodedError `InvalidSettings` with file, field path and reason; `InvalidSyntax` with line and column
 */
export async function readSettings(
  name: string,
  kind: string,
  fields: Readonly<Record<string, Check>>,
  files: FileSource,
): Promise<UnknownObject> {
  const file = shownName(name);
  const documents = [...decodeDocuments(await files.read(name, FILE_MAX_BYTES), file)];
  const value = documents[0]?.value;
  if (documents.length !== 1 || !isObject(value)) throw settingsError(`${file}: must hold one ${kind} object`);
  if (!removeNulls(value)) throw settingsError(`${file}: is nested too deeply`);
  const check = settings({
    apiVersion: required(oneOf('apiVersion', SETTINGS_VERSION)),
    kind: required(oneOf('kind', kind)),
    ...fields,
  });
  const problems: Problem[] = [];
  check(value, '', problems);
  const problem = problems[0];
  if (problem !== undefined) throw settingsError(`${file}: ${problem.field}: ${problem.reason}`);
  return value;
}

export function settingsError(message: string): CodedError<'InvalidSettings'> {
  return new CodedError('InvalidSettings', message);
}

/** Checks that a value is an object with these fields and no others. */
export function settings(fields: Readonly<Record<string, Check>>, ...whole: readonly Check[]): Check {
  const known = Object.keys(fields).join(', ');
  const noOthers: Check = (value, field, problems) => {
    for (const key of Object.keys(isObject(value) ? value : {})) {
      if (!Object.hasOwn(fields, key))
        problems.push({ field: member(field, key), reason: `unknown field (known: ${known})` });
    }
  };
  return object(fields, noOthers, ...whole);
}

/** Checks that exactly one of some fields is present. */
export function oneField(...names: readonly string[]): Check {
  return (value, field, problems) => {
    if (!isObject(value)) return;
    const given = names.filter((name) => Object.hasOwn(value, name));
    if (given.length === 1) return;
    const what = given.length === 0 ? 'one of' : 'only one of';
    problems.push({ field, reason: `needs ${what} ${names.join(', ')}` });
  };
}

/** Checks a Go duration that is not negative. */
export const duration: Check = (value, field, problems) => {
  if (value === undefined) return;
  const parsed = typeof value === 'string' ? parseDuration(value) : undefined;
  if (typeof parsed === 'bigint' && parsed >= 0n) return;
  problems.push({
    field,
    reason: `must be a duration such as "90s", of at most ${LONGEST_DURATION}, not ${JSON.stringify(value)}`,
  });
};

/** The whole milliseconds of a checked duration. */
export function durationMillis(text: string): number {
  const nanos = parseDuration(text);
  return typeof nanos === 'bigint' ? Math.round(Number(nanos) / 1e6) : Number.NaN;
}

/** When something that is repeated begins and ends. */
export interface Bounds {
  readonly fromMillis: number;
  /** The end; Infinity if it does not end by itself. */
  readonly untilMillis: number;
  /** How often at most; Infinity for no limit. */
  readonly count: number;
}

/** The bounds that an entry of a file sets. */
export interface BoundsFields {
  readonly from?: string;
  readonly until?: string;
  readonly count?: number;
}

export function boundsOf({ from = '0s', until, count = Number.POSITIVE_INFINITY }: BoundsFields): Bounds {
  const untilMillis = until === undefined ? Number.POSITIVE_INFINITY : durationMillis(until);
  return { fromMillis: durationMillis(from), untilMillis, count };
}

export const distribution: Check = (value, field, problems) => {
  if (typeof value !== 'string') return string(value, field, problems);
  try {
    parseDistribution(value);
  } catch (error) {
    if (!(error instanceof DistributionError)) throw error;
    problems.push({ field, reason: `${error.message} (expected a duration, or one drawn: exponential(5m))` });
  }
};

/** Checks a text, or a list of texts. */
export function oneOrMany(item: Check): Check {
  return (value, field, problems) => {
    if (!Array.isArray(value)) item(value, field, problems);
    else for (const [i, entry] of value.entries()) item(entry, `${field}[${i}]`, problems);
  };
}

export function manyOf<T>(value: T | readonly T[] | undefined): readonly T[] {
  return (value === undefined ? [] : [value].flat()) as readonly T[];
}
