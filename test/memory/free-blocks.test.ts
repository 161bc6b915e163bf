import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FreeBlocks } from '../../src/memory/free-blocks.ts';

describe('FreeBlocks', () => {
  test('takes the front of a block, and keeps the rest', () => {
    const free = new FreeBlocks();
    free.add(100, 50);
    expect([free.take(20), free.take(30), free.take(1)]).toEqual([100, 120, -1]);
  });

  test('finds a block of exactly the size, whatever the size', () => {
    for (const size of [1, 7, 8, 9, 15, 16, 17, 100, 1000, 65_535, 2 ** 20 + 1, 2 ** 26 - 1]) {
      const free = new FreeBlocks();
      free.add(5, size);
      expect([free.take(size + 1), free.take(size), free.count]).toEqual([-1, 5, 0]);
    }
  });

  test('takes a small block before a large one', () => {
    const free = new FreeBlocks();
    free.add(1000, 500);
    free.add(10, 12);
    expect(free.take(9)).toBe(10);
  });

  test('takes a small range as it came back, and merges it when nothing else is large enough', () => {
    const free = new FreeBlocks();
    free.add(10, 3);
    free.add(13, 3);
    expect(free.take(3)).toBe(13);
    free.add(13, 3);
    expect([free.take(6), free.take(1)]).toEqual([10, -1]);
  });

  test('ranges never overlap, free neighbours are one block, and nothing is lost', () => {
    const SPACE = 300;
    const step = fc.record({ size: fc.integer({ min: 1, max: 40 }), back: fc.nat() });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), step), { maxLength: 120 }), (steps) => {
        const free = new FreeBlocks();
        free.add(0, SPACE);
        const isFree = new Array<boolean>(SPACE).fill(true);
        const taken: [number, number][] = [];
        for (const [takes, { size, back }] of steps) {
          if (takes) {
            const start = free.take(size);
            if (start < 0) continue;
            for (let unit = start; unit < start + size; unit++) {
              expect(isFree[unit]).toBe(true);
              isFree[unit] = false;
            }
            taken.push([start, size]);
          } else if (taken.length > 0) {
            const [[start, length] = [0, 0]] = taken.splice(back % taken.length, 1);
            free.add(start, length);
            isFree.fill(true, start, start + length);
          }
          // To count blocks merges them.
          if (size % 3 !== 0) continue;
          const blocks = isFree.filter((unit, i) => unit && isFree[i - 1] !== true).length;
          expect(free.count).toBe(blocks);
          const last = isFree.lastIndexOf(false);
          expect(free.sizeBefore(SPACE)).toBe(SPACE - 1 - last);
        }
        for (const [start, length] of taken) free.add(start, length);
        expect(free.take(SPACE)).toBe(0);
      }),
    );
  });
});
