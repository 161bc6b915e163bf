import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import { fitErrorMessage } from '../framework/fit-error.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { Framework } from '../framework/runtime/framework.ts';
import { isRejection } from '../framework/status.ts';
import type { ScheduleResult } from './decision/result.ts';

/**
 * Calls the Reserve plugins for the chosen node. After a failure everything is as before the attempt `started`, and the
 * result of the pod is returned; null if all plugins have reserved.
 */
export function reservePod(
  { binding }: Framework,
  cluster: ClusterState,
  { state, pod, node, started }: ReservedPod,
): ScheduleResult | null {
  const failure = binding.reserve(state, pod, node);
  if (failure === null) return null;
  binding.unreserve(state, pod, node);
  cluster.touch(node);
  cluster.pods.forget(started);
  const message = failure.reasons.join(', ');
  if (!isRejection(failure)) return { status: 'error', message };
  // Upstream reports a rejection by Reserve as that of the only node.
  return { status: 'unschedulable', message: fitErrorMessage(1, new Map([[message, 1]])) };
}

interface ReservedPod {
  readonly state: CycleState;
  readonly pod: PodInfo;
  readonly node: NodeInfo;
  /** The pod as the attempt began with it. */
  readonly started: PodInfo;
}
