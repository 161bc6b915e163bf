import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Timeline } from '../../../src/simulation/statistics/timeline.ts';

/** A timeline of one value, after these changes. */
function timelineOf(changes: readonly (readonly [millis: number, value: number])[]) {
  let value = 0;
  const timeline = new Timeline(0, () => [value]);
  for (const [millis, next] of changes) {
    timeline.beforeChange(millis);
    value = next;
  }
  return timeline;
}

const flat = (timeline: Timeline, nowMillis: number) =>
  timeline.points(nowMillis).map(({ atMillis, values }) => [atMillis, values[0]]);

describe('Timeline', () => {
  it('keeps the last value of each stretch', () => {
    const timeline = timelineOf([
      [100, 1],
      [900, 2],
      [1500, 3],
      [7000, 4],
    ]);
    expect(flat(timeline, 7300)).toEqual([
      [0, 2],
      [1000, 3],
      [7000, 4],
      [7300, 4],
    ]);
  });

  it('has at least the values now', () => {
    expect(flat(timelineOf([]), 0)).toEqual([[0, 0]]);
  });

  it('stays small and in order, and begins and ends as the value did', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100_000), { minLength: 1, maxLength: 5000 }), (gaps) => {
        let millis = 0;
        const changes = gaps.map((gap, i) => {
          millis += gap;
          return [millis, i + 1] as const;
        });
        const points = timelineOf(changes).points(millis + 1);
        expect(points.length).toBeLessThanOrEqual(1026);
        expect(points.map(({ atMillis }) => atMillis)).toEqual(
          points.map(({ atMillis }) => atMillis).toSorted((a, b) => a - b),
        );
        expect(points.at(-1)).toEqual({ atMillis: millis + 1, values: [gaps.length] });
      }),
      { numRuns: 30 },
    );
  });
});
