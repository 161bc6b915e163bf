import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KernelKind } from '../../src/kernels/load.ts';
import {
  DOUBLE_LIMIT,
  INTEGER_LIMIT,
  type ResourceAnswers,
  type ResourceColumns,
  type ResourceSlots,
  resourceCases,
  type ScoreSlots,
  scoreCases,
} from './cases.ts';
import { expectedResourceAnswers, expectedScoreAnswers } from './expected.ts';
import { KernelRunner } from './kernel-runner.ts';

const kinds: readonly KernelKind[] = ['scalar', 'simd'];
const runners = { scalar: new KernelRunner('scalar'), simd: new KernelRunner('simd') };
const FILL = -123_456_789;

/** An amount in [least, limit], often 0 or at an end. */
function amount(limit: number, least = 0): fc.Arbitrary<number> {
  const any = fc.integer({ min: least, max: limit });
  return fc.oneof(fc.constantFrom(0, 1, 100, limit - 1, limit), fc.integer({ min: 0, max: 300 }), any);
}

/**
 * Allocatable and requested of one slot: anything, nearly the same, or within 1 of a whole percent, where scores
 * change.
 */
function usage(limit: number, least = 0): fc.Arbitrary<[number, number]> {
  const nearby = fc.integer({ min: -1, max: 1 });
  const close = fc
    .tuple(amount(limit, least), nearby)
    .map(([a, d]): [number, number] => [a, Math.min(limit, Math.max(0, a + d))]);
  const wholePercent = fc
    .tuple(amount(Math.floor(limit / 100), least && Math.ceil(least / 100)), fc.integer({ min: 0, max: 99 }), nearby)
    .map(([unit, percent, d]): [number, number] => [100 * unit, Math.max(least, unit * percent + d)]);
  return fc.oneof(fc.tuple(amount(limit, least), amount(limit, least)), close, wholePercent);
}

function columns(slotCount: number, limit: number, least = 0): fc.Arbitrary<ResourceColumns> {
  const slots = fc.array(usage(limit, least), { minLength: slotCount, maxLength: slotCount });
  return fc
    .record({
      slots,
      podRequest: fc.oneof(fc.constant(0), amount(limit, least)),
      weight: fc.integer({ min: 0, max: 100 }),
    })
    .map((r) => ({
      allocatable: r.slots.map(([allocatable]) => allocatable),
      requested: r.slots.map(([, requested]) => requested),
      podRequest: r.podRequest,
      weight: r.weight,
    }));
}

function resourceSlots(exact: boolean, signed = false): fc.Arbitrary<ResourceSlots> {
  const limit = exact ? INTEGER_LIMIT : DOUBLE_LIMIT;
  return fc.integer({ min: 0, max: 24 }).chain((count) =>
    fc.record({
      mask: fc.array(fc.constantFrom(0, 1, 1, 1, 255), { minLength: count, maxLength: count }),
      resources: fc.array(columns(count, limit, signed ? -limit : 0), { maxLength: 4 }),
      table: fc.array(fc.constantFrom(0, 1, 2, 49, 50, 99, 100), { minLength: 101, maxLength: 101 }),
      exact: fc.constant(exact),
    }),
  );
}

const int32 = fc.oneof(fc.integer({ min: -3, max: 103 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));

const scoreSlots: fc.Arbitrary<ScoreSlots> = fc.integer({ min: 0, max: 24 }).chain((count) => {
  const lengths = { minLength: count, maxLength: count };
  return fc.record({
    raw: fc.array(int32, lengths),
    feasible: fc.array(fc.boolean(), lengths),
    total: fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), int32), lengths),
    order: fc.array(fc.oneof(fc.integer({ min: 0, max: 30 }), int32), lengths),
    max: int32,
    weight: int32,
    best: fc.integer({ min: 0, max: 3 }),
  });
});

const offsets = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }));

/** The answers for the slots in [from, to) of answers for all slots; counts are those of the range. */
function cut(answers: ResourceAnswers, from: number, to: number): ResourceAnswers {
  const feasible = answers.feasible.slice(from, to);
  return {
    feasible,
    feasibleCount: feasible.filter((value) => value === -1).length,
    reasons: answers.reasons.map((reasons) => reasons.slice(from, to)),
    least: answers.least.slice(from, to),
    most: answers.most.slice(from, to),
    ratio: answers.ratio.slice(from, to),
    balanced: answers.balanced.slice(from, to),
  };
}

/** Expected score answers of a range: they are computed from the slots in the range alone. */
function expectedScoresOf(slots: ScoreSlots, from: number, to: number) {
  const part = <T>(column: readonly T[]): T[] => column.slice(from, to);
  const { raw, feasible, total, order } = slots;
  const inRange = { ...slots, raw: part(raw), feasible: part(feasible), total: part(total), order: part(order) };
  const answers = expectedScoreAnswers(inRange, FILL);
  const [best, count, winner] = answers.selected;
  return {
    ...answers,
    selected: [best, count, winner < 0 ? winner : winner + from],
    ties: answers.ties.map((slot) => slot + from),
  };
}

describe.each(kinds)('%s kernels', (kind) => {
  const runner = runners[kind];

  it.each(resourceCases)('answer: $name', ({ slots, answers }) => {
    const got = runner.askResources(slots, { from: 0, to: slots.mask.length });
    expect(got).toMatchObject(answers);
    expect(got).toEqual(expectedResourceAnswers(slots));
  });

  it.each(scoreCases)('answer: $name', ({ slots, answers }) => {
    const got = runner.askScores(slots, FILL, { from: 0, to: slots.raw.length });
    expect(got).toMatchObject(answers);
    expect(got).toEqual(expectedScoreAnswers(slots, FILL));
  });

  it.each([false, true])('equal 64-bit integers and plain doubles on any range (exact: %s)', (exact) => {
    fc.assert(
      fc.property(resourceSlots(exact), offsets, (slots, [from, left]) => {
        const to = slots.mask.length - left;
        const got = runner.askResources(slots, { from, to });
        expect(got).toEqual(cut(expectedResourceAnswers(slots), from, Math.max(from, to)));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('normalise, add, select and collect like plain integers on any range', () => {
    fc.assert(
      fc.property(scoreSlots, offsets, (slots, [from, left]) => {
        const to = slots.raw.length - left;
        const got = runner.askScores(slots, FILL, { from, to });
        expect(got).toEqual(expectedScoresOf(slots, from, Math.max(from, to)));
      }),
      { seed: 2, numRuns: 300 },
    );
  });
});

describe('both builds', () => {
  it.each([false, true])('agree where amounts are negative, which no node has (exact: %s)', (exact) => {
    fc.assert(
      fc.property(resourceSlots(exact, true), offsets, (slots, [from, left]) => {
        const range = { from, to: slots.mask.length - left };
        expect(runners.simd.askResources(slots, range)).toEqual(runners.scalar.askResources(slots, range));
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});
