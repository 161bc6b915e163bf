import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DueHeap, type DueItem } from '../../src/lib/due-heap.ts';

const steps = fc.array(
  fc.record({
    op: fc.constantFrom('push', 'push', 'push', 'pop', 'remove'),
    which: fc.nat(1000),
    dueMillis: fc.nat(8),
  }),
  { maxLength: 300 },
);

function firstOf(items: readonly DueItem[]): DueItem | undefined {
  return [...items].sort((a, b) => a.dueMillis - b.dueMillis || a.sequence - b.sequence)[0];
}

it('DueHeap does what a sorted list does', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const heap = new DueHeap<DueItem>();
      const model: DueItem[] = [];
      for (const [sequence, { op, which, dueMillis }] of script.entries()) {
        const chosen = model[which % Math.max(model.length, 1)];
        if (op === 'push') {
          const item = { dueMillis, sequence, heapIndex: -1 };
          heap.push(item);
          model.push(item);
        } else if (op === 'pop') {
          const first = firstOf(model);
          expect(heap.pop()).toBe(first);
          if (first !== undefined) model.splice(model.indexOf(first), 1);
        } else if (chosen !== undefined) {
          heap.remove(chosen);
          heap.remove(chosen);
          model.splice(model.indexOf(chosen), 1);
          expect(chosen.heapIndex).toBe(-1);
        }
        expect(heap.length).toBe(model.length);
        expect(heap.peek()).toBe(firstOf(model));
      }
    }),
  );
});
