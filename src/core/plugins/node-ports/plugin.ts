import type { Pod } from '../../../api/pod.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import { hostPorts } from '../../framework/host-ports.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { FilterPlugin, PreFilterPlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, skip, unschedulable } from '../../framework/status.ts';
import { NODE_PORTS } from '../names.ts';

/** Rejects nodes on which a host port of the pod is taken. */
export class NodePorts implements PreFilterPlugin, FilterPlugin {
  readonly name = NODE_PORTS;
  readonly filterReads = 'nodePods';

  dependsOn(pod: Pod): unknown {
    return hostPorts(pod);
  }

  preFilter(_state: CycleState, pod: PodInfo): Status | null {
    return pod.requirements.hostPorts.length === 0 ? skip(this.name) : null;
  }

  filter(_state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    return node.usedPorts.conflictsWith(pod.requirements.hostPorts)
      ? unschedulable(this.name, "node(s) didn't have free ports for the requested pod ports")
      : null;
  }
}
