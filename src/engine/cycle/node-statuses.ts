import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import { ANY_CHANGE } from '../../framework/cluster/node-changes.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { Snapshot } from '../../framework/plugin.ts';
import type { NodeList, NodeSlots, NodeToStatus } from '../../framework/post-filter.ts';
import type { Code, Status } from '../../framework/status.ts';

export type SetStatus = (slot: number, status: Status | null) => void;
type StatusAt = (slot: number, position: number) => Status | null;

const NO_MORE: readonly number[] = [];
const BYTE_MAX = 255;
const UNKNOWN = -1;

interface Group {
  readonly status: Status;
  nodeCount: number;
}

/** The statuses of slots. There are few distinct ones: each is kept once, with a number for each slot. */
export class SlotGroups {
  readonly #groups: Group[];
  readonly #groupIds: Map<Status, number>;
  /**
   * The number of the slot's group + 1; 0 for a slot without a status. There may be as many groups as nodes, but mostly
   * a byte is enough, and each attempt copies it for all nodes.
   */
  #groupOf: Uint8Array | Uint32Array;
  #lastStatus: Status | null = null;
  #lastId = 0;

  /** The slots are below `slotCount`. `from` holds the statuses to begin with. */
  constructor(slotCount: number, from?: SlotGroups) {
    this.#groupOf = from === undefined ? new Uint8Array(slotCount) : from.#groupOf.slice(0, slotCount);
    this.#groups = from === undefined ? [] : from.#groups.map((group) => ({ ...group }));
    this.#groupIds = new Map(from === undefined ? [] : from.#groupIds);
  }

  get slotCount(): number {
    return this.#groupOf.length;
  }

  status(slot: number): Status | null {
    return this.#groupAt(slot)?.status ?? null;
  }

  /** A list that is read at -1 looks for a member of this name, which takes longer than everything else here. */
  #groupAt(slot: number): Group | undefined {
    const id = this.#groupOf[slot] ?? 0;
    return id === 0 ? undefined : this.#groups[id - 1];
  }

  /** `status` should be the same object for equal statuses, because each object makes a group. */
  set(slot: number, status: Status | null): void {
    const before = this.#groupAt(slot);
    if (before?.status !== (status ?? undefined)) this.#move(slot, status === null ? 0 : this.#groupId(status));
  }

  /** Sets the statuses of slots that have none yet. Of slots that are alike one is asked about. */
  setAlike(slots: ArrayLike<number>, statusOf: StatusAt, { numbers, count }: Alike): void {
    const ids = new Int32Array(count).fill(UNKNOWN);
    const counts = new Int32Array(count);
    for (let position = 0; position < slots.length; position++) {
      const slot = slots[position] as number;
      const number = numbers[slot] as number;
      let id = ids[number] as number;
      if (id === UNKNOWN) {
        const status = statusOf(slot, position);
        id = status === null ? 0 : this.#groupId(status);
        ids[number] = id;
        this.#makeRoom(id);
      }
      this.#groupOf[slot] = id;
      counts[number] = (counts[number] as number) + 1;
    }
    for (let number = 0; number < count; number++) {
      const id = ids[number] as number;
      if (id > 0) (this.#groups[id - 1] as Group).nodeCount += counts[number] as number;
    }
  }

  #makeRoom(id: number): void {
    if (id > BYTE_MAX && this.#groupOf.BYTES_PER_ELEMENT === 1) this.#groupOf = Uint32Array.from(this.#groupOf);
  }

  #move(slot: number, id: number): void {
    const before = this.#groupAt(slot);
    if (before !== undefined) before.nodeCount--;
    this.#makeRoom(id);
    this.#groupOf[slot] = id;
    const group = this.#groupAt(slot);
    if (group !== undefined) group.nodeCount++;
  }

  /** The number of slots in each group. */
  counts(): number[] {
    return this.#groups.map(({ nodeCount }) => nodeCount);
  }

  /** Whether `counts()` would be equal to these counts. */
  hasCounts(counts: readonly number[]): boolean {
    if (counts.length !== this.#groups.length) return false;
    for (let i = 0; i < counts.length; i++) if (counts[i] !== (this.#groups[i] as Group).nodeCount) return false;
    return true;
  }

  /** The number of slots by reason. */
  reasonCounts(): Map<string, number> {
    return this.#reasonCounts(NO_MORE);
  }

  /** `more`: how many slots more each group has, by its number + 1. */
  #reasonCounts(more: readonly number[]): Map<string, number> {
    const counts = new Map<string, number>();
    for (const [i, group] of this.#groups.entries()) {
      const nodeCount = group.nodeCount + (more[i + 1] ?? 0);
      if (nodeCount === 0) continue;
      for (const reason of group.status.reasons) counts.set(reason, (counts.get(reason) ?? 0) + nodeCount);
    }
    return counts;
  }

  /** As `reasonCounts`, with other statuses of some slots, each of which is set at most once; null: with none. */
  reasonCountsWith(correct: ((set: SetStatus) => void) | null): Map<string, number> {
    if (correct === null) return this.reasonCounts();
    const groupOf = this.#groupOf;
    // By number of the group + 1, as in `#groupOf`.
    const more: number[] = [0];
    for (let i = 0; i < this.#groups.length; i++) more.push(0);
    correct((slot, status) => {
      const before = groupOf[slot] ?? 0;
      const now = status === null ? 0 : this.#groupId(status);
      more[before] = (more[before] ?? 0) - 1;
      if (now === more.length) more.push(0);
      more[now] = (more[now] ?? 0) + 1;
    });
    return this.#reasonCounts(more);
  }

  /** The statuses that some slot has, with the number of these slots. */
  *inUse(): Iterable<{ readonly status: Status; readonly nodeCount: number }> {
    for (const group of this.#groups) if (group.nodeCount > 0) yield group;
  }

  /** Whether some slot has a status with this code. */
  has(code: Code): boolean {
    for (const { status } of this.inUse()) if (status.code === code) return true;
    return false;
  }

  /** The slots whose statuses have this code. */
  withCode(code: Code): SlotsOfCode {
    const isWanted = Uint8Array.from([0, ...this.#groups.map(({ status }) => (status.code === code ? 1 : 0))]);
    return new SlotsOfCode(this.#groupOf, isWanted);
  }

  #groupId(status: Status): number {
    // Neighbours often have one status.
    if (status === this.#lastStatus) return this.#lastId;
    let id = this.#groupIds.get(status);
    if (id === undefined) {
      id = this.#groups.push({ status, nodeCount: 0 });
      this.#groupIds.set(status, id);
    }
    this.#lastStatus = status;
    this.#lastId = id;
    return id;
  }
}

/** Some of the slots, by the groups of their statuses. */
class SlotsOfCode {
  readonly #groupOf: Uint8Array | Uint32Array;
  /** 1 for a group that counts. */
  readonly #isWanted: Uint8Array;

  constructor(groupOf: Uint8Array | Uint32Array, isWanted: Uint8Array) {
    this.#groupOf = groupOf;
    this.#isWanted = isWanted;
  }

  has(slot: number): boolean {
    return this.#isWanted[this.#groupOf[slot] ?? 0] === 1;
  }

  /** The position in a list of slots behind the first `count` of these. */
  positionAfter(count: number, slots: ArrayLike<number>): number {
    const groupOf = this.#groupOf;
    const isWanted = this.#isWanted;
    let position = 0;
    for (let left = count; left > 0 && position < slots.length; position++) {
      left -= isWanted[groupOf[slots[position] ?? 0] ?? 0] ?? 0;
    }
    return position;
  }
}

/** Slots whose statuses are known to be equal have equal numbers below `count`. */
interface Alike {
  readonly numbers: ArrayLike<number>;
  readonly count: number;
}

/**
 * Groups the statuses of a snapshot's nodes. `slots` are theirs in snapshot order; reading them from thousands of node
 * objects would be slow. `position` is the node's position in that order. Of slots that are alike one is asked about.
 */
export function groupsOf(
  slots: ArrayLike<number>,
  slotCount: number,
  statusOf: StatusAt,
  alike: Alike | null = null,
): SlotGroups {
  const groups = new SlotGroups(slotCount);
  if (alike !== null) {
    groups.setAlike(slots, statusOf, alike);
    return groups;
  }
  for (let position = 0; position < slots.length; position++) {
    const slot = slots[position] as number;
    const status = statusOf(slot, position);
    if (status !== null) groups.set(slot, status);
  }
  return groups;
}

/** The rejections of nodes. `slots` are those of the snapshot's nodes in its order. */
export class NodeStatuses implements NodeToStatus {
  readonly #snapshot: Snapshot;
  readonly #slots: Int32Array;
  readonly #groups: SlotGroups;

  readonly #columns: Pick<ClusterState, 'changes' | 'nodeAt'> | null;

  /** `columns`: the nodes by slot, if results about them may be kept in columns. */
  constructor(
    snapshot: Snapshot,
    slots: Int32Array,
    groups: SlotGroups,
    columns: Pick<ClusterState, 'changes' | 'nodeAt'> | null = null,
  ) {
    this.#snapshot = snapshot;
    this.#slots = slots;
    this.#groups = groups;
    this.#columns = columns;
  }

  *rejections(): Iterable<readonly [NodeInfo, Status]> {
    for (const node of this.#snapshot.nodeInfos()) {
      const status = this.#groups.status(node.slot);
      if (status !== null) yield [node, status];
    }
  }

  reasonCounts(): Map<string, number> {
    return this.#groups.reasonCounts();
  }

  nodesWithCode(code: Code): readonly NodeInfo[] {
    const wanted = this.#groups.withCode(code);
    return this.#snapshot.nodeInfos().filter((_, position) => wanted.has(this.#slots[position] ?? 0));
  }

  listWithCode(code: Code): NodeList {
    let length = 0;
    for (const { status, nodeCount } of this.#groups.inUse()) if (status.code === code) length += nodeCount;
    const wanted = this.#groups.withCode(code);
    const walk: NodeList['walk'] = (offset, visit) => {
      const nodes = this.#snapshot.nodeInfos();
      let position = this.#positionOf(wanted, length, offset);
      for (let left = length; left > 0; position++) {
        if (position >= nodes.length) position = 0;
        if (!wanted.has(this.#slots[position] ?? 0)) continue;
        left--;
        if (!visit(nodes[position] as NodeInfo)) return;
      }
    };
    if (this.#columns === null) return { length, walk };
    const columns = this.#columns;
    const slots: NodeSlots = {
      count: this.#groups.slotCount,
      end: columns.changes.end,
      changedSince: (cursor) => columns.changes.since(cursor, ANY_CHANGE),
      nodeAt: (slot) => columns.nodeAt(slot) as NodeInfo,
      length,
      order: this.#slots,
      positionOf: (offset) => this.#positionOf(wanted, length, offset),
      has: length === this.#slots.length ? null : (slot) => wanted.has(slot),
    };
    return { length, walk, slots };
  }

  statusOf(nodeName: string): Status | null {
    const node = this.#snapshot.node(nodeName);
    return node === undefined ? null : this.#groups.status(node.slot);
  }

  *distinct(): Iterable<Status> {
    for (const { status } of this.#groups.inUse()) yield status;
  }

  /** The position of the slot that is wanted and number `offset` of those, of which there are `length`. */
  #positionOf(wanted: SlotsOfCode, length: number, offset: number): number {
    return length === this.#slots.length ? offset : wanted.positionAfter(offset, this.#slots);
  }
}
