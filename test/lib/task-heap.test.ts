import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TaskHeap, type Timer } from '../../src/lib/task-heap.ts';

describe('TaskHeap', () => {
  it('gives what one sorted list of all tasks would give, whatever is added, taken and cancelled between', () => {
    const step = fc.oneof(
      fc.record({ what: fc.constant('add' as const), delay: fc.constantFrom(-1, 0, 0, 0, 1, 2) }),
      fc.record({ what: fc.constant('take' as const) }),
      fc.record({ what: fc.constant('cancel' as const), which: fc.nat() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const heap = new TaskHeap();
        const timers: Timer[] = [];
        let waiting: { id: number; dueMillis: number }[] = [];
        let nowMillis = 0;
        for (const each of steps) {
          if (each.what === 'add') {
            const dueMillis = nowMillis + each.delay;
            waiting.push({ id: timers.length, dueMillis });
            timers.push(heap.add(dueMillis, () => {}));
          } else if (each.what === 'cancel' && timers.length > 0) {
            // The timer may have run, or may have been cancelled before.
            const id = each.which % timers.length;
            timers[id]?.cancel();
            waiting = waiting.filter((other) => other.id !== id);
          } else if (each.what === 'take') {
            const [first] = waiting.toSorted((a, b) => a.dueMillis - b.dueMillis || a.id - b.id);
            const taken = heap.take();
            expect(taken && { id: taken.sequence, dueMillis: taken.dueMillis }).toEqual(first);
            waiting = waiting.filter((other) => other !== first);
            nowMillis = Math.max(nowMillis, first?.dueMillis ?? nowMillis);
          }
          expect(heap.length).toBe(waiting.length);
          expect(heap.nextMillis).toBe(Math.min(Number.POSITIVE_INFINITY, ...waiting.map((task) => task.dueMillis)));
        }
      }),
    );
  });
});
