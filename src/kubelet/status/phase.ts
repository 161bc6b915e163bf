import { isSidecar, type PodSpec } from '../../api/pod.ts';
import type { StatusByName } from './named-statuses.ts';

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

interface Counts {
  /** Containers that the runtime does not list, and that are not known to wait. */
  unknown: number;
  waiting: number;
  running: number;
  /** Containers that have ended, successfully or not; sidecars do not count. */
  stopped: number;
  succeeded: number;
}

/**
 * The phase of a pod.
 *
 * - `Failed` if initialisation failed for good.
 * - `Pending` while it is being initialised, or a container has yet to start for the first time.
 * - `Running` while a container runs, or when one will be started again.
 * - `Succeeded` or `Failed` when all have ended and none will be started again. `isTerminal`: none will, whatever the
 *   restart policy says.
 *
 * Upstream: getPhase in pkg/kubelet/kubelet_pods.go.
 */
export function podPhase(spec: PodSpec, statuses: StatusByName, isTerminal: boolean): PodPhase {
  const init = initialisation(spec, statuses);
  if (init === 'failed' && spec.restartPolicy === 'Never') return 'Failed';
  const counts = countContainers(spec, statuses);
  if (init !== 'done' && !hasAnyStarted(spec, statuses)) return 'Pending';
  const { unknown, waiting, running, stopped, succeeded } = counts;
  if (waiting > 0) return 'Pending';
  if (unknown > 0) return 'Pending';
  if (running > 0) return 'Running';
  if (stopped === 0) return 'Pending';
  if (!isTerminal && (spec.restartPolicy ?? 'Always') === 'Always') return 'Running';
  if (stopped === succeeded) return 'Succeeded';
  return isTerminal || spec.restartPolicy === 'Never' ? 'Failed' : 'Running';
}

function initialisation({ initContainers = [] }: PodSpec, statuses: StatusByName): 'done' | 'pending' | 'failed' {
  let isPending = false;
  for (const container of initContainers) {
    const status = statuses.get(container.name ?? '');
    if (isSidecar(container)) {
      if (status?.started !== true) isPending ||= status?.state?.terminated === undefined;
      continue;
    }
    // A container that waits for its restart has failed or succeeded in its last run.
    const ended = status?.state?.terminated ?? (status?.state?.waiting && status.lastState?.terminated);
    if (ended === undefined) isPending = true;
    else if (ended.exitCode !== 0) return 'failed';
    else if (status?.state?.terminated === undefined) isPending = true;
  }
  return isPending ? 'pending' : 'done';
}

/**
 * Whether a container has started, so that the initialisation is over. A sidecar that is restarted does not undo that.
 */
export function hasAnyStarted({ containers = [] }: PodSpec, statuses: StatusByName): boolean {
  return containers.some(({ name = '' }) => {
    const { state, lastState } = statuses.get(name) ?? {};
    return state?.running !== undefined || state?.terminated !== undefined || lastState?.terminated !== undefined;
  });
}

function countContainers({ containers = [], initContainers = [] }: PodSpec, statuses: StatusByName): Counts {
  const counts: Counts = { unknown: 0, waiting: 0, running: 0, stopped: 0, succeeded: 0 };
  // The end of a sidecar does not affect the pod's phase.
  for (const each of initContainers) if (isSidecar(each)) countContainer(counts, each.name, statuses, false);
  for (let i = 0; i < containers.length; i++) countContainer(counts, containers[i]?.name, statuses, true);
  return counts;
}

function countContainer(counts: Counts, name = '', statuses: StatusByName, isEndCounted: boolean): void {
  const { state, lastState } = statuses.get(name) ?? {};
  const { running, terminated, waiting } = state ?? {};
  if (running !== undefined) counts.running++;
  else if (terminated === undefined && waiting === undefined) counts.unknown++;
  else if (terminated === undefined && lastState?.terminated === undefined) counts.waiting++;
  else if (isEndCounted) {
    counts.stopped++;
    if (terminated?.exitCode === 0) counts.succeeded++;
  }
}
