import { type Kernels, RESOURCE_ENTRY_BYTES, SELECT_RESULT_BYTES } from '../../src/kernels/abi.ts';
import { instantiate, type KernelKind } from '../../src/kernels/load.ts';
import { Prng } from '../../src/lib/prng.ts';
import { SharedMemory } from '../../src/memory/shared-memory.ts';
import { fnv1a } from './fnv1a.ts';
import type { Sample } from './kernel-suite.ts';

const CPUS = [8, 16, 32, 64];
const GiB = 2 ** 30;
const PODS_PER_NODE = 110;

/**
 * Pointers to the columns of a synthetic cluster: four node shapes, four cpus to 16Gi, anything from empty to a bit
 * too full.
 */
export interface SampleSlots extends Sample {
  readonly kernels: Kernels;
  /** Entries: cpu, memory, pods; a kernel that is given a count of 2 sees cpu and memory. */
  readonly entries: number;
  readonly allocatable: number;
  readonly requested: number;
  readonly mask: number;
  /** The feasible slots: all but every seventh. */
  readonly feasible: number;
  readonly raw: number;
  readonly total: number;
  readonly order: number;
  readonly table: number;
  readonly out: number;
  readonly selected: number;
}

/** Makes the same cluster for every build of the kernels. */
export function sampleSlots(kind: KernelKind, count: number): SampleSlots {
  const shared = new SharedMemory();
  const prng = new Prng(1);
  const f64 = () => shared.allocate(count * 8);
  const i32 = () => shared.allocate(count * 4);
  const columns = Array.from({ length: 3 }, () => ({ allocatable: f64(), requested: f64() }));
  const [feasible, raw, total, order, out] = [i32(), i32(), i32(), i32(), i32()];
  const mask = shared.allocate(count);
  const entries = shared.allocate(3 * RESOURCE_ENTRY_BYTES);
  const table = shared.allocate(101 * 4);
  const selected = shared.allocate(SELECT_RESULT_BYTES);
  const { buffer } = shared.memory;

  const view = new DataView(buffer, entries);
  for (const [index, podRequest] of [100, 500 * 2 ** 20, 1].entries()) {
    view.setUint32(index * RESOURCE_ENTRY_BYTES, columns[index]!.allocatable, true);
    view.setUint32(index * RESOURCE_ENTRY_BYTES + 4, columns[index]!.requested, true);
    view.setFloat64(index * RESOURCE_ENTRY_BYTES + 8, podRequest, true);
    view.setFloat64(index * RESOURCE_ENTRY_BYTES + 16, 1, true);
  }
  new Int32Array(buffer, table, 101).forEach((_, percent, scores) => {
    scores[percent] = 100 - percent;
  });
  for (let slot = 0; slot < count; slot++) {
    const cpus = CPUS[prng.below(CPUS.length)]!;
    for (const [index, amount] of [cpus * 1000, cpus * 4 * GiB, PODS_PER_NODE].entries()) {
      new Float64Array(buffer, columns[index]!.allocatable)[slot] = amount;
      new Float64Array(buffer, columns[index]!.requested)[slot] = Math.floor((amount * prng.below(1050)) / 1000);
    }
    new Uint8Array(buffer, mask)[slot] = slot % 5 === 0 ? 0 : 1;
    new Int32Array(buffer, feasible)[slot] = slot % 7 === 0 ? 0 : -1;
    new Int32Array(buffer, raw)[slot] = prng.below(1000);
    new Int32Array(buffer, order)[slot] = count - slot;
  }
  return {
    kernels: instantiate(kind, shared.memory),
    count,
    entries,
    ...columns[0]!,
    ...{ mask, feasible, raw, total, order, table, out, selected },
    hash: (pointer, bytes) => fnv1a(new Uint8Array(buffer, pointer, bytes)),
  };
}
