import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeTally } from '../../framework/node-tally.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Status } from '../../framework/status.ts';
import { add, type Int64, subtract } from '../../lib/int64.ts';
import { amountOf } from './resource-amounts.ts';

/** A resource that the pod to schedule requests. */
export interface RequestedResource {
  readonly name: string;
  readonly request: Int64;
}

interface Room extends RequestedResource {
  /** The amount that the counted pods leave on the node. */
  free: Int64;
}

/** The number of pods on a node, and what they leave of the resources that the pod to schedule requests. */
export class ResourceTally implements NodeTally {
  readonly #rooms: readonly Room[];
  readonly #maxPodCount: number;
  readonly #shortage: (podCount: number, rooms: readonly Room[]) => Status | null;
  #podCount: number;

  /** Counts the pods of the node to begin with. `shortage` returns the filter's answer for the counted pods. */
  constructor(
    requested: readonly RequestedResource[],
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
