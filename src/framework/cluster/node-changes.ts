/** The reason for which a node is in the feed. */
export type ChangeReason = 'node' | 'pods' | 'ports' | 'storage' | 'nominations' | 'replaced';

/** Changes of the Node object, or of its images in the snapshot. */
export const NODE_ONLY: readonly ChangeReason[] = ['node'];
/** Changes of nodes, and any pods that came or went. */
export const NODE_AND_PODS: readonly ChangeReason[] = ['node', 'pods'];
/** Changes of nodes, and pods with host ports that came or went. */
export const NODE_AND_PORTS: readonly ChangeReason[] = ['node', 'ports'];
/** Changes of nodes, and pods with claims or disks that came or went. */
export const NODE_AND_STORAGE: readonly ChangeReason[] = ['node', 'storage'];

/** Changes of nodes, and any pods that came or went, or are nominated for the node or no longer. */
export const NODE_PODS_AND_NOMINATIONS: readonly ChangeReason[] = ['node', 'pods', 'nominations'];
/** Every change of a node, of its pods and their objects, and of its nominations: all that changes its generation. */
export const ANY_CHANGE: readonly ChangeReason[] = ['node', 'pods', 'nominations', 'replaced'];

const NO_CHANGES: readonly number[] = [];
const MIN_LIMIT = 1024;
/** Among no more slots than these a slot is found sooner by looking at each than by a set. */
const FEW = 16;

/** The changes for one reason: slots, and their positions in the feed. */
class ReasonLog {
  slots: number[] = [];
  positions: number[] = [];
  /** The changes before this position have been dropped. */
  firstPosition = 0;

  append(slot: number, position: number, limit: number): void {
    if (this.slots.length >= limit) {
      this.firstPosition = position;
      this.slots = [];
      this.positions = [];
    }
    this.slots.push(slot);
    this.positions.push(position);
  }

  /** The index of the first change at the cursor or after it. */
  indexOf(cursor: number): number {
    let index = this.positions.length;
    while (index > 0 && (this.positions[index - 1] ?? 0) >= cursor) index--;
    return index;
  }
}

/**
 * THE FEED of changed nodes: slots in the order of their changes, with their reasons, for readers that catch up when
 * they are used. A reader keeps one cursor, and names the reasons that matter to it. For each reason about as many
 * changes are kept as there are nodes; a reader that is further behind has to start over.
 *
 *   position     0    1    2    3    4    5  │ end
 *   node         a              b            │        a reader at cursor 2, of both reasons: b c a
 *   pods              a    c         c    a  │        a reader at cursor 4, of nodes: nothing
 */
export class NodeChanges {
  readonly #logs = {
    node: new ReasonLog(),
    pods: new ReasonLog(),
    ports: new ReasonLog(),
    storage: new ReasonLog(),
    nominations: new ReasonLog(),
    replaced: new ReasonLog(),
  };
  #end = 0;

  /** The cursor of a reader that has seen everything. */
  get end(): number {
    return this.#end;
  }

  /** `nodes`: the number of nodes. With more changes than nodes, starting over is cheaper than catching up. */
  append(slot: number, reason: ChangeReason, nodes: number): void {
    this.#logs[reason].append(slot, this.#end++, Math.max(MIN_LIMIT, nodes));
  }

  /**
   * Returns the slots that have changed since `cursor` for one of the reasons, each once; null if some of these changes
   * have been dropped, or there are more than `most`.
   */
  since(cursor: number, reasons: readonly ChangeReason[], most = Number.POSITIVE_INFINITY): readonly number[] | null {
    if (cursor === this.#end) return NO_CHANGES;
    const slots: number[] = [];
    for (const reason of reasons) {
      const log = this.#logs[reason];
      if (cursor < log.firstPosition) return null;
      const index = log.indexOf(cursor);
      if (slots.length + log.slots.length - index > most) return null;
      for (let i = index; i < log.slots.length; i++) slots.push(log.slots[i] as number);
    }
    return slots.length > FEW ? [...new Set(slots)] : slots.filter((slot, i) => slots.indexOf(slot) === i);
  }
}
