import { expect, test } from 'vitest';
import { nextSyncMillis, type SyncError } from '../../../src/kubelet/pod-workers/sync-result.ts';

const error = (kind: SyncError['kind'], retryAtMillis?: number) =>
  ({ type: 'error', error: { kind, message: '', retryAtMillis } }) as const;

test.each([
  [{ type: 'phase transition' }, 0, 0],
  [{ type: 'success' }, 60_000, 90_000],
  [error('network-not-ready'), 1000, 1500],
  [error('other'), 10_000, 15_000],
  [error('back-off', 1000), 0, 0],
  [error('back-off', 25_000), 20_000, 30_000],
  [error('back-off', 500_000), 60_000, 90_000],
] as const)('%j: between %d and %d ms', (cause, low, high) => {
  expect(nextSyncMillis(cause, 5000, 0)).toBe(low);
  expect(nextSyncMillis(cause, 5000, 0.999_999_999)).toBeGreaterThanOrEqual(high === 0 ? 0 : high - 1);
  expect(nextSyncMillis(cause, 5000, 0.999_999_999)).toBeLessThanOrEqual(high);
});
