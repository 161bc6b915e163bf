import { isObject, show } from '../api/validation/check.ts';
import { checkNames } from '../caller/call-checks.ts';
import { checkBoolean, checkInteger, checkMethods, checkObject, checkOneOf } from '../caller/option-values.ts';
import { featureGates, isFeatureGate, missingGate } from '../config/feature-gates.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';
import { firstLineOf } from '../lib/errors.ts';
import { LOG_LEVELS, type Logger } from '../lib/logger.ts';
import type { SchedulerOptions } from './scheduler-options.ts';

const ENGINES: readonly string[] = ['simd', 'scalar', 'reference'];
const TIE_BREAKS: readonly string[] = ['first', 'random', 'upstream'];
const LIMITS: readonly string[] = ['objects', 'bytes'];
const OPTIONS: readonly string[] = [
  ...['engine', 'tieBreak', 'percentageOfNodesToScore', 'seed', 'index', 'workers', 'limits', 'preemption', 'validate'],
  'trustsCaller',
  ...['freeze', 'configuration', 'featureGates', 'clock', 'plugins', 'tracer', 'logger', 'extenderTransport'],
  ...['kernels', 'newKernelHost'],
];
const MAPS_OF_PROFILE = ['scoreWeights', 'placementScoreWeights', 'otherArgs', 'outOfTree'] as const;
const LARGEST_SEED = 2 ** 32 - 1;
const MOST_WORKERS = 256;
/** The last moment that a Date can have. */
const LATEST_MILLIS = 8.64e15;

/** Checks the options of callers that do not use TypeScript; `more` names further ones. Errors: Invalid. */
export function checkOptions(options: SchedulerOptions, more: readonly string[] = []): void {
  checkNames('option', options, [...OPTIONS, ...more]);
  const { engine, tieBreak, seed, percentageOfNodesToScore, workers, logger, limits } = options;
  checkOneOf('engine', engine, ENGINES);
  checkOneOf('tieBreak', tieBreak, TIE_BREAKS);
  checkInteger('seed', seed, 0, LARGEST_SEED);
  checkInteger('percentageOfNodesToScore', percentageOfNodesToScore, 0, 100);
  for (const name of ['index', 'preemption', 'validate', 'trustsCaller', 'freeze'] as const)
    checkBoolean(name, options[name]);
  for (const name of ['plugins', 'tracer', 'extenderTransport', 'clock'] as const) checkObject(name, options[name]);
  checkMethods('tracer', options.tracer, ['begin', 'rare', 'work']);
  checkMethods('extenderTransport', options.extenderTransport, ['send']);
  checkClock(options.clock);
  if (workers !== 'auto') checkInteger('workers', workers, 1, MOST_WORKERS, '"auto" or ');
  checkLogger(logger);
  checkLimits(limits);
  checkFeatureGates(options);
  checkConfiguration(options.configuration);
}

/** Asks the clock once: a time that is none would only show where devices are given. */
function checkClock(clock: SchedulerOptions['clock']): void {
  checkMethods('clock', clock, ['nowMillis']);
  let now: unknown;
  try {
    now = clock?.nowMillis();
  } catch (error) {
    throw new SchedulerError('Invalid', `option clock: ${firstLineOf(error)}`);
  }
  if (now === undefined && !clock) return;
  if (typeof now === 'number' && Math.abs(now) <= LATEST_MILLIS) return;
  throw new SchedulerError('Invalid', `option clock: ${show(now)} is no number of milliseconds since the epoch`);
}

function checkLimits(limits: SchedulerOptions['limits']): void {
  if (limits === undefined) return;
  if (!isObject(limits)) {
    throw new SchedulerError('Invalid', `option limits: ${show(limits)} is no object`);
  }
  for (const [name, value] of Object.entries(limits)) {
    if (!LIMITS.includes(name)) throw new SchedulerError('Invalid', `option limits.${name}: there is no such limit`);
    if (value === undefined || (typeof value === 'number' && value >= 1)) continue;
    throw new SchedulerError('Invalid', `option limits.${name}: ${show(value)} is no number from 1 on`);
  }
}

function checkFeatureGates({ featureGates: gates, configuration }: SchedulerOptions): void {
  checkObject('featureGates', gates);
  for (const [name, value] of Object.entries(gates ?? {})) {
    if (!isFeatureGate(name)) throw new SchedulerError('Invalid', `option featureGates.${name}: there is no such gate`);
    checkBoolean(`featureGates.${name}`, value);
  }
  const missing = missingGate(featureGates(gates, configuration));
  if (missing === null) return;
  const [gate, needed] = missing;
  throw new SchedulerError('Invalid', `option featureGates.${gate}: needs ${needed}, which is off`);
}

function checkLogger(logger: Logger | undefined): void {
  if (logger === undefined) return;
  checkMethods('logger', logger ?? {}, ['isEnabled', 'named', ...LOG_LEVELS]);
}

function checkConfiguration(configuration: SchedulerOptions['configuration']): void {
  if (configuration === undefined) return;
  const { profiles, extenders } = configuration ?? {};
  const isLoaded =
    Array.isArray(profiles) &&
    profiles.length > 0 &&
    profiles.every(isLoadedProfile) &&
    Array.isArray(extenders) &&
    extenders.every((extender) => isObject(extender) && typeof extender['urlPrefix'] === 'string');
  if (isLoaded) return;
  throw new SchedulerError('Invalid', 'option configuration: must be what loadConfiguration returns');
}

/** Whether this is a profile that was loaded: it has maps, which are lost where a configuration is copied as JSON. */
function isLoadedProfile(profile: unknown): boolean {
  if (!isObject(profile) || typeof profile['schedulerName'] !== 'string') return false;
  if (!isObject(profile['plugins']) || !isObject(profile['args'])) return false;
  return MAPS_OF_PROFILE.every((name) => Object.prototype.toString.call(profile[name]) === '[object Map]');
}
