import { getOrMake } from '../../lib/get-or-make.ts';
import type { HostPort } from '../host-ports.ts';

/** The slots of nodes on which host ports may be in use, by port. */
export class PortUsers {
  readonly #slotsByPort = new Map<number, Set<number>>();
  readonly #portsBySlot = new Map<number, Set<number>>();

  /** Notes that pods use, or have used, these ports of the node in the slot, whatever address and protocol. */
  add(slot: number, ports: readonly HostPort[]): void {
    for (const { port } of ports) {
      getOrMake(this.#portsBySlot, slot, () => new Set()).add(port);
      getOrMake(this.#slotsByPort, port, () => new Set()).add(slot);
    }
  }

  /** Forgets the ports of a node that is gone. */
  remove(slot: number): void {
    for (const port of this.#portsBySlot.get(slot) ?? []) {
      const slots = this.#slotsByPort.get(port);
      slots?.delete(slot);
      if (slots?.size === 0) this.#slotsByPort.delete(port);
    }
    this.#portsBySlot.delete(slot);
  }

  /** The slots where one of these ports may be in use; null stands for any port. */
  slotsWith(ports: readonly number[] | null): ReadonlySet<number> {
    if (ports === null) return new Set(this.#portsBySlot.keys());
    const slots = new Set<number>();
    for (const port of ports) for (const slot of this.#slotsByPort.get(port) ?? []) slots.add(slot);
    return slots;
  }

  /** Takes over the ports of a cluster that was copied slot by slot. */
  copyFrom(other: PortUsers): void {
    for (const [slot, ports] of other.#portsBySlot) this.#portsBySlot.set(slot, new Set(ports));
    for (const [port, slots] of other.#slotsByPort) this.#slotsByPort.set(port, new Set(slots));
  }
}
