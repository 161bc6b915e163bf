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
/** 128 MiB; with more memory a host is kept only until the garbage collector wants it. */
const IDLE_BYTES_MAX = 2 ** 27;

/** Released hosts of a kind. */
interface IdleHosts {
  readonly kept: KernelHost[];
  large: WeakRef<KernelHost> | null;
}

/**
 * Hosts that engines have released, for the next engines. A page of memory costs ten microseconds and more when a
 * process touches it for the first time, and a fraction of one when it is cleared. Kernels have no state of their own.
 */
const idle: Record<KernelKind, IdleHosts> = { simd: { kept: [], large: null }, scalar: { kept: [], large: null } };

export const newKernelHost: KernelHostFactory = (kind) => {
  const hosts = idle[kind];
  const { memory, kernels } = hosts.kept.pop() ?? takenLarge(hosts) ?? firstHost(kind);
  const release = (): void => {
    const isLarge = memory.touchedBytes > IDLE_BYTES_MAX;
    if (!isLarge && hosts.kept.length === IDLE_MAX) return;
    const host: KernelHost = { memory: memory.handOver(), kernels };
    if (isLarge) hosts.large = new WeakRef(host);
    else hosts.kept.push(host);
  };
  return { memory, kernels, release };
};

function takenLarge(hosts: IdleHosts): KernelHost | undefined {
  const host = hosts.large?.deref();
  hosts.large = null;
  return host;
}

function firstHost(kind: KernelKind): KernelHost {
  const memory = new SharedMemory();
  return { memory, kernels: instantiate(kind, memory.memory) };
}
