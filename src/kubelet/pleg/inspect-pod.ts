import type { PodCache } from './pod-cache.ts';
import { askRuntime, type Runtime, type RuntimePod, type RuntimePodStatus } from './runtime.ts';

/**
 * Fetches the pod's status into the cache, under the time at which the pod was listed, since the events do not cover
 * what happened later. A failure is cached too, so that nobody acts on the old status.
 *
 * Upstream: updateCache in pkg/kubelet/pleg/generic.go.
 *
 * @returns whether the status could be fetched
 */
export function inspectPod(runtime: Runtime, cache: PodCache, pod: RuntimePod): boolean {
  const answer = askRuntime(() => runtime.getPodStatus(pod));
  if ('error' in answer) {
    cache.set(pod.uid, { error: answer.error }, pod.listedAtMillis);
    return false;
  }
  cache.set(pod.uid, { status: withKeptIps(answer.value, cache) }, pod.listedAtMillis);
  return true;
}

/** Keeps the last IPs of a pod that has lost its last sandbox, since its status still shows them. */
function withKeptIps(status: RuntimePodStatus, cache: PodCache): RuntimePodStatus {
  if (status.ips.length > 0 || status.sandboxStatuses.some(({ state }) => state === 'ready')) return status;
  const cached = cache.get(status.uid);
  return cached.error === undefined && cached.status !== undefined ? { ...status, ips: cached.status.ips } : status;
}
