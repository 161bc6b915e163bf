import { SharedMemory } from '../memory/shared-memory.ts';
import type { Kernels } from './abi.ts';
import { instantiate, type KernelKind } from './load.ts';

/** Kernels and their memory. */
export interface KernelHost {
  readonly memory: SharedMemory;
  readonly kernels: Kernels;
  /** Takes back the memory, of which no thread uses a view any more; absent: nobody wants it back. */
  readonly release?: () => void;
}

/** Makes kernels with a memory of their own, for one engine. */
export type KernelHostFactory = (kind: KernelKind) => KernelHost;

/** The number of released hosts of a kind that are kept: of a scheduler and its fork. */
const IDLE_MAX = 2;
/** 128 MiB; a larger memory is left to the garbage collector. */
const IDLE_BYTES_MAX = 2 ** 27;

/**
 * Hosts that engines have released, for the next engines. A page of memory costs ten microseconds and more when a
 * process touches it for the first time, and a fraction of one when it is cleared. Kernels have no state of their own.
 */
const idle: Record<KernelKind, KernelHost[]> = { simd: [], scalar: [] };

export const newKernelHost: KernelHostFactory = (kind) => {
  const { memory, kernels } = idle[kind].pop() ?? firstHost(kind);
  const release = (): void => {
    if (memory.touchedBytes > IDLE_BYTES_MAX || idle[kind].length === IDLE_MAX) return;
    idle[kind].push({ memory: memory.handOver(), kernels });
  };
  return { memory, kernels, release };
};

function firstHost(kind: KernelKind): KernelHost {
  const memory = new SharedMemory();
  return { memory, kernels: instantiate(kind, memory.memory) };
}
