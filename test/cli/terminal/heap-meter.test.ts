import { expect, it } from 'vitest';
import { heapMeter } from '../../../src/cli/terminal/heap-meter.ts';

it('sees what is kept, not what was thrown away', () => {
  const meter = heapMeter();
  // Other tests may have run in this process; what they left may take more than one collection.
  meter.usedBytes();
  const before = meter.usedBytes();
  let garbage = Array.from({ length: 1000 }, (_, i) => new Array<number>(10_000).fill(i + 0.5));
  const kept = garbage.slice(0, 500);
  garbage = [];
  const grown = meter.usedBytes() - before;
  // 500 arrays of 10,000 doubles, of 1000.
  expect(grown).toBeGreaterThan(20e6);
  expect(grown).toBeLessThan(60e6);
  expect(garbage.length + kept.length).toBe(500);
  expect(meter.heapLimitBytes).toBeGreaterThan(before);
});
