import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_BYTES, COLUMNS, FAN, FIELD } from '../../src/engine/index/layout.ts';
import type { KernelKind } from '../../src/kernels/load.ts';
import { KernelArena } from './kernel-arena.ts';

const kinds: readonly KernelKind[] = ['scalar', 'simd'];
const ROW_BYTES = 2 * COLUMNS;

/** Rows of eight totals: few different ones, so that many are best, or anything that fits. */
const total = fc.oneof(fc.integer({ min: -1, max: 2 }), fc.integer({ min: -1, max: 2 ** 15 - 1 }));
const rows = fc.integer({ min: 1, max: 37 }).chain((blocks) => {
  const row = fc.array(total, { minLength: COLUMNS, maxLength: COLUMNS });
  return fc.array(row, { minLength: blocks * FAN, maxLength: blocks * FAN });
});

/** Each level has the column-wise maxima of 16 rows of the level below, and -1 up to a multiple of 16. */
function levelsOf(base: readonly (readonly number[])[]): number[][][] {
  const levels: number[][][] = [base.map((row) => [...row])];
  for (let below = base; below.length > 1 || levels.length === 1; ) {
    const maxima = Array.from({ length: Math.ceil(below.length / FAN) }, (_, i) =>
      Array.from({ length: COLUMNS }, (_, column) =>
        Math.max(...below.slice(i * FAN, (i + 1) * FAN).map((row) => row[column] as number)),
      ),
    );
    levels.push(maxima);
    below = maxima;
  }
  return levels;
}

const padded = (level: readonly (readonly number[])[]): number[] => {
  const missing = Math.ceil(level.length / FAN) * FAN - level.length;
  return [...level.flat(), ...new Array<number>(missing * COLUMNS).fill(-1)];
};

describe.each(kinds)('the %s kernels for the tree of maxima', (kind) => {
  const arena = new KernelArena(kind);
  const { kernels } = arena;

  /** A block of nothing but rows and empty levels, in one piece. */
  function block(base: readonly (readonly number[])[]) {
    arena.clear();
    const expected = levelsOf(base);
    const record = arena.record(BLOCK_BYTES);
    const sizes = expected.map((level) => padded(level).length);
    const whole = arena.i16(new Array<number>(sizes.reduce((sum, size) => sum + size, 0)).fill(-1));
    whole.set(base.flat());
    const ends = sizes.map((_, level) => sizes.slice(0, level + 1).reduce((sum, size) => sum + size, 0));
    const levels = ends.map((end, level) => whole.subarray(ends[level - 1] ?? 0, end));
    record.setUint32(FIELD.rows, whole.byteOffset, true);
    record.setInt32(FIELD.levelCount, levels.length - 1, true);
    levels.slice(1).forEach((level, i) => {
      record.setUint32(FIELD.levels + i * 4, level.byteOffset, true);
    });
    return { pointer: record.byteOffset, levels, upper: whole.subarray(base.length * COLUMNS), expected };
  }

  it('buildTree writes every maximum and nothing else', () => {
    fc.assert(
      fc.property(rows, (base) => {
        const { pointer, levels, upper, expected } = block(base);
        arena.run([upper], () => kernels.buildTree(pointer, 1, base.length));
        expect(levels.map((level) => [...level])).toEqual(expected.map(padded));
      }),
      { numRuns: 60 },
    );
  });

  it('listBest finds the first best rows in order, as many as are wanted', () => {
    fc.assert(
      fc.property(rows, fc.nat(COLUMNS - 1), fc.integer({ min: 1, max: 40 }), (base, column, limit) => {
        const { pointer } = block(base);
        kernels.buildTree(pointer, 1, base.length);
        const totals = base.map((row) => row[column] as number);
        const best = Math.max(...totals);
        if (best < 0) return;
        const out = arena.i32(totals.map(() => -9));
        const expected = totals.flatMap((each, slot) => (each === best ? [slot] : [])).slice(0, limit);
        const count = arena.run([out.subarray(0, expected.length)], () =>
          kernels.listBest(pointer, column, out.byteOffset, limit),
        );
        expect([...out.subarray(0, count)]).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('selectBestTotal: the best of a range, how many have it, and who of them is earliest', () => {
    const slots = fc
      .array(fc.record({ total, order: fc.integer({ min: 0, max: 60 }) }), { maxLength: 45, size: 'max' })
      .chain((all) => fc.record({ all: fc.constant(all), from: fc.nat(9), left: fc.nat(9), isOrdered: fc.boolean() }));
    fc.assert(
      fc.property(slots, ({ all: inAnyOrder, from, left, isOrdered }) => {
        const all = isOrdered ? inAnyOrder.map((slot, i) => ({ ...slot, order: i })) : inAnyOrder;
        arena.clear();
        const totals = arena.i16(all.map(({ total: each }) => each));
        const order = arena.i32(all.map((slot) => slot.order));
        const out = arena.i32([-9, -9, -9]);
        const to = all.length - left;
        const [totalsAt, orderAt, outAt] = [totals.byteOffset, order.byteOffset, out.byteOffset];
        arena.run([out], () => kernels.selectBestTotal(totalsAt, orderAt, isOrdered ? 1 : 0, outAt, from, to));
        const feasible = [...all.entries()].filter(([i, slot]) => i >= from && i < to && slot.total >= 0);
        const best = Math.max(-1, ...feasible.map(([, slot]) => slot.total));
        const winners = feasible.filter(([, slot]) => slot.total === best);
        // Stable: of equal orders the lower slot comes first.
        const [winner = [-1]] = winners.toSorted(([, a], [, b]) => a.order - b.order);
        expect([...out]).toEqual([best, winners.length, winner[0]]);
      }),
      { numRuns: 300 },
    );
  });

  it('rows take as many bytes as the layout says', () => {
    expect(block([[1, 2, 3, 4, 5, 6, 7, 8]]).levels[0]?.byteLength).toBe(FAN * ROW_BYTES);
  });
});
