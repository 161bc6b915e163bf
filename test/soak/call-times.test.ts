import { expect, test } from 'vitest';
import { CallTimes } from './call-times.ts';

test('quantiles are those of the sorted times, to two hundredths', () => {
  const times = new CallTimes();
  const all = Array.from({ length: 20_000 }, (_, i) => 0.002 + ((i * 7919) % 20_000) ** 2 / 1e6);
  for (const each of all) times.add(each);
  const sorted = all.toSorted((a, b) => a - b);
  expect(times).toMatchObject({ count: 20_000, maxMillis: sorted.at(-1) });
  for (const share of [0.01, 0.5, 0.99, 0.9999, 1]) {
    const exact = sorted[Math.ceil(share * 20_000) - 1] ?? 0;
    expect(times.quantile(share) / exact).toBeGreaterThanOrEqual(1 - 1e-9);
    expect(times.quantile(share) / exact).toBeLessThanOrEqual(1.02);
  }
});

test('times of nothing, and times beyond all buckets', () => {
  const times = new CallTimes();
  expect(times.quantile(0.5)).toBe(0);
  for (const each of [0, 1e12]) times.add(each);
  expect(times.quantile(0.5)).toBe(0.001);
  expect(times.quantile(1)).toBeGreaterThan(1e6);
});
