import type { Difference } from '../differences.ts';
import { checkJob } from './check-job.ts';
import { checkPleg, type PlegCase } from './check-pleg.ts';
import { checkPodGc, type PodGcCase } from './check-podgc.ts';
import type { ControlCase } from './control-case.ts';
import type { JobCase } from './job-case.ts';

/** The recordings say by their configuration what they are of. */
export function checkControl(recorded: ControlCase): Difference[] {
  const { config } = recorded;
  if ('staleConsistency' in config) return checkJob(recorded as JobCase);
  if ('terminatedPodThreshold' in config) return checkPodGc(recorded as PodGcCase);
  if ('relistPeriodSeconds' in config) return checkPleg(recorded as PlegCase);
  return [{ field: 'config', expected: Object.keys(config), got: 'not built yet' }];
}
