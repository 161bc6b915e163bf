import { SharedMemory } from '../memory/shared-memory.ts';
import { newUnsharedMemory } from '../memory/wasm-memory.ts';
import type { KernelHostFactory } from './kernel-host.ts';
import { instantiateModule } from './load.ts';

/**
 * A kernel module, `kube-berth/kernels.simd.wasm` or `kube-berth/kernels.scalar.wasm`: its bytes, or the
 * `WebAssembly.Module` that was compiled of them, a class that not all of TypeScript's libraries know.
 */
export type KernelModule = Uint8Array | ArrayBuffer | object;

/** Makes kernels of a module that the embedder gives. Throws a `TypeError` for anything else. */
export function hostsOfModule(given: KernelModule): KernelHostFactory {
  const module = given instanceof WebAssembly.Module ? given : new WebAssembly.Module(given as Uint8Array);
  const newMemory = needsSharedMemory(module) ? () => new SharedMemory() : () => new SharedMemory(newUnsharedMemory());
  return (kind) => {
    const memory = newMemory();
    return { memory, kernels: instantiateModule(kind, module, memory.memory) };
  };
}

/** A module does not tell what it imports, except by refusing it. */
function needsSharedMemory(module: WebAssembly.Module): boolean {
  try {
    instantiateModule('simd', module, new SharedMemory().memory);
    return true;
  } catch (error) {
    if (error instanceof WebAssembly.LinkError) return false;
    throw error;
  }
}
