import { type Node, readyStatus } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { millisOfTime } from '../../api/time.ts';
import type { Lister } from '../../client/informer/lister.ts';

/** The properties that decide a pod's position, read once. */
interface Place {
  readonly pod: Pod;
  readonly isEvicted: boolean;
  readonly creationMillis: number;
  readonly name: string;
}

/** The order of deletion: evicted pods first, then the oldest; pods of the same second by name. @internal */
export function inEvictionOrder(pods: readonly Pod[]): readonly Pod[] {
  const places = pods.map(placeOf).sort(comparePlaces);
  return places.map(({ pod }) => pod);
}

function placeOf(pod: Pod): Place {
  const { metadata, status } = pod;
  const time = metadata?.creationTimestamp;
  return {
    pod,
    isEvicted: status?.phase === 'Failed' && status.reason === 'Evicted',
    // A pod without a creation time comes first.
    creationMillis: time === undefined || time === null ? Number.MIN_SAFE_INTEGER : millisOfTime(time),
    name: metadata?.name ?? '',
  };
}

function comparePlaces(a: Place, b: Place): number {
  if (a.isEvicted !== b.isEvicted) return a.isEvicted ? -1 : 1;
  if (a.creationMillis !== b.creationMillis) return a.creationMillis - b.creationMillis;
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

/** The terminated pods, except for the last `threshold` ones in the order of eviction. */
export function terminatedPodsOver(threshold: number, pods: readonly Pod[]): readonly Pod[] {
  if (threshold <= 0) return [];
  let count = -threshold;
  for (const pod of pods) if (isTerminated(pod)) count++;
  return count > 0 ? inEvictionOrder(pods.filter(isTerminated)).slice(0, count) : [];
}

/** Whether the pod has ended; a pod without a phase, or with an unknown one, counts, too. */
export function isTerminated(pod: Pod): boolean {
  const phase = pod.status?.phase;
  return phase !== 'Pending' && phase !== 'Running' && phase !== 'Unknown';
}

const OUT_OF_SERVICE_TAINT = 'node.kubernetes.io/out-of-service';

/**
 * Terminating pods on nodes that an administrator declared out of service: no node agent will finish their deletion,
 * and until it is finished their volumes cannot be attached elsewhere.
 */
export function terminatingPodsOutOfService(pods: readonly Pod[], nodes: Lister<Node>): readonly Pod[] {
  return inEvictionOrder(
    pods.filter(({ metadata, spec }) => {
      if (!metadata?.deletionTimestamp) return false;
      const node = nodes.get('', spec?.nodeName ?? '');
      return node !== undefined && readyStatus(node) !== 'True' && isOutOfService(node);
    }),
  );
}

function isOutOfService(node: Node): boolean {
  return node.spec?.taints?.some(({ key }) => key === OUT_OF_SERVICE_TAINT) ?? false;
}

/** Terminating pods without a node: there is no node agent that could finish their deletion. */
export function terminatingPodsUnscheduled(pods: readonly Pod[]): readonly Pod[] {
  return pods.filter(({ metadata, spec }) => metadata?.deletionTimestamp && !spec?.nodeName);
}
