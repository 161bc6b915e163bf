import { CodedError } from '../../lib/errors.ts';
import { type BenchReport, REPORT_FORMAT, REPORT_VERSION } from '../result.ts';

/** The fields of a result that a comparison needs, with their types. */
const RESULT_FIELDS: Readonly<Record<string, 'string' | 'number' | 'boolean'>> = {
  suite: 'string',
  kind: 'string',
  engine: 'string',
  index: 'boolean',
  nodes: 'number',
  pods: 'number',
  percentageOfNodesScored: 'number',
  decisionHash: 'string',
};
const MACHINE_FIELDS: typeof RESULT_FIELDS = {
  cpu: 'string',
  cores: 'number',
  memoryBytes: 'number',
  node: 'string',
  platform: 'string',
};

/** Reads what `berth bench -o json` printed. Throws `InvalidReport` with one line that begins with the file's name. */
export function readReport(text: string, file: string): BenchReport {
  const fail = (reason: string): never => {
    throw new CodedError('InvalidReport', `${file}: ${reason}`);
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fail(`is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isRecord(value) || value['format'] !== REPORT_FORMAT) return fail('was not printed by berth bench -o json');
  const { version, machine, results } = value;
  if (version !== REPORT_VERSION) return fail(`version: ${String(version)} is not known, ${REPORT_VERSION} is`);
  const problem = problemOf(machine, MACHINE_FIELDS, 'machine') ?? problemOfResults(results);
  return problem === undefined ? (value as unknown as BenchReport) : fail(problem);
}

function problemOfResults(results: unknown): string | undefined {
  if (!Array.isArray(results)) return 'results: is not a list';
  for (const [index, result] of results.entries()) {
    const problem = problemOf(result, RESULT_FIELDS, `results[${index}]`) ?? problemOfRuns(result, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(value: unknown, fields: typeof RESULT_FIELDS, path: string): string | undefined {
  if (!isRecord(value)) return `${path}: is not an object`;
  const wrong = Object.entries(fields).find(([field, type]) => typeof value[field] !== type);
  return wrong === undefined ? undefined : `${path}.${wrong[0]}: is not a ${wrong[1]}`;
}

/** Checks the repetitions: a run without duration has no speed. */
function problemOfRuns(result: Readonly<Record<string, unknown>>, index: number): string | undefined {
  const { workers, secondsOfRuns } = result;
  if (typeof workers !== 'number' && workers !== 'auto') return `results[${index}].workers: is not a number`;
  const isPositive = (seconds: unknown) => typeof seconds === 'number' && seconds > 0;
  if (Array.isArray(secondsOfRuns) && secondsOfRuns.length > 0 && secondsOfRuns.every(isPositive)) return undefined;
  return `results[${index}].secondsOfRuns: is not a list of positive numbers`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
