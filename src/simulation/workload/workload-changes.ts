import { type Check, isObject, type UnknownObject } from '../../api/validation/check.ts';
import { required } from '../../api/validation/shapes.ts';
import type { FieldWarnings } from '../../manifests/field-warnings.ts';
import { type FileSource, shownName } from '../../manifests/file-source.ts';
import {
  duration,
  durationMillis,
  manyOf,
  oneField,
  oneOrMany,
  settings,
  settingsError,
} from '../input/settings-file.ts';
import type { ChangeVerb, PlannedChange } from './planned-change.ts';
import { namedObject, type ReadingOptions, readObjects } from './read-objects.ts';
import { type NamedObject, SUBMITTED_KINDS } from './submitted-object.ts';

/** One checked entry of `changes`. */
export interface ChangeEntry {
  readonly at: string | readonly string[];
  /** A file beside this one, or an object. */
  readonly apply?: string | UnknownObject;
  readonly patch?: UnknownObject;
  readonly delete?: UnknownObject;
}

const named: Check = (value, field, problems) => {
  if (!isObject(value)) problems.push({ field, reason: 'must be a Kubernetes object' });
  else if (typeof value['kind'] !== 'string' || !Object.hasOwn(SUBMITTED_KINDS, value['kind'])) {
    const known = Object.keys(SUBMITTED_KINDS).join(', ');
    const reason = `unknown kind ${JSON.stringify(value['kind'])} (known: ${known})`;
    problems.push({ field: `${field}.kind`, reason });
  } else if (!isObject(value['metadata']) || typeof value['metadata']['name'] !== 'string') {
    problems.push({ field: `${field}.metadata.name`, reason: 'must say which object it is' });
  }
};

const ifGiven =
  (check: Check): Check =>
  (value, field, problems) => {
    if (value !== undefined) check(value, field, problems);
  };

const fileOrNamed: Check = (value, field, problems) => {
  if (typeof value !== 'string' || value === '') named(value, field, problems);
};

/** The check of an entry of `changes`. */
export const changeEntry = settings(
  { at: required(oneOrMany(duration)), apply: ifGiven(fileOrNamed), patch: ifGiven(named), delete: ifGiven(named) },
  oneField('apply', 'patch', 'delete'),
);

export interface ReadChanges {
  readonly changes: readonly PlannedChange[];
  readonly warnings: readonly string[];
}

interface ChangeModules {
  readonly files: FileSource;
  /** Finds a file beside the one that names it. */
  readonly fileOf: (name: string) => string;
  readonly reading: ReadingOptions;
  /** Notes unknown fields of objects in the workload itself. */
  readonly unknown: FieldWarnings;
}

/**
 * Reads checked entries of `changes`.
 *
 * @throws CodedError with file, object, field and reason
 */
export async function readChanges(
  entries: readonly ChangeEntry[],
  file: string,
  { files, fileOf, reading, unknown }: ChangeModules,
): Promise<ReadChanges> {
  const changes: PlannedChange[] = [];
  const warnings: string[] = [];
  const { isStrict, validate } = reading;
  for (const [i, entry] of entries.entries()) {
    const times = manyOf(entry.at).map(durationMillis);
    const add = (verb: ChangeVerb, { submitted, place }: NamedObject): void => {
      for (const atMillis of times) changes.push({ ...submitted, verb, place, atMillis });
    };
    if (typeof entry.apply === 'string') {
      const name = fileOf(entry.apply);
      const read = await readObjects([name], files, { isStrict, validate });
      const objects = read.objects.filter(({ submitted }) => submitted.resource !== 'controllerrevisions');
      const nameless = objects.find(({ submitted }) => submitted.object.metadata?.name === undefined);
      if (nameless !== undefined) throw settingsError(`${nameless.place}: metadata.name: must say which object it is`);
      for (const object of objects) add('apply', object);
      for (const warning of read.warnings) warnings.push(`${shownName(name)}: ${warning}`);
      continue;
    }
    for (const verb of ['apply', 'patch', 'delete'] as const) {
      const value = entry[verb];
      if (!isObject(value)) continue;
      const kind = String(value['kind']);
      add(verb, namedObject(kind, value, `${file}: changes[${i}].${verb}`));
      unknown.check(kind, value, file, `changes[${i}].${verb}`);
    }
  }
  return { changes, warnings };
}
