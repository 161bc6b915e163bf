import { expect, it } from 'vitest';
import { heapMeter } from '../../../src/cli/terminal/heap-meter.ts';

it('sees what is kept, not what was thrown away', () => {
  const meter = heapMeter();
  const before = meter.usedBytes();
  let garbage = Array.from({ length: 1000 }, (_, i) => new Array<number>(10_000).fill(i + 0.5));
  const kept = garbage.slice(0, 250);
  garbage = [];
  const grown = meter.usedBytes() - before;
  // 250 arrays of 10,000 doubles; other tests may run in this process.
  expect(grown).toBeGreaterThan(15e6);
  expect(grown).toBeLessThan(60e6);
  expect(garbage.length + kept.length).toBe(250);
  expect(meter.heapLimitBytes).toBeGreaterThan(before);
});
