import type { Taint } from '../../api/node.ts';
import { type Toleration, toleratesTaint } from '../../api/taints.ts';

/**
 * How long a pod may stay on a node with these NoExecute taints: 0 when it does not tolerate one of them, Infinity when
 * it tolerates all without limit, otherwise the shortest of the times in its matching tolerations.
 *
 * Upstream: getMinTolerationTime in pkg/controller/tainteviction/taint_eviction.go.
 */
export function toleratedMillis(taints: readonly Taint[], tolerations: readonly Toleration[]): number {
  let millis = Number.POSITIVE_INFINITY;
  for (const taint of taints) {
    const used = tolerations.filter((toleration) => toleratesTaint(toleration, taint));
    if (used.length === 0) return 0;
    for (const { tolerationSeconds } of used) {
      if (tolerationSeconds !== undefined) millis = Math.min(millis, Math.max(0, tolerationSeconds) * 1000);
    }
  }
  return millis;
}
