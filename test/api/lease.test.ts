import { expect, test } from 'vitest';
import { renewedMillis, SILENT_RENEWAL } from '../../src/api/lease.ts';

const START = Date.UTC(2026, 0, 1);
const spec = { renewTime: '2026-01-01T00:00:00.000000Z' };

test('a lease was renewed when it says so', () => {
  expect(renewedMillis({ spec }, START + 99_000)).toBe(START);
  expect(renewedMillis({}, START)).toBeUndefined();
});

test.each([
  [0, 0],
  [9999, 0],
  [10_000, 10_000],
  [25_000, 20_000],
  [-5000, 0],
])('one that is renewed silently every ten seconds, after %d ms: %d', (elapsed, renewed) => {
  const metadata = { annotations: { [SILENT_RENEWAL]: '10' } };
  expect(renewedMillis({ metadata, spec }, START + elapsed)).toBe(START + renewed);
});
