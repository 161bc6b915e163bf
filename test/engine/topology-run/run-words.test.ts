import { expect, test } from 'vitest';
import { RunWords } from '../../../src/engine/topology-run/run-words.ts';
import { SharedMemory } from '../../../src/memory/shared-memory.ts';

test('words are taken in pairs, one after the other, and keep their values when more are needed', () => {
  const words = new RunWords(new SharedMemory());
  expect([words.take(3), words.take(2)]).toEqual([0, 4]);
  const list = (words.list([7, 8, 9]) - words.pointer) / 4;
  expect(list).toBe(6);
  words.take(1000);
  expect([...words.values.subarray(list, list + 3)]).toEqual([7, 8, 9]);
  expect(words.address(list)).toBe(words.pointer + 24);
});

test('several lists are written one after the other', () => {
  const words = new RunWords(new SharedMemory());
  const first = (words.lists([[7, 8], [], [9], [10, 11]]) - words.pointer) / 4;
  expect([...words.values.subarray(first, first + 5)]).toEqual([7, 8, 9, 10, 11]);
  expect(words.lists([]) - words.pointer).toBe(24);
});

test('words that were given back are taken again', () => {
  const words = new RunWords(new SharedMemory());
  words.take(5);
  words.clear();
  expect(words.take(1)).toBe(0);
});
