import type { NodeFeed } from '../../framework/plugin.ts';
import { getOrMake } from '../../lib/get-or-make.ts';

interface FollowedLabel {
  readonly bySlot: (string | undefined)[];
  readonly slots: Map<string, Set<number>>;
  cursor: number;
}

const NO_SLOTS: ReadonlySet<number> = new Set();

/** The slots of nodes by the values of labels. A label is followed from the moment in which somebody asks for it. */
export class NodesByLabel {
  readonly #labels = new Map<string, FollowedLabel>();

  slotsOf(key: string, value: string, nodes: NodeFeed): ReadonlySet<number> {
    const label = getOrMake(this.#labels, key, () => ({ bySlot: [], slots: new Map(), cursor: -1 }));
    const changed = label.cursor < 0 ? null : nodes.nodesChangedSince(label.cursor);
    label.cursor = nodes.end;
    for (const slot of changed ?? allSlots(nodes)) move(label, slot, nodes.nodeAt(slot)?.node.metadata?.labels?.[key]);
    return label.slots.get(value) ?? NO_SLOTS;
  }
}

export function allSlots({ slotCount }: NodeFeed): Iterable<number> {
  return Array(slotCount).keys();
}

function move({ bySlot, slots }: FollowedLabel, slot: number, value: string | undefined): void {
  const before = bySlot[slot];
  if (before === value) return;
  bySlot[slot] = value;
  if (before !== undefined) {
    const others = slots.get(before);
    others?.delete(slot);
    if (others?.size === 0) slots.delete(before);
  }
  if (value !== undefined) getOrMake(slots, value, () => new Set()).add(slot);
}
