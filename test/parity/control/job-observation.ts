import { COMPLETION_INDEX_KEY } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { timeAtMillis } from '../../../src/api/time.ts';
import type { JobMemory } from '../../../src/controllers/job/job-memory.ts';
import { controllerOf } from '../../../src/controllers/job/pod-indexes.ts';
import { isTracked } from '../../../src/controllers/job/pod-state.ts';
import { secondsSinceStart } from './control-case.ts';
import type { JobApiStub } from './job-api-stub.ts';
import type { Observation } from './job-case.ts';

const PODS_MAX = 40;

export function shownAt(millis: number): number {
  return secondsSinceStart(millis);
}

/** Shows all pods of the API, or how many of each sort there are when they are many. */
export function observedPods(api: JobApiStub): Observation {
  const pods = api.podNames().map((name) => api.pods.get(name) as Pod);
  if (pods.length <= PODS_MAX) return { pods: pods.map(observedPod) };
  const podCounts: Record<string, number> = {};
  for (const pod of pods) {
    const { phase, deleting, tracked, orphan } = observedPod(pod);
    const sort = [phase, deleting && 'deleting', tracked && 'tracked', orphan && 'orphan'].filter(Boolean).join('+');
    podCounts[sort] = (podCounts[sort] ?? 0) + 1;
  }
  return { podCounts };
}

function observedPod(pod: Pod) {
  const { name, annotations, deletionTimestamp } = pod.metadata ?? {};
  const index = annotations?.[COMPLETION_INDEX_KEY];
  return {
    name,
    phase: pod.status?.phase,
    ...(index !== undefined && { index }),
    ...(deletionTimestamp && { deleting: true }),
    ...(isTracked(pod) && { tracked: true }),
    ...(controllerOf(pod) === undefined && { orphan: true }),
  };
}

/** What the controller remembers of the Job. */
export function observedMemory(memory: JobMemory, key: string): Observation {
  const { failures = 0, lastFailureMillis = 0 } = memory.backOffRecords.get(key) ?? {};
  const { creations = 0, deletions = 0 } = memory.expectations.get(key) ?? {};
  const removals = memory.finalizerRemovals.get(key).size;
  return {
    ...(failures > 0 && { backoff: { failures, lastFailure: timeAtMillis(lastFailureMillis) } }),
    ...((creations > 0 || deletions > 0) && { expectations: { add: creations, del: deletions } }),
    ...(removals > 0 && { finalizerExpectations: removals }),
  };
}
