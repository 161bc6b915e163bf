import { SharedMemory } from '../memory/shared-memory.ts';
import type { Kernels } from './abi.ts';
import { instantiate, type KernelKind } from './load.ts';

/** Kernels and their memory. */
export interface KernelHost {
  readonly memory: SharedMemory;
  readonly kernels: Kernels;
}

/** Makes kernels with a new memory, for one engine. */
export type KernelHostFactory = (kind: KernelKind) => KernelHost;

export const newKernelHost: KernelHostFactory = (kind) => {
  const memory = new SharedMemory();
  return { memory, kernels: instantiate(kind, memory.memory) };
};
