import { type HostPort, UsedPorts } from '../../framework/host-ports.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeTally } from '../../framework/node-tally.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Status } from '../../framework/status.ts';

/**
 * The host ports in use on a node, where pods come and go, and those of the pods that are expected there. The two are
 * kept apart: nobody counts who holds a port, so a pod that leaves would free the port of one that is expected.
 */
export class PortTally implements NodeTally {
  readonly #wanted: readonly HostPort[];
  readonly #conflict: Status;
  readonly #held: UsedPorts;
  readonly #expected = new UsedPorts();

  constructor(wanted: readonly HostPort[], node: NodeInfo, expected: readonly PodInfo[], conflict: Status) {
    this.#wanted = wanted;
    this.#conflict = conflict;
    this.#held = node.usedPorts.clone();
    for (const { requirements } of expected) this.#expected.add(requirements.hostPorts);
  }

  add({ requirements }: PodInfo): void {
    this.#held.add(requirements.hostPorts);
  }

  remove({ requirements }: PodInfo): void {
    this.#held.remove(requirements.hostPorts);
  }

  fits(): boolean {
    return !this.#held.conflictsWith(this.#wanted) && !this.#expected.conflictsWith(this.#wanted);
  }

  rejection(): Status | null {
    return this.fits() ? null : this.#conflict;
  }
}
