import type { Pod, PodCondition, PodStatus } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';

/** What is known of a pod that is played. */
export interface PlayedState {
  /** Whether the recorded scheduler evicted it. */
  readonly isEvictedThere: boolean;
  /** Whether it got its node at another time than recorded. */
  readonly hasOwnTimes: boolean;
}

/** The conditions that a scheduler writes. */
const OF_SCHEDULERS: ReadonlySet<string> = new Set(['PodScheduled', 'DisruptionTarget']);

/**
 * The recorded state of a pod as it is in the simulation: with the node, the nomination and the eviction that its
 * scheduler decided, and with a status that fits that node.
 */
export function asPlayed(recorded: Pod, own: Pod, { isEvictedThere, hasOwnTimes }: PlayedState): Pod {
  const { nodeName: _there, ...spec } = recorded.spec ?? {};
  const nodeName = own.spec?.nodeName;
  return {
    ...recorded,
    metadata: { ...recorded.metadata, ...deletionOf(recorded, own, isEvictedThere) },
    spec: { ...spec, ...(nodeName && { nodeName }) },
    status: statusOf(recorded, own, hasOwnTimes),
  };
}

function deletionOf({ metadata: there }: Pod, { metadata: here }: Pod, isEvictedThere: boolean): object {
  const { deletionTimestamp, deletionGracePeriodSeconds } =
    (there?.deletionTimestamp !== undefined && !isEvictedThere ? there : here) ?? {};
  return { deletionTimestamp, deletionGracePeriodSeconds };
}

function statusOf(recorded: Pod, own: Pod, hasOwnTimes: boolean): PodStatus | undefined {
  const status = own.status ?? {};
  const wasBound = !!recorded.spec?.nodeName;
  // A pod may fail without ever having had a node.
  if (!own.spec?.nodeName) return isPodFinished(recorded) && !wasBound ? recorded.status : status;
  if (hasOwnTimes) return status.phase === 'Pending' ? { ...status, phase: 'Running' } : status;
  if (!wasBound) return status;
  const { nominatedNodeName: _there, ...there } = recorded.status ?? {};
  const ours = ofSchedulers(status);
  const others = (there.conditions ?? []).filter(({ type = '' }) => !OF_SCHEDULERS.has(type));
  const { nominatedNodeName } = status;
  return { ...there, conditions: [...ours, ...others], ...(nominatedNodeName && { nominatedNodeName }) };
}

function ofSchedulers({ conditions = [] }: PodStatus): PodCondition[] {
  return conditions.filter(({ type = '' }) => OF_SCHEDULERS.has(type));
}
