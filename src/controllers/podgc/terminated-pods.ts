import type { Pod } from '../../api/pod.ts';
import { inEvictionOrder } from './eviction-order.ts';

/** The pods that have ended, but for the `threshold` that ended up last in the order of eviction. */
export function terminatedPodsOver(threshold: number, pods: readonly Pod[]): readonly Pod[] {
  if (threshold <= 0) return [];
  const terminated = pods.filter(isTerminated);
  const count = terminated.length - threshold;
  return count > 0 ? inEvictionOrder(terminated).slice(0, count) : [];
}

/** Also a pod without a phase, or in one that nobody knows. */
function isTerminated(pod: Pod): boolean {
  const phase = pod.status?.phase;
  return phase !== 'Pending' && phase !== 'Running' && phase !== 'Unknown';
}
