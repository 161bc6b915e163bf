import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scoreOfPercentTable } from '../../../src/plugins/node-resources/scoring-strategy.ts';

describe('the table of a RequestedToCapacityRatio shape', () => {
  const at = (points: [number, number][], ...percents: number[]) => {
    const table = scoreOfPercentTable(points.map(([utilization, score]) => ({ utilization, score })));
    return percents.map((percent) => table[percent]);
  };

  test('rises and falls along straight lines', () => {
    expect(
      at(
        [
          [0, 0],
          [100, 10],
        ],
        0,
        1,
        50,
        99,
        100,
      ),
    ).toEqual([0, 1, 50, 99, 100]);
    expect(
      at(
        [
          [0, 10],
          [100, 0],
        ],
        0,
        1,
        50,
        100,
      ),
    ).toEqual([100, 99, 50, 0]);
    expect(
      at(
        [
          [0, 0],
          [50, 10],
          [100, 0],
        ],
        25,
        50,
        51,
        75,
      ),
    ).toEqual([50, 100, 98, 50]);
  });

  test('is flat outside its points', () => {
    expect(
      at(
        [
          [30, 2],
          [70, 8],
        ],
        0,
        30,
        50,
        70,
        100,
      ),
    ).toEqual([20, 20, 50, 80, 80]);
    expect(at([[40, 7]], 0, 40, 100)).toEqual([70, 70, 70]);
    expect(at([], 0, 100)).toEqual([0, 0]);
  });

  test('cuts towards zero from the left point, on slopes in both directions', () => {
    // 10 / 3 = 3.33 a percent
    expect(
      at(
        [
          [0, 0],
          [3, 1],
        ],
        1,
        2,
      ),
    ).toEqual([3, 6]);
    expect(
      at(
        [
          [0, 1],
          [3, 0],
        ],
        1,
        2,
      ),
    ).toEqual([7, 4]);
  });

  test('stays between the lowest and the highest point, and meets each of them', () => {
    const points = fc.uniqueArray(fc.record({ utilization: fc.nat(100), score: fc.nat(10) }), {
      selector: ({ utilization }) => utilization,
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(points, (unsorted) => {
        const shape = unsorted.toSorted((a, b) => a.utilization - b.utilization);
        const table = scoreOfPercentTable(shape);
        const scores = shape.map(({ score }) => score * 10);
        expect(table).toHaveLength(101);
        expect(Math.min(...table)).toBe(Math.min(...scores));
        expect(Math.max(...table)).toBe(Math.max(...scores));
        expect(shape.map(({ utilization }) => table[utilization])).toEqual(scores);
      }),
    );
  });
});
