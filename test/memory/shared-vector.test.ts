import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SharedMemory } from '../../src/memory/shared-memory.ts';
import { SharedVector } from '../../src/memory/shared-vector.ts';

describe('SharedVector', () => {
  test('elements beyond its length are 0', () => {
    const vector = new SharedVector(new SharedMemory());
    expect([vector.get(0), vector.get(1_000_000)]).toEqual([0, 0]);
  });

  test('growing keeps what is there, clears what is new, and gives the old bytes back', () => {
    const memory = new SharedMemory();
    const vector = new SharedVector(memory);
    vector.add(15, 7);
    const { pointer } = vector;
    vector.reserve(16);
    expect(vector.pointer).toBe(pointer);
    vector.reserve(17);
    expect(vector.pointer).not.toBe(pointer);
    expect(vector.values.length).toBeGreaterThanOrEqual(17);
    expect([...vector.values].filter((value) => value !== 0)).toEqual([7]);
    expect(vector.get(15)).toBe(7);
    // The next vector of the first length takes the place that was left, without what stood there.
    const next = new SharedVector(memory);
    expect(next.pointer).toBe(pointer);
    expect(next.values.every((value) => value === 0)).toBe(true);
  });

  test('several vectors in one memory hold what plain arrays hold', () => {
    const step = fc.record({ vector: fc.nat(2), index: fc.nat(90), delta: fc.integer() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const memory = new SharedMemory();
        const vectors = [0, 1, 2].map(() => new SharedVector(memory));
        const model = [0, 1, 2].map(() => new Int32Array(91));
        for (const { vector, index, delta } of steps) {
          vectors[vector]?.reserve(index + 1);
          vectors[vector]?.add(index, delta);
          const expected = model[vector];
          if (expected !== undefined) expected[index] = (expected[index] ?? 0) + delta;
        }
        vectors.forEach((vector, i) => {
          expect(Array.from({ length: 91 }, (_, index) => vector.get(index))).toEqual([...(model[i] ?? [])]);
          expect(vector.values.byteOffset).toBe(vector.pointer);
        });
      }),
    );
  });
});
