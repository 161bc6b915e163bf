import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heap, type HeapItem } from '../../src/lib/heap.ts';

interface Item extends HeapItem {
  rank: number;
  readonly sequence: number;
}

type Step = { readonly op: 'push' | 'pop' | 'remove' | 'update'; readonly which: number; readonly rank: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    op: fc.constantFrom('push', 'push', 'pop', 'remove', 'update'),
    which: fc.nat(1000),
    rank: fc.nat(8),
  }),
  { maxLength: 200 },
);

function isBefore(a: Item, b: Item): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.sequence < b.sequence);
}

function firstOf(items: readonly Item[]): Item | undefined {
  return [...items].sort((a, b) => (isBefore(a, b) ? -1 : 1))[0];
}

describe('Heap', () => {
  it('does what a sorted list does', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const heap = new Heap<Item>(isBefore);
        const model: Item[] = [];
        for (const [sequence, { op, which, rank }] of script.entries()) {
          const chosen = model[which % Math.max(model.length, 1)];
          if (op === 'push') {
            const item = { rank, sequence, heapIndex: -1 };
            heap.push(item);
            model.push(item);
          } else if (op === 'pop') {
            const first = firstOf(model);
            expect(heap.pop()).toBe(first);
            if (first !== undefined) model.splice(model.indexOf(first), 1);
          } else if (chosen !== undefined && op === 'remove') {
            heap.remove(chosen);
            model.splice(model.indexOf(chosen), 1);
            expect(chosen.heapIndex).toBe(-1);
          } else if (chosen !== undefined) {
            chosen.rank = rank;
            heap.update(chosen);
          }
          expect(heap.length).toBe(model.length);
          expect(heap.peek()).toBe(firstOf(model));
        }
      }),
    );
  });

  it('leaves alone what it does not hold', () => {
    const heap = new Heap<Item>(isBefore);
    const held = { rank: 1, sequence: 0, heapIndex: -1 };
    const stranger = { rank: 0, sequence: 1, heapIndex: -1 };
    heap.push(held);
    heap.remove(stranger);
    heap.update(stranger);
    expect(heap.pop()).toBe(held);
    expect(heap.pop()).toBeUndefined();
  });
});
