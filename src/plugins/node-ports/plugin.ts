import type { Pod } from '../../api/pod.ts';
import { type CycleState, stateKey } from '../../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint, type HintKeys } from '../../framework/events.ts';
import { type HostPort, hostPorts, UsedPorts } from '../../framework/host-ports.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeTally } from '../../framework/node-tally.ts';
import type { FilterPlugin, PreFilterPlugin } from '../../framework/plugin.ts';
import { takesRoom } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { errorStatus, type Status, skip, unschedulable } from '../../framework/status.ts';

export const NODE_PORTS = 'NodePorts';

const CONFLICT = unschedulable(NODE_PORTS, "node(s) didn't have free ports for the requested pod ports");
const PRE_FILTERED = stateKey<true>('NodePorts');

/** Rejects nodes on which a host port of the pod is in use. */
export class NodePorts implements PreFilterPlugin, FilterPlugin {
  readonly name = NODE_PORTS;
  readonly filterReads = 'hostPorts';

  dependsOn(pod: Pod): unknown {
    return hostPorts(pod);
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [
      eventWithHint('Pod', ActionType.Delete, freesPort, { reads: 'template', keys: PORT_KEYS }),
      eventWithHint('Node', ActionType.Add),
    ];
  }

  preFilter(state: CycleState, pod: PodInfo): Status | null {
    if (pod.requirements.hostPorts.length === 0) return skip(this.name);
    state.write(PRE_FILTERED, true);
    return null;
  }

  filter(state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    if (state.read(PRE_FILTERED) === undefined) {
      return errorStatus(this.name, 'reading "PreFilterNodePorts" from cycleState: not found');
    }
    return node.usedPorts.conflictsWith(pod.requirements.hostPorts) ? CONFLICT : null;
  }

  hostPortsRead({ requirements }: PodInfo): readonly number[] {
    return requirements.hostPorts.map(({ port }) => port);
  }

  tally(state: CycleState, pod: PodInfo, node: NodeInfo, expected: readonly PodInfo[]): NodeTally | null {
    // Without PreFilter the filter fails, whatever ports are in use.
    if (state.read(PRE_FILTERED) === undefined) return null;
    return new PortTally(pod.requirements.hostPorts, node, expected);
  }
}

/**
 * The host ports that the counted pods of a node use, apart from those of the expected pods: ports have no count of
 * their users, so a pod that is removed would free the port of an expected pod.
 */
class PortTally implements NodeTally {
  readonly #wanted: readonly HostPort[];
  readonly #used: UsedPorts;
  readonly #expected = new UsedPorts();

  constructor(wanted: readonly HostPort[], node: NodeInfo, expected: readonly PodInfo[]) {
    this.#wanted = wanted;
    this.#used = node.usedPorts.clone();
    for (const { requirements } of expected) this.#expected.add(requirements.hostPorts);
  }

  add({ requirements }: PodInfo): void {
    this.#used.add(requirements.hostPorts);
  }

  remove({ requirements }: PodInfo): void {
    this.#used.remove(requirements.hostPorts);
  }

  fits(): boolean {
    return !this.#used.conflictsWith(this.#wanted) && !this.#expected.conflictsWith(this.#wanted);
  }

  rejection(): Status | null {
    return this.fits() ? null : CONFLICT;
  }
}

/** The numbers of the host ports, whatever their addresses and protocols are. */
const PORT_KEYS: HintKeys = {
  ofPod: ({ requirements }) => requirements.hostPorts.map(({ port }) => String(port)),
  ofEvent: (deleted) => hostPorts(deleted as Pod).map(({ port }) => String(port)),
};

/** Whether the deleted pod used a port on some node that the pod wants. */
function freesPort(pod: PodInfo, deleted: Pod): boolean {
  if (!takesRoom(deleted)) return false;
  const freed = new UsedPorts();
  freed.add(hostPorts(deleted));
  return freed.conflictsWith(pod.requirements.hostPorts);
}
