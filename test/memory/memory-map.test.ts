import { afterEach, describe, expect, it } from 'vitest';
import { MemoryMap } from '../../src/memory/memory-map.ts';
import { SharedMemory } from '../../src/memory/shared-memory.ts';

afterEach(() => {
  SharedMemory.observer = null;
});

describe('MemoryMap', () => {
  it('has the shares of the moment when a memory was largest', () => {
    const map = new MemoryMap();
    SharedMemory.observer = map;
    const memory = new SharedMemory();
    const column = memory.allocate(1000, 'column');
    memory.allocate(100, 'program');
    memory.free(column, 1000);
    memory.allocate(64, 'column');
    expect(map.peak()).toEqual([
      { owner: 'column', bytes: 1024, blocks: 1 },
      { owner: 'program', bytes: 128, blocks: 1 },
    ]);
  });

  it('shows the largest of several memories', () => {
    const map = new MemoryMap();
    SharedMemory.observer = map;
    new SharedMemory().allocate(64, 'small');
    new SharedMemory().allocate(6400, 'large');
    new SharedMemory().allocate(640);
    expect(map.peak()).toEqual([{ owner: 'large', bytes: 6400, blocks: 1 }]);
  });

  it('does not count blocks of which it has not heard', () => {
    const memory = new SharedMemory();
    const early = memory.allocate(64, 'early');
    const map = new MemoryMap();
    SharedMemory.observer = map;
    memory.free(early, 64);
    memory.allocate(64, 'late');
    expect(map.peak()).toEqual([{ owner: 'late', bytes: 64, blocks: 1 }]);
  });
});
