import { describe, expect, it } from 'vitest';
import { type KernelKind, readKernels } from '../../src/kernels/load.ts';
import { unsharedKernels } from '../../src/kernels/unshared.ts';

const kinds: readonly KernelKind[] = ['simd', 'scalar'];

describe.each(kinds)('the %s kernels without shared memory', (kind) => {
  const bytes = readKernels(kind);
  const memory = (shared: boolean) => new WebAssembly.Memory({ initial: 1, maximum: 65_536, shared });
  const instance = (module: Uint8Array, shared: boolean) =>
    new WebAssembly.Instance(new WebAssembly.Module(module), { env: { memory: memory(shared) } });

  it('run over memory that is not shared, and over no other', () => {
    const unshared = unsharedKernels(bytes);
    expect(Object.keys(instance(unshared, false).exports)).toEqual(Object.keys(instance(bytes, true).exports));
    expect(() => instance(unshared, true)).toThrow(WebAssembly.LinkError);
    expect(() => instance(bytes, false)).toThrow(WebAssembly.LinkError);
  });

  it('differ in one bit of a copy', () => {
    const unshared = unsharedKernels(bytes);
    const changed = [...bytes.keys()].filter((i) => bytes[i] !== unshared[i]);
    expect(changed).toHaveLength(1);
    expect((bytes[changed[0] ?? 0] ?? 0) ^ (unshared[changed[0] ?? 0] ?? 0)).toBe(0b10);
  });

  it('are not made twice, or of something else', () => {
    expect(() => unsharedKernels(unsharedKernels(bytes))).toThrow('these bytes are not a kernel module of Berth');
    expect(() => unsharedKernels(bytes.subarray(0, 8))).toThrow('these bytes are not a kernel module of Berth');
    expect(() => unsharedKernels(new Uint8Array(100).fill(255))).toThrow('these bytes are not a kernel module');
  });
});
