import type { Pod } from '../../src/api/pod.ts';
import type { ClusterState } from '../../src/framework/cluster/cluster-state.ts';
import { CycleState } from '../../src/framework/cycle-state.ts';
import type { FilterPlugin, PreFilterPlugin } from '../../src/framework/plugin.ts';
import type { Status } from '../../src/framework/status.ts';

/**
 * What a plugin says of every node, in snapshot order, as "Code: reasons" (null: the node will do); or what PreFilter
 * said when it ended the matter for all nodes.
 */
export function filterCluster(
  plugin: PreFilterPlugin & FilterPlugin,
  cluster: ClusterState,
  pod: Pod,
): (string | null)[] | string {
  const state = new CycleState();
  const info = cluster.pods.info(pod);
  const status = plugin.preFilter(state, info, cluster);
  if (status !== null && 'code' in status) return textOf(status);
  return cluster.nodeInfos().map((node) => {
    const verdict = plugin.filter(state, info, node);
    return verdict && textOf(verdict);
  });
}

export function textOf({ code, reasons }: Status): string {
  return code === 'Skip' ? 'Skip' : `${code}: ${reasons.join(' + ')}`;
}
