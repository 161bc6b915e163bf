import { describe, expect, test } from 'vitest';
import { KERNEL_TABLE } from '../../src/kernels/kernel-table.ts';
import { type KernelKind, readKernels } from '../../src/kernels/load.ts';
import { guardedKernels } from './guarded-kernels.ts';
import { GuardedMemory } from './guarded-memory.ts';
import { MemoryFault } from './memory-fault.ts';

const kinds: readonly KernelKind[] = ['scalar', 'simd'];

describe.each(kinds)('guarded %s kernels', (kind) => {
  const newWorld = () => {
    const memory = new GuardedMemory();
    const columnOf = (owner: string, length: number): number => memory.allocate(length * 4, owner);
    return { memory, kernels: guardedKernels(kind, memory), columnOf };
  };

  test('keep to blocks that are theirs, to the last slot', () => {
    const { memory, kernels, columnOf } = newWorld();
    const [raw, total] = [columnOf('raw', 13), columnOf('total', 13)];
    kernels.fill(raw, 3, 0, 13);
    kernels.fill(total, 1, 0, 13);
    kernels.addWeighted(raw, 2, total, 0, 13);
    expect([...new Int32Array(memory.memory.buffer, total, 13)]).toEqual(new Array(13).fill(7));
    memory.check();
  });

  test('stop before they write behind an end', () => {
    const { memory, kernels, columnOf } = newWorld();
    const total = columnOf('total', 13);
    expect(() => kernels.fill(total, 1, 0, 14)).toThrow(MemoryFault);
    expect(() => memory.check()).toThrow(/^kernels write 4 bytes at \d+, 0 bytes behind the end of "total" \(52 bytes/);
    expect(new Int32Array(memory.memory.buffer, total, 14)[13]).not.toBe(1);
  });

  test('stop before they read behind an end', () => {
    const { kernels, columnOf } = newWorld();
    const raw = columnOf('raw', 13);
    expect(() => kernels.maxFeasible(raw, columnOf('feasible', 14), 13, 14)).toThrow(
      /^kernels read 4 bytes at \d+, 0 bytes behind the end of "(raw|feasible)"/,
    );
  });

  test.each(['read', 'write'] as const)('stop before they %s what was given back', (access) => {
    const { memory, kernels, columnOf } = newWorld();
    const [raw, total] = [columnOf('raw', 8), columnOf('total', 8)];
    memory.free(access === 'read' ? raw : total, 32);
    expect(() => kernels.sumWeighted(raw, raw, 1, total, 0, 8)).toThrow(
      new RegExp(`^kernels ${access} \\d+ bytes at \\d+, 0 bytes into "(raw|total)" .*, which was given back$`),
    );
  });

  test('do not take the first page for anybody’s', () => {
    const { kernels } = newWorld();
    expect(() => kernels.fill(0, 1, 0, 4)).toThrow('kernels write');
  });

  test('are the kernels of the ABI; what is released knows nothing of them', () => {
    const module = new WebAssembly.Module(readKernels(kind));
    expect(WebAssembly.Module.imports(module).map(({ name }) => name)).toEqual(['memory']);
    expect(Object.keys(newWorld().kernels).toSorted()).toEqual(Object.keys(KERNEL_TABLE).toSorted());
  });
});
