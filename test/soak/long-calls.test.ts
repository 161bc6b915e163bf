import { expect, test } from 'vitest';
import { countedMillis, type LongCall, LongCalls, pausedMillis } from './long-calls.ts';

const call = (number: number, millis: number, cpuMillis = millis): LongCall => {
  return { method: 'schedule', number, startMillis: 10 * number, millis, cpuMillis, grownBytes: 0 };
};

test('the longest calls are listed, by the lesser of their two times', () => {
  const calls = new LongCalls(3);
  for (const [number, millis] of [5, 1, 7, 3, 9, 2].entries()) {
    expect(calls.leastMillis).toBe([0, 0, 0, 1, 3, 5][number]);
    calls.add(call(number, millis));
  }
  calls.add(call(6, 100, 6));
  calls.add(call(7, 4, 100));
  expect(calls.all.map(({ number }) => number)).toEqual([4, 2, 6]);
  expect(calls.all.map(countedMillis)).toEqual([9, 7, 6]);
});

test('pauses count as far as they lie in a call', () => {
  const pauses = [8, 11, 14, 30].map((startMillis) => ({ startMillis, millis: 2.5 }));
  expect(pausedMillis(call(1, 5), pauses)).toBe(0.5 + 2.5 + 1);
  expect(pausedMillis(call(1, 5), [{ startMillis: 0, millis: 100 }])).toBe(5);
  expect(pausedMillis(call(2, 5), pauses)).toBe(0);
});
