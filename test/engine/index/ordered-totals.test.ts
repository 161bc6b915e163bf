import { expect, test } from 'vitest';
import { OrderedTotals } from '../../../src/engine/index/ordered-totals.ts';
import { ORDERED, ORDERED_WORDS } from '../../../src/engine/index/search-layout.ts';
import { SharedMemory } from '../../../src/memory/shared-memory.ts';

test('all totals are read from the rows at first, in another order, and after rows were written', () => {
  const memory = new SharedMemory();
  const { allocatedBytes } = memory;
  const ordered = new OrderedTotals(memory, 100);
  const words = new Int32Array(memory.memory.buffer, ordered.pointer, ORDERED_WORDS);
  const isOutdatedAfter = (change: () => void): boolean => {
    change();
    const isOutdated = words[ORDERED.cursor] === -1 && words[ORDERED.cursor + 1] === -1;
    // A kernel has brought them up to date.
    words.fill(0, ORDERED.cursor);
    return isOutdated;
  };
  expect(isOutdatedAfter(() => ordered.renew(1, 640))).toBe(true);
  expect(isOutdatedAfter(() => ordered.renew(1, 704))).toBe(false);
  expect([words[ORDERED.totals], words[ORDERED.scores]]).toEqual([ordered.pointer + ORDERED_WORDS * 4, 704]);
  expect(isOutdatedAfter(() => ordered.renew(2, 704))).toBe(true);
  expect(isOutdatedAfter(() => ordered.rowsChanged())).toBe(true);
  ordered.release();
  expect(memory.allocatedBytes).toBe(allocatedBytes);
});
