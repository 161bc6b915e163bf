import type { Pod } from '../../api/pod.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint } from '../../framework/events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { type FilterPlugin, LOOKS_AT_NOTHING, type NodeParts } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, unresolvable } from '../../framework/status.ts';

export const NODE_NAME = 'NodeName';

const OTHER_NODE = unresolvable(NODE_NAME, "node(s) didn't match the requested node name");

/** A pod whose spec names a node fits on that node only. */
export class NodeName implements FilterPlugin {
  readonly name = NODE_NAME;
  readonly filterReads = 'node';

  dependsOn(pod: Pod): unknown {
    return pod.spec?.nodeName;
  }

  looksAt(pod: Pod): NodeParts | null {
    return pod.spec?.nodeName ? null : LOOKS_AT_NOTHING;
  }

  /** A new node may be the one that the pod names. */
  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [eventWithHint('Node', ActionType.Add)];
  }

  filter(_state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    const wanted = pod.pod.spec?.nodeName || node.name;
    return wanted === node.name ? null : OTHER_NODE;
  }
}
