import { describe, expect, it } from 'vitest';
import { type KernelKind, readKernels } from '../../src/kernels/load.ts';
import { sectionsOf } from './wasm-signatures.ts';

/** Ids of the sections that would hold state or run code at load time. */
const STATEFUL_SECTIONS = { table: 4, global: 6, start: 8, element: 9, data: 11, dataCount: 12 };

const kinds: readonly KernelKind[] = ['scalar', 'simd'];

describe.each(kinds)('the %s module', (kind) => {
  const bytes = readKernels(kind);
  const module = new WebAssembly.Module(bytes);

  it('exports functions and nothing else', () => {
    expect(WebAssembly.Module.exports(module).filter(({ kind }) => kind !== 'function')).toEqual([]);
  });

  it('holds no state: no data, table, global or start section', () => {
    const stateful = Object.entries(STATEFUL_SECTIONS).filter(([, id]) => sectionsOf(bytes).has(id));
    expect(stateful).toEqual([]);
  });

  it('imports one memory, and only a shared one', () => {
    expect(WebAssembly.Module.imports(module)).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }]);
    const unshared: unknown = Reflect.construct(WebAssembly.Memory, [{ initial: 1, maximum: 1 }]);
    expect(() => new WebAssembly.Instance(module, { env: { memory: unshared } })).toThrow(/shared/);
  });
});
