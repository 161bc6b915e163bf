import { DEFAULT_SCHEDULER_NAME } from '../api/defaults.ts';
import type { SchedulerConfiguration } from './configuration.ts';

/** The names of the schedulers in a configuration, one for each profile. */
export function schedulerNames(configuration: SchedulerConfiguration | undefined): ReadonlySet<string> {
  if (configuration === undefined) return new Set([DEFAULT_SCHEDULER_NAME]);
  return new Set(configuration.profiles.map(({ schedulerName }) => schedulerName));
}
