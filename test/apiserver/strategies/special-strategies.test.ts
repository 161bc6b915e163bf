import { expect, it } from 'vitest';
import type { StrategyContext } from '../../../src/apiserver/strategies/kind-strategy.ts';
import { SPECIAL_STRATEGIES } from '../../../src/apiserver/strategies/special-strategies.ts';

const context = { now: '2026-01-01T00:00:05Z' } as StrategyContext;

it('a taint of a device gets the time when it was written, unless it says when it was added', () => {
  const { prepareCreate, prepareUpdate } = SPECIAL_STRATEGIES['ResourceSlice.resource.k8s.io'] ?? {};
  const slice = () => ({
    spec: {
      devices: [{ name: 'a' }, { name: 'b', taints: [{ key: 'k' }, { key: 'l', timeAdded: '2025-01-01T00:00:00Z' }] }],
    },
  });
  const [created, updated] = [slice(), slice()];
  prepareCreate?.(created, context);
  prepareUpdate?.(updated, slice(), context);
  for (const { spec } of [created, updated]) {
    expect(spec.devices[1]?.taints).toEqual([
      { key: 'k', timeAdded: '2026-01-01T00:00:05Z' },
      { key: 'l', timeAdded: '2025-01-01T00:00:00Z' },
    ]);
  }
});
