import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { toleratesTaint } from '../../api/taints.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint } from '../../framework/events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { FilterPlugin, NodeParts } from '../../framework/plugin.ts';
import { isSameUid } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, unresolvable } from '../../framework/status.ts';

export const NODE_UNSCHEDULABLE = 'NodeUnschedulable';

const UNSCHEDULABLE = unresolvable(NODE_UNSCHEDULABLE, 'node(s) were unschedulable');
const UNSCHEDULABLE_TAINT = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const;

/** Rejects cordoned nodes, unless the pod tolerates the taint that stands for being cordoned. */
export class NodeUnschedulable implements FilterPlugin {
  readonly name = NODE_UNSCHEDULABLE;
  readonly filterReads = 'node';

  dependsOn(pod: Pod): unknown {
    return pod.spec?.tolerations;
  }

  looksAt(): NodeParts {
    return { taints: true, labels: [] };
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    const { Add, UpdateNodeTaint, UpdatePodToleration } = ActionType;
    return [
      eventWithHint('Node', Add | UpdateNodeTaint, becameSchedulable),
      eventWithHint('Pod', UpdatePodToleration, (pod, _before, after) => {
        return isSameUid(after, pod.uid) && toleratesUnschedulable(after);
      }),
    ];
  }

  filter(_state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    if (!node.node.spec?.unschedulable) return null;
    return toleratesUnschedulable(pod.pod) ? null : UNSCHEDULABLE;
  }
}

function toleratesUnschedulable({ spec }: Pod): boolean {
  return (spec?.tolerations ?? []).some((toleration) => toleratesTaint(toleration, UNSCHEDULABLE_TAINT));
}

function becameSchedulable(_pod: PodInfo, oldNode: Node | undefined, newNode: Node): boolean {
  return !newNode.spec?.unschedulable && (oldNode === undefined || !!oldNode.spec?.unschedulable);
}
