import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KernelKind } from '../../src/kernels/load.ts';
import { KernelArena } from './kernel-arena.ts';

const kinds: readonly KernelKind[] = ['scalar', 'simd'];
const INT32_MAX = 2 ** 31 - 1;
const INT32_MIN = -(2 ** 31);
const DOMAINS = 9;

const int32 = fc.integer({ min: INT32_MIN, max: INT32_MAX });
const count = fc.oneof(fc.integer({ min: -1, max: 6 }), int32);
const isFeasible = fc.constantFrom(-1, 0);

/** Slots with their domains, counters of these domains, and a range that may be empty and start anywhere. */
const slots = fc
  .record({
    rows: fc.array(
      fc.record({
        domain: fc.integer({ min: -1, max: DOMAINS - 1 }),
        feasible: isFeasible,
        value: fc.double({ noNaN: true }),
      }),
      { maxLength: 27, size: 'max' },
    ),
    counts: fc.array(count, { minLength: DOMAINS, maxLength: DOMAINS }),
    skipped: fc.nat(5),
    left: fc.nat(5),
  })
  .map(({ rows, counts, skipped, left }) => ({
    domains: rows.map(({ domain }) => domain),
    feasible: rows.map(({ feasible }) => feasible),
    values: rows.map(({ value }) => value),
    counts,
    from: skipped,
    to: rows.length - left,
  }));

describe.each(kinds)('the %s kernels for topology', (kind) => {
  const arena = new KernelArena(kind);
  const { kernels } = arena;

  it('filterDomains: by example', () => {
    arena.clear();
    const domains = arena.i32([0, 1, 2, -1, 0, 1, 2, -1, 2]);
    const counts = arena.i32([4, 5, 6]);
    const feasible = arena.i32([-1, -1, -1, -1, 0, 0, 0, 0, -1]);
    kernels.filterDomains(domains.byteOffset, counts.byteOffset, 5, 5, 0, feasible.byteOffset, 0, 9);
    expect([...feasible]).toEqual([0, -1, 0, 0, 0, 0, 0, 0, 0]);
    feasible.fill(-1);
    kernels.filterDomains(domains.byteOffset, counts.byteOffset, INT32_MIN, 5, -1, feasible.byteOffset, 0, 9);
    expect([...feasible]).toEqual([-1, -1, 0, -1, -1, -1, 0, -1, 0]);
  });

  it('filterDomains: clears the slots whose domain counts too few or too many, in its range', () => {
    fc.assert(
      fc.property(slots, count, count, isFeasible, ({ domains, counts, feasible, from, to }, least, most, absent) => {
        arena.clear();
        const [d, c, f] = [arena.i32(domains), arena.i32(counts), arena.i32(feasible)];
        arena.run([f.subarray(from, Math.max(from, to))], () =>
          kernels.filterDomains(d.byteOffset, c.byteOffset, least, most, absent, f.byteOffset, from, to),
        );
        const expected = feasible.map((before, i) => {
          if (i < from || i >= to) return before;
          const held = counts[domains[i] as number];
          const accepted = held === undefined ? absent !== 0 : held >= least && held <= most;
          return accepted ? before : 0;
        });
        expect([...f]).toEqual(expected);
      }),
    );
  });

  it('addDomainScores: product first, then both sums, in doubles; slots without a domain keep what they have', () => {
    const factor = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(Math.log(7), 1, -100));
    fc.assert(
      fc.property(slots, factor, fc.constantFrom(0, 1, 4), ({ domains, counts, values, from, to }, factor, addend) => {
        arena.clear();
        const [d, c, out] = [arena.i32(domains), arena.i32(counts), arena.f64(values)];
        arena.run([out.subarray(from, Math.max(from, to))], () =>
          kernels.addDomainScores(d.byteOffset, c.byteOffset, factor, addend, out.byteOffset, from, to),
        );
        const expected = values.map((value, i) => {
          const held = i < from || i >= to ? undefined : counts[domains[i] as number];
          return held === undefined ? value : value + (held * factor + addend);
        });
        expect([...out]).toEqual(expected);
      }),
    );
  });

  it('leastDomainCount: of domains with members; the largest integer when there is none', () => {
    const domain = fc.record({ count, members: fc.constantFrom(0, 1, 2) });
    fc.assert(
      fc.property(fc.array(domain, { maxLength: 20 }), fc.nat(3), (all, unused) => {
        arena.clear();
        const counts = arena.i32(all.map((d) => d.count));
        const members = arena.i32(all.map((d) => d.members));
        const length = Math.max(0, all.length - unused);
        const got = arena.run([], () => kernels.leastDomainCount(counts.byteOffset, members.byteOffset, length));
        const present = all.slice(0, length).filter((d) => d.members > 0);
        expect(got).toBe(Math.min(INT32_MAX, ...present.map((d) => d.count)));
      }),
    );
  });

  it('countDomains: different domains among the slots that are scored, those without one counted together', () => {
    fc.assert(
      fc.property(slots, fc.constantFrom(0, 1), ({ domains, feasible, from, to }, countAbsent) => {
        arena.clear();
        const [d, scored, marks] = [arena.i32(domains), arena.i32(feasible), arena.i32(new Array(DOMAINS).fill(6))];
        const got = arena.run([marks], () =>
          kernels.countDomains(d.byteOffset, scored.byteOffset, marks.byteOffset, 7, countAbsent, from, to),
        );
        const seen = new Set(domains.slice(from, Math.max(from, to)).filter((_, i) => feasible[from + i] !== 0));
        const present = [...seen].filter((domain) => domain >= 0);
        expect(got).toBe(present.length + (seen.has(-1) ? countAbsent : 0));
        expect([...marks]).toEqual(Array.from({ length: DOMAINS }, (_, i) => (present.includes(i) ? 7 : 6)));
      }),
    );
  });

  it('scoredRange: least and largest value of the slots that are scored, and their number', () => {
    fc.assert(
      fc.property(slots, ({ values, feasible, from, to }) => {
        arena.clear();
        const [raw, scored, range] = [arena.f64(values.map(nonZero)), arena.i32(feasible), arena.f64([5, 5])];
        const got = arena.run([range], () =>
          kernels.scoredRange(raw.byteOffset, scored.byteOffset, range.byteOffset, from, to),
        );
        const inRange = [...raw].filter((_, i) => i >= from && i < to && feasible[i] !== 0);
        expect(got).toBe(inRange.length);
        expect([...range]).toEqual([Math.min(...inRange), Math.max(...inRange)]);
      }),
    );
  });

  it('roundScores: to the nearest integer, halves away from zero', () => {
    arena.clear();
    const raw = arena.f64([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999999999999994, 2 ** 52 + 1, 7, -0.2]);
    kernels.roundScores(raw.byteOffset, 0, 10);
    expect([...raw].map(nonZero)).toEqual([1, 2, 3, -1, -2, -3, 0, 2 ** 52 + 1, 7, 0]);

    const value = fc.oneof(
      fc.double({ noNaN: true, min: -1e16, max: 1e16 }),
      fc.integer().map((i) => i / 2),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 13 }), fc.nat(3), fc.nat(3), (values, from, left) => {
        arena.clear();
        const column = arena.f64(values);
        const to = values.length - left;
        arena.run([column.subarray(from, Math.max(from, to))], () => kernels.roundScores(column.byteOffset, from, to));
        const nearest = (v: number): number => (v < 0 ? -Math.round(-v) : Math.round(v));
        const expected = values.map((v, i) => (i < from || i >= to ? v : nearest(v)));
        expect([...column].map(nonZero)).toEqual(expected.map(nonZero));
      }),
    );
  });

  it('normalizeSpread: the integers of 100 * (most + least - raw) / most', () => {
    const limits = fc.oneof(fc.nat(12), fc.nat(100_000), fc.nat(2 ** 40));
    const column = limits.chain((limit) =>
      fc.array(fc.record({ raw: fc.nat(limit), scored: fc.constantFrom(-1, -1, -1, 0) }), { maxLength: 27 }),
    );
    fc.assert(
      fc.property(column, fc.nat(3), fc.nat(3), (rows, from, left) => {
        arena.clear();
        const to = Math.max(from, rows.length - left);
        const raw = arena.f64(rows.map((row) => row.raw));
        const scored = arena.i32(rows.map((row) => row.scored));
        const out = arena.i32(rows.map(() => 77));
        const inRange = rows.filter((row, i) => i >= from && i < to && row.scored !== 0).map((row) => row.raw);
        const [least, most] = inRange.length > 0 ? [Math.min(...inRange), Math.max(...inRange)] : [0, 0];
        arena.run([out.subarray(from, to)], () =>
          kernels.normalizeSpread(raw.byteOffset, scored.byteOffset, least, most, out.byteOffset, from, to),
        );
        const expected = rows.map((row, i) => {
          if (i < from || i >= to) return 77;
          if (row.scored === 0) return 0;
          if (most === 0) return 100;
          return Number((100n * (BigInt(most) + BigInt(least) - BigInt(row.raw))) / BigInt(most));
        });
        expect([...out]).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('normalizeRange: 100 * ((raw - least) / (most - least)) in doubles, truncated; 0 when all are equal', () => {
    const limits = fc.constantFrom(1, 3, 7, 100, 1000, 2 ** 31, 2 ** 40);
    const column = limits.chain((limit) =>
      fc.array(fc.integer({ min: -limit, max: limit }), { minLength: 1, maxLength: 27 }),
    );
    fc.assert(
      fc.property(column, fc.nat(3), fc.nat(3), (values, from, left) => {
        arena.clear();
        const to = Math.max(from, values.length - left);
        const [raw, out] = [arena.f64(values), arena.i32(values.map(() => 77))];
        const [least, most] = [Math.min(...values), Math.max(...values)];
        arena.run([out.subarray(from, to)], () =>
          kernels.normalizeRange(raw.byteOffset, least, most, out.byteOffset, from, to),
        );
        const score = (v: number): number =>
          most === least ? 0 : Math.trunc(100 * ((v - least) / (most - least))) + 0;
        expect([...out]).toEqual(values.map((v, i) => (i < from || i >= to ? 77 : score(v))));
      }),
      { numRuns: 500 },
    );
  });

  it('fillDoubles and countFeasible keep to their range', () => {
    fc.assert(
      fc.property(slots, fc.double({ noNaN: true }), ({ values, feasible, from, to }, value) => {
        arena.clear();
        const [column, mask] = [arena.f64(values), arena.i32(feasible)];
        const part = column.subarray(from, Math.max(from, to));
        arena.run([part], () => kernels.fillDoubles(column.byteOffset, value, from, to));
        expect([...column]).toEqual(values.map((v, i) => (i < from || i >= to ? v : value)));
        const got = arena.run([], () => kernels.countFeasible(mask.byteOffset, from, to));
        expect(got).toBe(feasible.slice(from, Math.max(from, to)).filter((f) => f !== 0).length);
      }),
    );
  });
});

/** -0 and 0 are the same score. */
function nonZero(value: number): number {
  return value === 0 ? 0 : value;
}
