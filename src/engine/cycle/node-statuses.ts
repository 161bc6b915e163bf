import type { NodeInfo } from '../../framework/node-info.ts';
import type { Snapshot } from '../../framework/plugin.ts';
import type { NodeToStatus } from '../../framework/post-filter.ts';
import type { Code, Status } from '../../framework/status.ts';

/** The rejections of nodes. There are few distinct statuses: each is kept once, with a number for each slot. */
export class NodeStatuses implements NodeToStatus {
  readonly #snapshot: Snapshot;
  readonly #slots: ArrayLike<number>;
  readonly #groups: { readonly status: Status; nodeCount: number }[] = [];
  readonly #groupIds = new Map<Status, number>();
  /**
   * The number of the node's group + 1, by slot; 0 for a node that was not rejected. There may be as many groups as
   * nodes.
   */
  readonly #groupOf: Uint32Array;

  /**
   * `slots` are those of the snapshot's nodes in its order, all below `slotCount`; reading them from thousands of node
   * objects would be slow. `statusOf` should return equal statuses as the same object, because each object makes a
   * group. `position` is the node's position in snapshot order.
   */
  constructor(
    snapshot: Snapshot,
    slots: ArrayLike<number>,
    slotCount: number,
    statusOf: (slot: number, position: number) => Status | null,
  ) {
    this.#snapshot = snapshot;
    this.#slots = slots;
    this.#groupOf = new Uint32Array(slotCount);
    let last: Status | null = null;
    let id = 0;
    let group: { nodeCount: number } | undefined;
    for (let position = 0; position < slots.length; position++) {
      const slot = slots[position] ?? 0;
      const status = statusOf(slot, position);
      if (status === null) continue;
      if (status !== last) {
        id = this.#groupId(status);
        group = this.#groups[id - 1];
        last = status;
      }
      this.#groupOf[slot] = id;
      if (group !== undefined) group.nodeCount++;
    }
  }

  *rejections(): Iterable<readonly [NodeInfo, Status]> {
    for (const node of this.#snapshot.nodeInfos()) {
      const status = this.#status(node);
      if (status !== null) yield [node, status];
    }
  }

  reasonCounts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { status, nodeCount } of this.#groups) {
      for (const reason of status.reasons) counts.set(reason, (counts.get(reason) ?? 0) + nodeCount);
    }
    return counts;
  }

  nodesWithCode(code: Code): readonly NodeInfo[] {
    const isWanted = [false, ...this.#groups.map(({ status }) => status.code === code)];
    const groupAt = (position: number): number => this.#groupOf[this.#slots[position] ?? 0] ?? 0;
    return this.#snapshot.nodeInfos().filter((_, position) => isWanted[groupAt(position)]);
  }

  statusOf(nodeName: string): Status | null {
    const node = this.#snapshot.node(nodeName);
    return node === undefined ? null : this.#status(node);
  }

  *distinct(): Iterable<Status> {
    for (const { status } of this.#groups) yield status;
  }

  #status({ slot }: NodeInfo): Status | null {
    return this.#groups[(this.#groupOf[slot] ?? 0) - 1]?.status ?? null;
  }

  #groupId(status: Status): number {
    let id = this.#groupIds.get(status);
    if (id === undefined) {
      id = this.#groups.push({ status, nodeCount: 0 });
      this.#groupIds.set(status, id);
    }
    return id;
  }
}
