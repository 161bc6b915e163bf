import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeptRejections } from '../../../src/engine/columns/kept-rejections.ts';
import { RejectedSlots } from '../../../src/framework/rejected-slots.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';

const SLOTS = 8;
/** More than have columns at once. */
const KINDS = 40;

function marked(kept: KeptRejections, rejected: RejectedSlots): number[] {
  const { values } = kept.columnOf(rejected);
  return Array.from({ length: SLOTS }, (_, slot) => slot).filter((slot) => values[slot] === 1);
}

describe('KeptRejections', () => {
  it('marks what is rejected at present, whichever kinds of pods came between', () => {
    const step = fc.record({ kind: fc.nat(KINDS - 1), slot: fc.nat(SLOTS - 1), isRejected: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const kept = new KeptRejections(new EngineColumns({ plugins: [] }).columns.table);
        const kinds = Array.from({ length: KINDS }, () => new RejectedSlots());
        for (const { kind, slot, isRejected } of steps) {
          const rejected = kinds[kind] as RejectedSlots;
          if (isRejected) rejected.add(slot);
          else rejected.delete(slot);
          if (slot % 2 === 0) expect(marked(kept, rejected)).toEqual([...rejected.slots].sort((a, b) => a - b));
        }
        for (const rejected of kinds) expect(marked(kept, rejected)).toEqual([...rejected.slots].sort((a, b) => a - b));
      }),
      { numRuns: 30 },
    );
  });

  it('starts over where changes were missed', () => {
    const kept = new KeptRejections(new EngineColumns({ plugins: [] }).columns.table);
    const rejected = new RejectedSlots();
    rejected.add(1);
    expect(marked(kept, rejected)).toEqual([1]);
    for (let i = 0; i < 30_000; i++) {
      rejected.add(2);
      rejected.delete(2);
    }
    rejected.add(3);
    rejected.delete(1);
    expect(rejected.changedSince(0)).toBeNull();
    expect(marked(kept, rejected)).toEqual([3]);
  });
});
