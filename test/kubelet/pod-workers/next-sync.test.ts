import { expect, test } from 'vitest';
import { nextSyncMillis } from '../../../src/kubelet/pod-workers/sync-result.ts';

const error = (retryAtMillis?: number) => ({ type: 'error', error: { message: '', retryAtMillis } }) as const;

test.each([
  [{ type: 'phase transition' }, 0, 0],
  [{ type: 'success' }, 60_000, 90_000],
  [error(), 10_000, 15_000],
  [error(1000), 0, 0],
  [error(25_000), 20_000, 30_000],
  [error(500_000), 60_000, 90_000],
] as const)('%j: between %d and %d ms', (cause, low, high) => {
  expect(nextSyncMillis(cause, 5000, 0)).toBe(low);
  expect(nextSyncMillis(cause, 5000, 0.999_999_999)).toBeGreaterThanOrEqual(high === 0 ? 0 : high - 1);
  expect(nextSyncMillis(cause, 5000, 0.999_999_999)).toBeLessThanOrEqual(high);
});
