import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeTally } from '../../framework/node-tally.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Status } from '../../framework/status.ts';
import { add, type Int64, subtract } from '../../lib/int64.ts';
import { amountOf } from './resource-amounts.ts';

/** What the pod to schedule asks for, and how much of it the node has left. */
export interface Room {
  readonly name: string;
  readonly request: Int64;
  free: Int64;
}

/** How many pods there are, and what they leave of the resources that the pod to schedule asks for. */
export class ResourceTally implements NodeTally {
  readonly #rooms: readonly Room[];
  readonly #maxPodCount: number;
  readonly #shortage: (podCount: number, rooms: readonly Room[]) => Status | null;
  #podCount: number;

  /** Starts with the pods of the node. `shortage` is the filter's answer for what is counted. */
  constructor(
    requested: readonly { readonly name: string; readonly request: Int64 }[],
    node: NodeInfo,
    shortage: (podCount: number, rooms: readonly Room[]) => Status | null,
  ) {
    this.#rooms = requested.map(({ name, request }) => {
      return { name, request, free: subtract(amountOf(node.allocatable, name), amountOf(node.requested, name)) };
    });
    this.#maxPodCount = node.allowedPodCount;
    this.#podCount = node.pods.length;
    this.#shortage = shortage;
  }

  add({ requirements }: PodInfo): void {
    this.#podCount++;
    const { requests } = requirements;
    for (const room of this.#rooms) room.free = subtract(room.free, amountOf(requests, room.name));
  }

  remove({ requirements }: PodInfo): void {
    this.#podCount--;
    const { requests } = requirements;
    for (const room of this.#rooms) room.free = add(room.free, amountOf(requests, room.name));
  }

  rejection(): Status | null {
    return this.fits() ? null : this.#shortage(this.#podCount, this.#rooms);
  }

  fits(): boolean {
    if (this.#podCount + 1 > this.#maxPodCount) return false;
    for (const { request, free } of this.#rooms) if (request > free) return false;
    return true;
  }
}
