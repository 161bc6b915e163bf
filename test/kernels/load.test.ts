import { describe, expect, it } from 'vitest';
import { KERNEL_TABLE } from '../../src/kernels/kernel-table.ts';
import { assertKernels, instantiate, readKernels } from '../../src/kernels/load.ts';
import { CodedError } from '../../src/lib/errors.ts';

const page = () => new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });

describe('instantiate', () => {
  it('gives each memory kernels of its own', () => {
    const [one, other] = [page(), page()];
    instantiate('simd', one).fill(64, 7, 0, 5);
    instantiate('simd', other).fill(64, 8, 0, 5);
    expect([...new Int32Array(one.buffer, 64, 6)]).toEqual([7, 7, 7, 7, 7, 0]);
    expect([...new Int32Array(other.buffer, 64, 6)]).toEqual([8, 8, 8, 8, 8, 0]);
  });
});

describe('readKernels', () => {
  it('says what to do when the kernels are not built', () => {
    const nowhere = new URL('./nowhere/', import.meta.url);
    expect(() => readKernels('scalar', nowhere)).toThrow(CodedError);
    expect(() => readKernels('scalar', nowhere)).toThrow(/scalar kernels .*run "npm run build".*nowhere/);
  });
});

describe('assertKernels', () => {
  const complete = Object.fromEntries(
    Object.entries(KERNEL_TABLE).map(([name, entry]) => [
      name,
      Object.defineProperty(() => 0, 'length', { value: Object.keys(entry.arguments).length }),
    ]),
  );

  it('names missing kernels and those with other arguments', () => {
    const { fill: _, ...rest } = complete;
    const wrong = { ...rest, normalize: () => 0 };
    expect(() => assertKernels('simd', complete)).not.toThrow();
    expect(() => assertKernels('simd', wrong)).toThrow('simd kernels lack normalize/6, fill/4');
  });
});
