import { DEFAULT_SCHEDULER_NAME, schedulerNameOf } from '../api/defaults.ts';
import type { Pod } from '../api/pod.ts';
import { isPodFinished } from '../api/pod-conditions.ts';

/** The pods of a cluster, divided by how a scheduler treats them. Their order is kept. */
export interface PodSelection {
  /** Pods on a node; terminating ones still hold their resources. */
  readonly bound: readonly Pod[];
  /** Pods to be scheduled. */
  readonly pending: readonly Pod[];
  /** The number of pods without a node that are being deleted: the scheduler skips them. */
  readonly deletingCount: number;
  /** The number of pods without a node that name another scheduler, by its name. */
  readonly foreign: ReadonlyMap<string, number>;
}

const DEFAULT_ONLY: ReadonlySet<string> = new Set([DEFAULT_SCHEDULER_NAME]);

/** `names`: the names of the schedulers whose pods are selected. */
export function selectPods(pods: readonly Pod[], names: ReadonlySet<string> = DEFAULT_ONLY): PodSelection {
  const bound: Pod[] = [];
  const pending: Pod[] = [];
  let deletingCount = 0;
  const foreign = new Map<string, number>();
  for (const pod of pods) {
    if (isPodFinished(pod)) continue;
    if (pod.spec?.nodeName) bound.push(pod);
    else if (pod.metadata?.deletionTimestamp !== undefined) deletingCount++;
    else {
      const name = schedulerNameOf(pod);
      if (names.has(name)) pending.push(pod);
      else foreign.set(name, (foreign.get(name) ?? 0) + 1);
    }
  }
  return { bound, pending, deletingCount, foreign };
}
