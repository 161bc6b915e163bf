import { expect, test } from 'vitest';
import { Logarithms } from '../../../src/engine/index/logarithms.ts';
import { goLog } from '../../../src/lib/go-log.ts';
import { SharedMemory } from '../../../src/memory/shared-memory.ts';

test('logarithms stand at the numbers of domains, and stay there while they are enough', () => {
  const memory = new SharedMemory();
  const logarithms = new Logarithms(memory);
  const read = (pointer: number, domains: number): number =>
    new Float64Array(memory.memory.buffer, pointer, domains + 1)[domains] ?? Number.NaN;
  const few = logarithms.upTo(3);
  expect([0, 1, 3].map((domains) => read(few, domains))).toEqual([2, 3, 5].map(goLog));
  expect(logarithms.upTo(2)).toBe(few);
  const many = logarithms.upTo(100);
  expect([0, 100].map((domains) => read(many, domains))).toEqual([2, 102].map(goLog));
  const before = memory.allocatedBytes;
  logarithms.upTo(50);
  expect(memory.allocatedBytes).toBe(before);
});
