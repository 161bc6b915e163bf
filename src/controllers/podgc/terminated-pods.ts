import type { Pod } from '../../api/pod.ts';
import { inEvictionOrder } from './eviction-order.ts';

/** The terminated pods, except for the last `threshold` ones in the order of eviction. */
export function terminatedPodsOver(threshold: number, pods: readonly Pod[]): readonly Pod[] {
  if (threshold <= 0) return [];
  const terminated = pods.filter(isTerminated);
  const count = terminated.length - threshold;
  return count > 0 ? inEvictionOrder(terminated).slice(0, count) : [];
}

/** Whether the pod has ended; a pod without a phase, or with an unknown one, counts, too. */
function isTerminated(pod: Pod): boolean {
  const phase = pod.status?.phase;
  return phase !== 'Pending' && phase !== 'Running' && phase !== 'Unknown';
}
