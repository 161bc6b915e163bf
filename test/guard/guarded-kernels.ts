import type { Kernels } from '../../src/kernels/abi.ts';
import type { KernelHost } from '../../src/kernels/kernel-host.ts';
import { assertKernels, type KernelKind, readKernels } from '../../src/kernels/load.ts';
import { GuardedMemory } from './guarded-memory.ts';

const FOLDER = new URL('../../build/guarded/', import.meta.url);

const modules = new Map<KernelKind, WebAssembly.Module>();

/**
 * Kernels of the guarded build, the same sources with checks: before each load and store they call `load_ptr` and
 * `store_ptr` (Binaryen's pass instrument-memory), and before they look into a table by verdict id they compare.
 */
export function guardedKernels(kind: KernelKind, memory: GuardedMemory): Kernels {
  const same = <T>(_site: number, value: T): T => value;
  const env = {
    memory: memory.memory,
    load_ptr: (_site: number, bytes: number, offset: number, pointer: number): number => {
      memory.load((pointer >>> 0) + offset, bytes);
      return pointer;
    },
    store_ptr: (_site: number, bytes: number, offset: number, pointer: number): number => {
      memory.store((pointer >>> 0) + offset, bytes);
      return pointer;
    },
    outOfBounds: (table: number, index: number, length: number): void => memory.outOfBounds(table, index, length),
    // The pass shows values, too.
    ...{ load_val_i32: same, load_val_i64: same, load_val_f32: same, load_val_f64: same },
    ...{ store_val_i32: same, store_val_i64: same, store_val_f32: same, store_val_f64: same },
    ...{ memory_grow_pre: same, memory_grow_post: same },
  };
  const { exports } = new WebAssembly.Instance(compiled(kind), { env });
  assertKernels(kind, exports);
  return exports as unknown as Kernels;
}

function compiled(kind: KernelKind): WebAssembly.Module {
  let module = modules.get(kind);
  if (module === undefined) {
    module = new WebAssembly.Module(readKernels(kind, FOLDER));
    modules.set(kind, module);
  }
  return module;
}

/** Guarded kernels and memory for any number of engines. */
export class GuardedHosts {
  readonly #memories: GuardedMemory[] = [];

  readonly newHost = (kind: KernelKind): KernelHost => {
    const memory = new GuardedMemory();
    this.#memories.push(memory);
    return { memory, kernels: guardedKernels(kind, memory) };
  };

  /** Throws the first MemoryFault of any of them. */
  check(): void {
    for (const memory of this.#memories) memory.check();
  }
}
