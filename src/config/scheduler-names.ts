import { DEFAULT_SCHEDULER_NAME } from '../api/defaults.ts';
import type { SchedulerConfiguration } from './configuration.ts';

/** The schedulers that a configuration sets up, one a profile. */
export function schedulerNames(configuration: SchedulerConfiguration | undefined): ReadonlySet<string> {
  if (configuration === undefined) return new Set([DEFAULT_SCHEDULER_NAME]);
  return new Set(configuration.profiles.map(({ schedulerName }) => schedulerName));
}
