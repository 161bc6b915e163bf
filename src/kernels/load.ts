import { assert } from '../lib/assert.ts';
import { CodedError } from '../lib/errors.ts';
import { hostModule } from '../lib/host-modules.ts';
import type { Kernels } from './abi.ts';
import { KERNEL_TABLE } from './kernel-table.ts';

/** A build of the kernels. */
export type KernelKind = 'simd' | 'scalar';

/**
 * The address of the kernels, whose relative path is the same from src/ and dist/. Bundlers find the files by this
 * form, in which the path is a literal.
 */
export function kernelUrl(kind: KernelKind): URL {
  return kind === 'simd'
    ? new URL('../../build/kernels.simd.wasm', import.meta.url)
    : new URL('../../build/kernels.scalar.wasm', import.meta.url);
}

/** The compiled modules. They have no state, so one module serves every memory of the process. */
const modules = new Map<KernelKind, WebAssembly.Module>();

/** Returns kernels for `memory`, which must be shared. Throws `KernelsNotBuilt` if the WASM file cannot be read. */
export function instantiate(kind: KernelKind, memory: WebAssembly.Memory): Kernels {
  return instantiateModule(kind, compiled(kind), memory);
}

/** Returns kernels of this module for `memory`. */
export function instantiateModule(kind: KernelKind, module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  assertKernels(kind, exports);
  return exports as unknown as Kernels;
}

function compiled(kind: KernelKind): WebAssembly.Module {
  let module = modules.get(kind);
  if (module === undefined) {
    module = new WebAssembly.Module(readKernels(kind));
    modules.set(kind, module);
  }
  return module;
}

/** Reads a kernel module. `folder`: the place of another build. */
export function readKernels(kind: KernelKind, folder?: URL): Uint8Array<ArrayBuffer> {
  const files = hostModule('node:fs');
  if (files === undefined) {
    const remedy = 'load them with loadKernels of kube-berth/browser, and give them as the option kernels';
    throw new CodedError('KernelsNotBuilt', `${kind} kernels cannot be read, because there are no files: ${remedy}`);
  }
  try {
    const url = folder === undefined ? kernelUrl(kind) : new URL(`kernels.${kind}.wasm`, folder);
    return new Uint8Array(files.readFileSync(url));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const remedy = 'run "npm run build", or give them as the option kernels';
    throw new CodedError('KernelsNotBuilt', `${kind} kernels cannot be read, ${remedy}: ${reason}`);
  }
}

/** Refuses a module of another version, which would misread its arguments. @internal */
export function assertKernels(kind: KernelKind, exports: Readonly<Record<string, unknown>>): void {
  const wrong = Object.entries(KERNEL_TABLE).flatMap(([name, entry]) => {
    const arity = Object.keys(entry.arguments).length;
    const kernel = exports[name];
    return typeof kernel === 'function' && kernel.length === arity ? [] : [`${name}/${arity}`];
  });
  assert(wrong.length === 0, `${kind} kernels lack ${wrong.join(', ')}`);
}
