import type { Pod } from '../../src/api/pod.ts';
import { CycleState } from '../../src/framework/cycle-state.ts';
import type { NodeInfo } from '../../src/framework/node-info.ts';
import { type FilterPlugin, hasMethod, type ScorePlugin } from '../../src/framework/plugin.ts';
import type { Status } from '../../src/framework/status.ts';
import { makeCluster, makePodInfo } from '../builders/make-cluster.ts';

/** The status of one filter for one node, as "Code: reason, reason"; 'fits' if it accepts the node. */
export function filterVerdict(plugin: FilterPlugin, pod: Pod, node: NodeInfo): string {
  const state = new CycleState();
  const info = makePodInfo(pod);
  if (hasMethod(plugin, 'preFilter')) {
    const outcome = plugin.preFilter(state, info, makeCluster([]));
    if (outcome !== null && 'code' in outcome) return verdictText(outcome);
  }
  return verdictText(plugin.filter(state, info, node));
}

/** The raw score of one node, or the status with which PreScore skipped the plugin. */
export function rawScore(plugin: ScorePlugin, pod: Pod, node: NodeInfo): number | string {
  const state = new CycleState();
  const info = makePodInfo(pod);
  const status = hasMethod(plugin, 'preScore') ? plugin.preScore(state, info, [node]) : null;
  return status === null ? plugin.score(state, info, node) : verdictText(status);
}

function verdictText(status: Status | null): string {
  if (status === null) return 'fits';
  return status.code === 'Skip' ? 'skipped' : `${status.code}: ${status.reasons.join(', ')}`;
}
