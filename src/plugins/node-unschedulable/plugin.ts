import type { Pod } from '../../api/pod.ts';
import { toleratesTaint } from '../../api/taints.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { ClusterEventWithHint } from '../../framework/events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { FilterPlugin, NodeParts } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, unresolvable } from '../../framework/status.ts';
import { nodeUnschedulableEvents } from './hints.ts';

export const NODE_UNSCHEDULABLE = 'NodeUnschedulable';

const CORDONED = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const;

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
    return nodeUnschedulableEvents(toleratesCordon);
  }

  filter(_state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    if (!node.node.spec?.unschedulable) return null;
    return toleratesCordon(pod.pod) ? null : unresolvable(this.name, 'node(s) were unschedulable');
  }
}

function toleratesCordon({ spec }: Pod): boolean {
  return (spec?.tolerations ?? []).some((toleration) => toleratesTaint(toleration, CORDONED));
}
