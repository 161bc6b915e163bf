import { show } from '../api/validation/check.ts';
import { checkNames } from '../caller/call-checks.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';
import { LOG_LEVELS, type Logger } from '../lib/logger.ts';
import type { SchedulerOptions } from './scheduler-options.ts';

const ENGINES: readonly string[] = ['simd', 'scalar', 'reference'];
const TIE_BREAKS: readonly string[] = ['first', 'random', 'upstream'];
const LIMITS: readonly string[] = ['objects', 'bytes'];
const OPTIONS: readonly string[] = [
  ...['engine', 'tieBreak', 'percentageOfNodesToScore', 'seed', 'index', 'workers', 'limits', 'preemption', 'validate'],
  ...['freeze', 'configuration', 'plugins', 'tracer', 'logger', 'extenderTransport', 'kernels', 'newKernelHost'],
];
const LARGEST_SEED = 2 ** 32 - 1;
const MOST_WORKERS = 256;

/** Checks the options of callers that do not use TypeScript; `more` names further ones. Errors: Invalid. */
export function checkOptions(options: SchedulerOptions, more: readonly string[] = []): void {
  checkNames('option', options, [...OPTIONS, ...more]);
  const { engine, tieBreak, seed, percentageOfNodesToScore, workers, logger, limits } = options;
  checkOneOf('engine', engine, ENGINES);
  checkOneOf('tieBreak', tieBreak, TIE_BREAKS);
  checkInteger('seed', seed, 0, LARGEST_SEED);
  checkInteger('percentageOfNodesToScore', percentageOfNodesToScore, 0, 100);
  for (const name of ['index', 'preemption', 'validate', 'freeze'] as const) checkBoolean(name, options[name]);
  for (const name of ['plugins', 'tracer', 'extenderTransport'] as const) checkObject(name, options[name]);
  if (workers !== 'auto') checkInteger('workers', workers, 1, MOST_WORKERS, '"auto" or ');
  checkLogger(logger);
  checkLimits(limits);
  checkConfiguration(options.configuration);
}

function checkOneOf(name: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  throw new SchedulerError('Invalid', `option ${name}: ${textOf(value)} is none of ${known.join(', ')}`);
}

function checkInteger(name: string, value: number | undefined, least: number, most: number, or = ''): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw new SchedulerError(
    'Invalid',
    `option ${name}: ${textOf(value)} is not ${or}an integer from ${least} to ${most}`,
  );
}

function checkBoolean(name: string, value: boolean | undefined): void {
  if (value === undefined || typeof value === 'boolean') return;
  throw new SchedulerError('Invalid', `option ${name}: ${textOf(value)} is neither true nor false`);
}

function checkObject(name: string, value: object | null | undefined): void {
  if (value === undefined || value === null || typeof value === 'object') return;
  throw new SchedulerError('Invalid', `option ${name}: must be an object, not ${show(value)}`);
}

function checkLimits(limits: SchedulerOptions['limits']): void {
  if (limits === undefined) return;
  if (typeof limits !== 'object' || limits === null) {
    throw new SchedulerError('Invalid', `option limits: ${show(limits)} is no object`);
  }
  for (const [name, value] of Object.entries(limits)) {
    if (!LIMITS.includes(name)) throw new SchedulerError('Invalid', `option limits.${name}: there is no such limit`);
    if (value === undefined || (typeof value === 'number' && value >= 1)) continue;
    throw new SchedulerError('Invalid', `option limits.${name}: ${show(value)} is no number from 1 on`);
  }
}

function checkLogger(logger: Logger | undefined): void {
  if (logger === undefined) return;
  const lacks = (['isEnabled', 'named', ...LOG_LEVELS] as const).find((name) => typeof logger?.[name] !== 'function');
  if (lacks !== undefined) throw new SchedulerError('Invalid', `option logger: it has no method ${lacks}`);
}

/** A value of any type for an error message. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : show(value);
}

function checkConfiguration(configuration: SchedulerOptions['configuration']): void {
  if (configuration === undefined) return;
  const { profiles, extenders } = configuration ?? {};
  if (Array.isArray(profiles) && profiles.length > 0 && Array.isArray(extenders)) return;
  throw new SchedulerError('Invalid', 'option configuration: must be what loadConfiguration returns');
}
