import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { DO_NOT_SCHEDULE, findUntoleratedTaint, type Toleration, toleratesAny } from '../../api/taints.ts';
import { type CycleState, stateKey } from '../../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint } from '../../framework/events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { FilterPlugin, NodeParts, PreScorePlugin, ScorePlugin } from '../../framework/plugin.ts';
import { isSameUid } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, unresolvable } from '../../framework/status.ts';

export const TAINT_TOLERATION = 'TaintToleration';

const UNTOLERATED = unresolvable(TAINT_TOLERATION, 'node(s) had untolerated taint(s)');
const PREFER_NO_SCHEDULE = 'PreferNoSchedule';
/** The pod's tolerations that can tolerate a PreferNoSchedule taint. */
const SOFT_TOLERATIONS = stateKey<readonly Toleration[]>('TaintToleration');

/** Rejects nodes with a hard taint that the pod does not tolerate; prefers nodes with few untolerated soft taints. */
export class TaintToleration implements FilterPlugin, PreScorePlugin, ScorePlugin {
  readonly name = TAINT_TOLERATION;
  readonly filterReads = 'node';
  readonly scoreReads = 'node';
  readonly normalize = { reverse: true };

  dependsOn(pod: Pod): unknown {
    return pod.spec?.tolerations;
  }

  looksAt(): NodeParts {
    return { taints: true, labels: [] };
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    const { Add, UpdateNodeTaint, UpdatePodToleration } = ActionType;
    return [
      eventWithHint('Node', Add | UpdateNodeTaint, (pod, oldNode, newNode) => {
        const toleratedBefore = oldNode !== undefined && toleratesHardTaints(pod, oldNode);
        return !toleratedBefore && toleratesHardTaints(pod, newNode);
      }),
      eventWithHint('Pod', UpdatePodToleration, (pod, _before, after) => isSameUid(after, pod.uid)),
    ];
  }

  filter(_state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    return toleratesHardTaints(pod, node.node) ? null : UNTOLERATED;
  }

  preScore(state: CycleState, pod: PodInfo): Status | null {
    const tolerations = pod.pod.spec?.tolerations ?? [];
    state.write(
      SOFT_TOLERATIONS,
      tolerations.filter(({ effect }) => !effect || effect === PREFER_NO_SCHEDULE),
    );
    return null;
  }

  scoreFailure(state: CycleState): string | null {
    const isMissing = state.read(SOFT_TOLERATIONS) === undefined;
    return isMissing ? 'failed to read "PreScoreTaintToleration" from cycleState: not found' : null;
  }

  score(state: CycleState, _pod: PodInfo, node: NodeInfo): number {
    const taints = node.node.spec?.taints;
    if (!taints?.length) return 0;
    const tolerations = state.read(SOFT_TOLERATIONS) ?? [];
    let untolerated = 0;
    for (const taint of taints) {
      if (taint.effect !== PREFER_NO_SCHEDULE) continue;
      if (!toleratesAny(tolerations, taint)) untolerated++;
    }
    return untolerated;
  }
}

function toleratesHardTaints({ pod }: PodInfo, { spec }: Node): boolean {
  return findUntoleratedTaint(spec?.taints, pod.spec?.tolerations, DO_NOT_SCHEDULE) === undefined;
}
