import { afterEach, describe, expect, it, vi } from 'vitest';
import { readKernels } from '../../src/kernels/load.ts';
import { loadKernels } from '../../src/kernels/load-kernels.ts';

afterEach(() => vi.unstubAllGlobals());

function answerWith(status: number) {
  const asked: string[] = [];
  const bytes = readKernels('scalar');
  vi.stubGlobal('fetch', async (url: URL | string) => {
    asked.push(String(url));
    return new Response(status === 200 ? bytes : '', { status });
  });
  return asked;
}

describe('loadKernels', () => {
  it.each(['simd', 'scalar'] as const)('compiles the %s kernels of this package', async (engine) => {
    expect(await loadKernels({ engine })).toBeInstanceOf(WebAssembly.Module);
  });

  it('takes bytes, or an array buffer', async () => {
    const bytes = readKernels('simd');
    expect(await loadKernels({ source: bytes })).toBeInstanceOf(WebAssembly.Module);
    expect(await loadKernels({ source: bytes.buffer })).toBeInstanceOf(WebAssembly.Module);
  });

  it('fetches an address, where there are no files the one beside the code', async () => {
    const asked = answerWith(200);
    await loadKernels({ source: 'https://example.test/kernels.wasm' });
    vi.stubGlobal('process', undefined);
    await loadKernels({ engine: 'scalar' });
    expect(asked).toEqual([
      'https://example.test/kernels.wasm',
      expect.stringMatching(/build\/kernels\.scalar\.wasm$/),
    ]);
  });

  it('names the address that does not answer', async () => {
    answerWith(404);
    await expect(loadKernels({ source: 'https://example.test/x.wasm' })).rejects.toThrow(
      'simd kernels cannot be fetched: https://example.test/x.wasm: status 404',
    );
  });
});
