import { schedulerNameOf } from '../api/defaults.ts';
import type { Pod } from '../api/pod.ts';
import { numFeasibleNodesToFind } from '../framework/node-search.ts';
import type { SchedulerOptions } from './subject.ts';

/** The percentage of nodes that a decision looks for before it takes the best: the mean over the pods. */
export function percentageOfNodesScored(options: SchedulerOptions, pods: readonly Pod[], nodeCount: number): number {
  if (nodeCount === 0 || pods.length === 0) return 100;
  const percentages = percentageByProfile(options);
  let sum = 0;
  for (const pod of pods) {
    sum += (numFeasibleNodesToFind(percentages(schedulerNameOf(pod)), nodeCount) * 100) / nodeCount;
  }
  return sum / pods.length;
}

/** The percentage by profile, in the scheduler's order of precedence: its option, the profile, the configuration. */
function percentageByProfile(options: SchedulerOptions): (schedulerName: string) => number {
  const { percentageOfNodesToScore, configuration } = options;
  if (percentageOfNodesToScore !== undefined) return () => percentageOfNodesToScore;
  if (configuration === undefined) return () => 100;
  return (name) => {
    const profile = configuration.profiles.find(({ schedulerName }) => schedulerName === name);
    return profile?.percentageOfNodesToScore ?? configuration.percentageOfNodesToScore;
  };
}
