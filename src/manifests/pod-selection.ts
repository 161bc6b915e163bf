import { DEFAULT_SCHEDULER_NAME } from '../api/defaults.ts';
import type { Pod } from '../api/pod.ts';
import type { SchedulerConfiguration } from '../config/configuration.ts';

/** Finished: it holds nothing and no scheduler looks at it. */
export function isTerminated(pod: Pod): boolean {
  const phase = pod.status?.phase;
  return phase === 'Succeeded' || phase === 'Failed';
}

export function schedulerNameOf(pod: Pod): string {
  return pod.spec?.schedulerName || DEFAULT_SCHEDULER_NAME;
}

/** The pods of a cluster by what a scheduler has to do with them. Order is kept. */
export interface PodSelection {
  /** On a node already; terminating ones still hold their resources. */
  readonly bound: readonly Pod[];
  /** To be scheduled. */
  readonly pending: readonly Pod[];
  /** Without a node, but being deleted: the scheduler passes them over. */
  readonly deletingCount: number;
  /** Without a node, but asking for another scheduler. */
  readonly foreignCount: number;
}

const DEFAULT_ONLY: ReadonlySet<string> = new Set([DEFAULT_SCHEDULER_NAME]);

/** The schedulers that a configuration sets up, one a profile. */
export function schedulerNames(configuration: SchedulerConfiguration | undefined): ReadonlySet<string> {
  if (configuration === undefined) return DEFAULT_ONLY;
  return new Set(configuration.profiles.map(({ schedulerName }) => schedulerName));
}

/** `names`: of the schedulers whose pods are ours. */
export function selectPods(pods: readonly Pod[], names: ReadonlySet<string> = DEFAULT_ONLY): PodSelection {
  const bound: Pod[] = [];
  const pending: Pod[] = [];
  let deletingCount = 0;
  let foreignCount = 0;
  for (const pod of pods) {
    if (isTerminated(pod)) continue;
    if (pod.spec?.nodeName) bound.push(pod);
    else if (pod.metadata?.deletionTimestamp !== undefined) deletingCount++;
    else if (!names.has(schedulerNameOf(pod))) foreignCount++;
    else pending.push(pod);
  }
  return { bound, pending, deletingCount, foreignCount };
}
