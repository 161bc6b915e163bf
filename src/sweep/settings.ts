import { BENCH_KINDS } from '../benchmark/suite.ts';
import { CodedError } from '../lib/errors.ts';
import { LONGEST_DURATION, parseDuration } from '../lib/go-duration.ts';

/** The value of a parameter in one run. */
export type Setting = string | number | boolean;
/** The parameters of a run by name; those that are absent are not set. */
export type Settings = Readonly<Record<string, Setting>>;

/** How the value of a parameter is written. */
type Form = readonly string[] | readonly [min: number, max: number] | 'text' | 'duration';

/** The synthetic clusters of sweeps. A gang needs a queue to wait for its last pod, and a run of a sweep has none. */
export const SWEEP_KINDS = BENCH_KINDS.filter((kind) => kind !== 'gang');

const NODES_MAX = 1_000_000;
const PODS_MAX = 10_000_000;

/**
 * The parameters that every row has a column for, in the order of a grid: the runs of the first value of the first one
 * come first.
 */
const FORMS = {
  kind: SWEEP_KINDS,
  nodes: [1, NODES_MAX],
  pods: [1, PODS_MAX],
  shape: 'text',
  recording: 'text',
  workload: 'text',
  faults: 'text',
  lose: 'text',
  until: 'duration',
  config: 'text',
  tieBreak: ['first', 'random', 'upstream'],
  percentageOfNodesToScore: [0, 100],
} as const satisfies Readonly<Record<string, Form>>;

export type ParameterName = keyof typeof FORMS;
export const PARAMETER_NAMES = Object.keys(FORMS) as ParameterName[];

/** Files with fields that a sweep may vary, such as `config.percentageOfNodesToScore`. */
const PATCHED_FILES = ['config', 'workload', 'faults'] as const;
export type PatchedFile = (typeof PATCHED_FILES)[number];

/** A field of a file that is a parameter. */
export interface FieldParameter {
  readonly file: PatchedFile;
  /** The way to the field: names of members, numbers of items. */
  readonly path: readonly (string | number)[];
}

/** The field that a parameter such as `config.profiles[0].schedulerName` is; undefined for other names. */
export function fieldParameter(name: string): FieldParameter | undefined {
  const [file = '', ...rest] = name.split(/[.[]/);
  if (rest.length === 0 || !isPatchedFile(file)) return undefined;
  const path = name.slice(file.length).match(/[^.[\]]+/g) ?? [];
  return { file, path: path.map((part) => (/^\d+$/.test(part) ? Number(part) : part)) };
}

function isPatchedFile(name: string): name is PatchedFile {
  return (PATCHED_FILES as readonly string[]).includes(name);
}

/** The name of a parameter as users may write it: `tie-break` is `tieBreak`. @throws CodedError `InvalidSetting` */
export function parameterName(text: string): string {
  if (fieldParameter(text) !== undefined) return text;
  const name = text.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (Object.hasOwn(FORMS, name)) return name;
  const known = PARAMETER_NAMES.map((one) => one.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  const fields = PATCHED_FILES.map((file) => `${file}.FIELD`).join(', ');
  throw invalid(`${text}: there is no such parameter (known: ${known.join(', ')}, ${fields})`);
}

/** Reads the value of a parameter. @throws CodedError `InvalidSetting` */
export function parseSetting(name: string, text: string): Setting {
  if (fieldParameter(name) !== undefined) return scalar(text);
  const form: Form = FORMS[name as ParameterName];
  if (text === '') throw invalid(`${name}: a value is empty`);
  if (form === 'text') return text;
  if (form === 'duration') {
    const parsed = parseDuration(text);
    if (typeof parsed === 'bigint' && parsed > 0n) return text;
    throw invalid(`${name}: "${text}" is not a duration such as 90s or 24h, of at most ${LONGEST_DURATION}`);
  }
  const [least, most] = form;
  if (typeof least !== 'number' || typeof most !== 'number') {
    if ((form as readonly string[]).includes(text)) return text;
    throw invalid(`${name}: "${text}" is none of ${form.join(', ')}`);
  }
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw invalid(`${name}: "${text}" is not a whole number from ${least} to ${most}`);
}

/** Several values as `a,b,c`; with semicolons between them if there is one, since some values have commas. */
export function parseSettings(name: string, text: string): Setting[] {
  const values = text.split(text.includes(';') ? ';' : ',').map((part) => parseSetting(name, part.trim()));
  return distinct(name, values);
}

/** @throws CodedError `InvalidSetting` when a value is there twice */
export function distinct(name: string, values: readonly Setting[]): Setting[] {
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  if (twice !== undefined) throw invalid(`${name}: ${twice} is there twice`);
  return [...values];
}

/** A value of a field: a number or a truth value where it can be one, otherwise text. */
function scalar(text: string): Setting {
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return Number(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

function invalid(reason: string): CodedError<'InvalidSetting'> {
  return new CodedError('InvalidSetting', reason);
}
