import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KernelKind } from '../../src/kernels/load.ts';
import { KernelArena } from './kernel-arena.ts';

const kinds: readonly KernelKind[] = ['scalar', 'simd'];

/** A snapshot order over some of the slots, and who of them is feasible. */
const search = fc
  .record({ feasible: fc.array(fc.constantFrom(-1, -1, 0), { minLength: 1, maxLength: 30, size: 'max' }) })
  .chain(({ feasible }) =>
    fc.record({
      feasible: fc.constant(feasible),
      order: fc.shuffledSubarray([...feasible.keys()], { minLength: 1 }),
      start: fc.nat(feasible.length - 1),
      wanted: fc.nat(feasible.length + 1),
    }),
  )
  .map(({ feasible, order, start, wanted }) => ({
    // A slot without a node is infeasible.
    feasible: feasible.map((value, slot) => (order.includes(slot) ? value : 0)),
    ...{ order, start: start % order.length, wanted },
  }));

describe.each(kinds)('the %s kernels for sampling and ties', (kind) => {
  const arena = new KernelArena(kind);
  const { kernels } = arena;

  function collect(feasible: readonly number[], order: readonly number[], start: number, wanted: number) {
    arena.clear();
    const [o, f] = [arena.i32(order), arena.i32(feasible)];
    const [list, out] = [arena.i32(order.map(() => -9)), arena.i32([-9, -9, -9])];
    const found = arena.run([f, list.subarray(0, wanted), out], () =>
      kernels.collectWindow(
        o.byteOffset,
        order.length,
        start,
        wanted,
        f.byteOffset,
        feasible.length,
        list.byteOffset,
        out.byteOffset,
      ),
    );
    const [processed, lowest, highest] = out;
    return { list: [...list.subarray(0, found)], processed, range: [lowest, highest], feasible: [...f] };
  }

  it('collectWindow: stops at the first feasible slot too many, which does not count as dealt with', () => {
    const feasible = [-1, 0, -1, -1, 0, -1];
    expect(collect(feasible, [5, 4, 3, 2, 1, 0], 4, 2)).toEqual({
      // The search begins at position 4: slots 1 (infeasible), 0, 5, 4 (infeasible), then 3 is one too many.
      list: [0, 5],
      processed: 4,
      range: [0, 5],
      feasible: [-1, 0, 0, 0, 0, -1],
    });
    expect(collect(feasible, [5, 4, 3, 2, 1, 0], 0, 4)).toEqual({
      ...{ list: [5, 3, 2, 0], processed: 6, range: [0, 5], feasible },
    });
    expect(collect([0, 0], [1, 0], 0, 1)).toEqual({ list: [], processed: 2, range: [2, -1], feasible: [0, 0] });
  });

  it('collectWindow: equals a walk through the nodes', () => {
    fc.assert(
      fc.property(search, ({ feasible, order, start, wanted }) => {
        const expected = { list: [] as number[], processed: 0, feasible: [...feasible] };
        const walk = [...order.slice(start), ...order.slice(0, start)];
        let isOver = false;
        for (const slot of walk) {
          isOver ||= feasible[slot] !== 0 && expected.list.length === wanted;
          if (isOver) expected.feasible[slot] = 0;
          else expected.processed++;
          if (!isOver && feasible[slot] !== 0) expected.list.push(slot);
        }
        const range = [Math.min(feasible.length, ...expected.list), Math.max(-1, ...expected.list)];
        expect(collect(feasible, order, start, wanted)).toEqual({ ...expected, range });
      }),
      { numRuns: 300 },
    );
  });

  function select(totals: readonly number[], list: readonly number[]): number[] {
    arena.clear();
    const [t, l, out] = [arena.i32(totals), arena.i32(list), arena.i32([-9, -9, -9])];
    arena.run([out], () => kernels.selectHeapRoot(l.byteOffset, list.length, t.byteOffset, out.byteOffset));
    return [...out];
  }

  it('selectHeapRoot: best total, how many have it, and whom the heap brings to its root', () => {
    // The heap as a tree: 0; 1, 2; 3, 4, 5, 6. A tie on the left comes first, however deep it is.
    expect(select([1, 5, 7, 1, 7], [0, 1, 2, 3, 4])).toEqual([7, 2, 4]);
    expect(select([1, 5, 7, 7, 5], [0, 1, 2, 3, 4])).toEqual([7, 2, 3]);
    expect(select([7, 7, 7], [2, 1, 0])).toEqual([7, 3, 2]);
    expect(select([-3, -2, -2], [0, 1, 2])).toEqual([-2, 2, 1]);
    expect(select([], [])).toEqual([0, 0, -1]);
  });

  it('selectHeapRoot: equals a heap that is really built', () => {
    const total = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: 0, max: 900 }));
    const input = fc
      .array(total, { minLength: 1, maxLength: 80, size: 'max' })
      .chain((totals) => fc.tuple(fc.constant(totals), fc.shuffledSubarray([...totals.keys()], { minLength: 1 })));
    fc.assert(
      fc.property(input, ([totals, list]) => {
        const scores = list.map((slot) => totals[slot] as number);
        const best = Math.max(...scores);
        const winner = list[rootOfHeap(scores)];
        expect(select(totals, list)).toEqual([best, scores.filter((score) => score === best).length, winner]);
      }),
      { numRuns: 500 },
    );
  });
});

/** Go's heap.Init over a list that is ordered by "greater"; returns the index of the element at the root. */
function rootOfHeap(scores: readonly number[]): number {
  const heap = [...scores.keys()];
  const isLess = (a: number, b: number): boolean =>
    (scores[heap[a] as number] as number) > (scores[heap[b] as number] as number);
  for (let start = Math.floor(heap.length / 2) - 1; start >= 0; start--) {
    for (let i = start; 2 * i + 1 < heap.length; ) {
      let child = 2 * i + 1;
      if (child + 1 < heap.length && isLess(child + 1, child)) child++;
      if (!isLess(child, i)) break;
      [heap[i], heap[child]] = [heap[child] as number, heap[i] as number];
      i = child;
    }
  }
  return heap[0] as number;
}
