import { readFileSync } from 'node:fs';
import { assert } from '../lib/assert.ts';
import { CodedError } from '../lib/errors.ts';
import type { Kernels } from './abi.ts';
import { KERNEL_TABLE } from './kernel-table.ts';

export type KernelKind = 'simd' | 'scalar';

/** The compiled modules. They have no state, so one module serves every memory of the process. */
const modules = new Map<KernelKind, WebAssembly.Module>();

/** Returns kernels for `memory`, which must be shared. Throws `KernelsNotBuilt` if the WASM file cannot be read. */
export function instantiate(kind: KernelKind, memory: WebAssembly.Memory): Kernels {
  const { exports } = new WebAssembly.Instance(compiled(kind), { env: { memory } });
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

/** Reads a kernel module from build/, whose relative path is the same from src/ and dist/. @internal */
export function readKernels(
  kind: KernelKind,
  folder = new URL('../../build/', import.meta.url),
): Uint8Array<ArrayBuffer> {
  const url = new URL(`kernels.${kind}.wasm`, folder);
  try {
    return new Uint8Array(readFileSync(url));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError('KernelsNotBuilt', `${kind} kernels cannot be read, run "npm run build": ${reason}`);
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
