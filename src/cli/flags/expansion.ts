import { featureGates as gatesOf } from '../../config/feature-gates.ts';
import type { SchedulerOptions } from '../../core/scheduler-options.ts';
import { expansionUnder } from '../../expansion/expand-workloads.ts';
import type { Expand } from '../../manifests/workload-manifest.ts';

/** Makes the pods that workloads lack, and their claims, under the gates of these options. */
export function expansionFor({
  featureGates,
  configuration,
}: Pick<SchedulerOptions, 'featureGates' | 'configuration'>): Expand {
  return expansionUnder(gatesOf(featureGates, configuration));
}
