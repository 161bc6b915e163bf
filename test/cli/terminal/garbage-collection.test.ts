import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { collectYoungGarbage } from '../../../src/cli/terminal/garbage-collection.ts';

function youngBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return space?.space_used_size ?? Number.NaN;
}

it('makes old what is young and still used', () => {
  const kept = Array.from({ length: 20_000 }, (_, i) => ({ i }));
  expect(youngBytes()).toBeGreaterThan(200_000);
  collectYoungGarbage();
  expect(youngBytes()).toBeLessThan(200_000);
  expect(kept).toHaveLength(20_000);
});
