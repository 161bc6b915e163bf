import { CodedError } from '../lib/errors.ts';
import { hostModule } from '../lib/host-modules.ts';
import { type KernelKind, kernelUrl, readKernels } from './load.ts';
import { unsharedKernels } from './unshared.ts';

/** Which kernels are loaded, and from where. */
export interface KernelsToLoad {
  /** The engine that is to run; default `simd`. Where the runtime lacks SIMD, use `scalar`, also for the scheduler. */
  readonly engine?: KernelKind;
  /** The address of the module, or its bytes. Default: the file of this package, beside the bundle. */
  readonly source?: { readonly href: string } | string | Uint8Array | ArrayBuffer;
}

/**
 * Fetches kernels and compiles them for one thread. The result is the option `kernels` of schedulers, any number of
 * them.
 *
 *     const scheduler = new Scheduler({ kernels: await loadKernels() });
 *
 * Errors: KernelsNotBuilt, when they cannot be fetched.
 */
export async function loadKernels({ engine = 'simd', source }: KernelsToLoad = {}): Promise<object> {
  return new WebAssembly.Module(unsharedKernels(await bytesOf(engine, source)));
}

async function bytesOf(engine: KernelKind, source: KernelsToLoad['source']): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (source === undefined && hostModule('node:fs') !== undefined) return readKernels(engine);
  const url = typeof source === 'string' ? source : (source ?? kernelUrl(engine)).href;
  const response = await fetch(url);
  if (!response.ok) {
    throw new CodedError('KernelsNotBuilt', `${engine} kernels cannot be fetched: ${url}: status ${response.status}`);
  }
  return new Uint8Array(await response.arrayBuffer());
}
