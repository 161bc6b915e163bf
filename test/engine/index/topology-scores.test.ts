import { describe, expect, test } from 'vitest';
import {
  accepts,
  normalizedAffinity,
  normalizedSpread,
  rawAffinity,
  rawSpread,
} from '../../../src/engine/index/topology-scores.ts';
import type { DomainCount } from '../../../src/memory/domain-counter.ts';

/** Counts that only stand for themselves. */
const [a, b] = [{}, {}] as [DomainCount, DomainCount];
const reading =
  (ofA: number, ofB = 0) =>
  (count: DomainCount) =>
    count === a ? ofA : ofB;

describe('a rule', () => {
  const bound = { kind: 'fixed' } as const;
  const rule = { count: a, absentFits: false, isExclusion: false, bound, least: () => 1, most: () => 3 };

  test('is kept between its bounds, both included', () => {
    expect([0, 1, 3, 4].map((pods) => accepts(rule, reading(pods)))).toEqual([false, true, true, false]);
  });

  test('says by itself what holds outside of every domain', () => {
    expect(accepts(rule, reading(-1))).toBe(false);
    expect(accepts({ ...rule, absentFits: true }, reading(-1))).toBe(true);
  });

  test('is asked for its bounds each time', () => {
    let most = 3;
    const moving = { ...rule, most: () => most };
    expect(accepts(moving, reading(3))).toBe(true);
    most = 2;
    expect(accepts(moving, reading(3))).toBe(false);
  });
});

describe('the score of spread constraints', () => {
  test('grows with pods, by the logarithm of how many domains there are', () => {
    // ln(3 + 2) = 1.609, ln(0 + 2) = 0.693
    expect(rawSpread([{ count: a, maxSkew: 1 }], [3], reading(10))).toBe(16);
    expect(rawSpread([{ count: a, maxSkew: 1 }], [0], reading(10))).toBe(7);
    expect(rawSpread([{ count: a, maxSkew: 1 }], [], reading(10))).toBe(7);
  });

  test('sums constraints, each with its skew, and rounds once', () => {
    const scores = [
      { count: a, maxSkew: 1 },
      { count: b, maxSkew: 4 },
    ];
    // 1.609 + (1.386 + 3) = 5.995
    expect(rawSpread(scores, [3, 2], reading(1, 1))).toBe(6);
    expect(rawSpread(scores, [3, 2], reading(0, 0))).toBe(3);
    expect(rawSpread([], [], reading(1))).toBe(0);
  });

  test('is normalised so that fewer pods are better', () => {
    expect([2, 6, 10].map((raw) => normalizedSpread(raw, 2, 10))).toEqual([100, 60, 20]);
    expect(normalizedSpread(5, 5, 5)).toBe(100);
    expect(normalizedSpread(0, 0, 0)).toBe(100);
    expect(normalizedSpread(1, 0, 3)).toBe(66);
  });
});

describe('the score of preferred terms', () => {
  const scores = [
    { count: a, weight: 10 },
    { count: b, weight: -3 },
  ];

  test('is the weighted sum of pods', () => {
    expect(rawAffinity(scores, reading(2, 5))).toBe(5);
    expect(rawAffinity([], reading(2))).toBe(0);
  });

  test('leaves out terms without a domain', () => {
    expect(rawAffinity(scores, reading(-1, 1))).toBe(-3);
    expect(rawAffinity(scores, reading(-1, -1))).toBe(0);
  });

  test('is normalised between the least and the most; 0 when all are alike', () => {
    expect([-4, 0, 4].map((raw) => normalizedAffinity(raw, -4, 4))).toEqual([0, 50, 100]);
    expect(normalizedAffinity(1, 0, 3)).toBe(33);
    expect(normalizedAffinity(7, 7, 7)).toBe(0);
  });
});
