import { describe, expect, it } from 'vitest';
import { KERNEL_ARITY, type KernelKind, readKernels } from '../../src/kernels/load.ts';

/** Ids of the sections that would hold state or run code at load time. */
const STATEFUL_SECTIONS = { table: 4, global: 6, start: 8, element: 9, data: 11, dataCount: 12 };

const kinds: readonly KernelKind[] = ['scalar', 'simd'];

describe.each(kinds)('the %s module', (kind) => {
  const bytes = readKernels(kind);
  const module = new WebAssembly.Module(bytes);

  it('exports the kernels of the ABI and nothing else', () => {
    const names = WebAssembly.Module.exports(module).map(({ name, kind }) => `${kind} ${name}`);
    expect(names.toSorted()).toEqual(
      Object.keys(KERNEL_ARITY)
        .map((name) => `function ${name}`)
        .toSorted(),
    );
  });

  it('holds no state: no data, table, global or start section', () => {
    const stateful = Object.entries(STATEFUL_SECTIONS).filter(([, id]) => sectionIds(bytes).includes(id));
    expect(stateful).toEqual([]);
  });

  it('imports one memory, and only a shared one', () => {
    expect(WebAssembly.Module.imports(module)).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }]);
    const unshared: unknown = Reflect.construct(WebAssembly.Memory, [{ initial: 1, maximum: 1 }]);
    expect(() => new WebAssembly.Instance(module, { env: { memory: unshared } })).toThrow(/shared/);
  });
});

/** A module is eight bytes of header, then sections: id, LEB128 size, that many bytes. */
function sectionIds(bytes: Uint8Array): number[] {
  const ids: number[] = [];
  let position = 8;
  while (position < bytes.length) {
    ids.push(bytes[position++] as number);
    let size = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = bytes[position++] as number;
      size += (byte & 0x7f) * 2 ** shift;
      more = byte >= 0x80;
    }
    position += size;
  }
  expect(position).toBe(bytes.length);
  return ids;
}
