import { expect, test } from 'vitest';
import { RejectionMask } from '../../../src/engine/columns/rejection-mask.ts';
import { NodeColumns } from '../../../src/memory/node-columns.ts';
import { SharedMemory } from '../../../src/memory/shared-memory.ts';

const SLOTS = 8;

/** The slots that the mask accepts; null without a mask. */
function accepted({ mask }: RejectionMask): number[] | null {
  if (mask === null) return null;
  const { column, accepted: values } = mask;
  return Array.from({ length: SLOTS }, (_, slot) => slot).filter(
    (slot) => values.values[column.values[slot] ?? 0] === 1,
  );
}

test('a mask leaves out what this attempt has rejected, and nothing of earlier ones', () => {
  const memory = new SharedMemory();
  const { table } = new NodeColumns(memory);
  table.reserve(SLOTS);
  const rejected = new RejectionMask(memory, table, 'test');
  rejected.clear();
  expect(accepted(rejected)).toBeNull();
  for (const slot of [1, 6]) rejected.reject(slot);
  expect(accepted(rejected)).toEqual([0, 2, 3, 4, 5, 7]);
  rejected.clear();
  expect(accepted(rejected)).toBeNull();
  rejected.reject(0);
  expect(accepted(rejected)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  const marked = table.add('i32', 'marks of others');
  marked.values[3] = 1;
  expect(rejected.of(marked)).toEqual({ column: marked, accepted: rejected.mask?.accepted });
});
