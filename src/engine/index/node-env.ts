import type { AllocationForm } from '../../framework/column-forms.ts';
import type { EngineModules } from './engine-modules.ts';
import { ENVIRONMENT_BYTES, FIELD } from './layout.ts';
import { writePercentTable } from './resource-kernels.ts';
import { rowsWithRoom } from './totals-rows.ts';

const STRATEGIES = { LeastAllocated: 0, MostAllocated: 1, RequestedToCapacityRatio: 2 } as const;
const SMALLEST_LOG = 1024;

type NodeEnvModules = Pick<EngineModules, 'kernels' | 'memory' | 'columns'>;

/**
 * The environment that all blocks of the signature index share: pointers to node columns, and the log of changes. It
 * follows nodes from its first use on, when all that kernels derive of them is derived at once.
 */
export class NodeEnv {
  readonly pointer: number;
  readonly #modules: NodeEnvModules;
  readonly #view: DataView;
  #logPointer = 0;
  #logCapacity = 0;
  #version = -1;
  /** The number below which slots in use lie, as the kernels know it. */
  slots = -1;
  /** The most rows that blocks need: those of all slots, and of some that may come. Infinity before the first use. */
  rows = Number.POSITIVE_INFINITY;
  /** Whether slots are in the order in which their nodes were added. */
  isOrdered = true;
  #hasMoved = false;
  #highestSlot = -1;
  #isUsed = false;

  /** `fit` is undefined if no plugin scores by what is allocated. */
  constructor(modules: NodeEnvModules, fit: AllocationForm | undefined) {
    this.#modules = modules;
    const { memory } = modules;
    this.pointer = memory.allocate(ENVIRONMENT_BYTES, 'environment of the signature index');
    this.#view = new DataView(memory.memory.buffer, this.pointer, ENVIRONMENT_BYTES);
    const weightOf = (name: string): number => fit?.resources.find((each) => each.name === name)?.weight ?? 0;
    const weights = [weightOf('cpu'), weightOf('memory')] as const;
    const sum = weights[0] + weights[1];
    this.#view.setFloat64(64, weights[0], true);
    this.#view.setFloat64(72, weights[1], true);
    this.#view.setFloat64(80, sum === 0 ? 0 : 1 / sum, true);
    this.#view.setInt32(96, STRATEGIES[fit?.strategy ?? 'LeastAllocated'], true);
    this.#view.setUint32(100, writePercentTable(memory, fit), true);
  }

  /** Takes over moved columns and new slots; must be called before kernels read the environment. */
  renew(slotCount: number): void {
    this.#follow(slotCount);
    if (this.#isUsed) return;
    this.#isUsed = true;
    this.#modules.kernels.deriveNodes(this.pointer, slotCount);
  }

  #follow(slotCount: number): void {
    if (this.slots !== slotCount) {
      this.slots = slotCount;
      this.#view.setInt32(88, slotCount, true);
    }
    const { version, capacity } = this.#modules.columns.table;
    if (this.#version < 0 || slotCount > this.rows) this.rows = Math.min(capacity, rowsWithRoom(slotCount));
    if (this.#version === version) return;
    this.#renewLog();
    this.#writePointers();
    this.#version = version;
    this.#hasMoved = true;
  }

  /** Whether columns have moved since the last call, so that the pointers in blocks are stale. */
  takeMoved(): boolean {
    const hasMoved = this.#hasMoved;
    this.#hasMoved = false;
    return hasMoved;
  }

  get stopReason(): number {
    return this.#view.getInt32(FIELD.stopReason, true);
  }

  get logEnd(): bigint {
    return this.#view.getBigInt64(FIELD.logEnd, true);
  }

  /** Takes over what is known of the order of slots. */
  copyFrom(other: NodeEnv): void {
    this.#highestSlot = other.#highestSlot;
    this.isOrdered = other.isOrdered;
    this.#view.setInt32(FIELD.isOrdered, this.isOrdered ? 1 : 0, true);
  }

  /** Records that a new node is in this slot; a slot that is reused breaks the order. */
  nodeCame(slot: number): void {
    if (slot > this.#highestSlot) {
      this.#highestSlot = slot;
      return;
    }
    this.isOrdered = false;
    this.#view.setInt32(FIELD.isOrdered, 0, true);
  }

  /** Logs that the node's row has been written or its verdict has changed. */
  touch(slot: number, slotCount: number): void {
    if (!this.#isUsed) return;
    this.#follow(slotCount);
    this.#modules.kernels.touchNode(this.pointer, slot);
  }

  /** Makes a log as long as the table; a block that is further behind computes all its rows. */
  #renewLog(): void {
    const { memory, columns } = this.#modules;
    const capacity = Math.max(SMALLEST_LOG, columns.table.capacity);
    if (capacity === this.#logCapacity) return;
    const pointer = memory.allocate(capacity * Int32Array.BYTES_PER_ELEMENT, 'log of nodes');
    if (this.#logPointer > 0) memory.free(this.#logPointer, this.#logCapacity * Int32Array.BYTES_PER_ELEMENT);
    this.#logPointer = pointer;
    this.#logCapacity = capacity;
  }

  #writePointers(): void {
    const { columns } = this.#modules;
    const { fixed, derived } = columns;
    const pointers = [
      ...['pods', 'cpu', 'memory'].flatMap((name) => {
        const { allocatable, requested } = columns.resource(name);
        return [allocatable.pointer, requested.pointer];
      }),
      fixed.nonZeroMilliCPU.pointer,
      fixed.nonZeroMemoryBytes.pointer,
      derived.headroom.pointer,
      derived.inverseMilliCPU.pointer,
      derived.inverseMemoryBytes.pointer,
      fixed.order.pointer,
      this.#logPointer,
      this.#logCapacity - 1,
    ];
    pointers.forEach((pointer, i) => {
      this.#view.setUint32(i * 4, pointer, true);
    });
    const { freeMilliCPU, freeMemoryBytes, spareMilliCPU, spareMemoryBytes, skew } = derived;
    [freeMilliCPU, freeMemoryBytes, spareMilliCPU, spareMemoryBytes, skew].forEach(({ pointer }, i) => {
      this.#view.setUint32(FIELD.derived + i * 4, pointer, true);
    });
    this.#view.setInt32(FIELD.isOrdered, this.isOrdered ? 1 : 0, true);
  }
}
