import type { AllocationForm } from '../../framework/column-forms.ts';
import type { Kernels } from '../../kernels/abi.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import { ENVIRONMENT_BYTES, FIELD } from './layout.ts';

const STRATEGIES = { LeastAllocated: 0, MostAllocated: 1, RequestedToCapacityRatio: 2 } as const;
const SMALLEST_LOG = 1024;
const PERCENT_TABLE_LENGTH = 101;

export interface NodeEnvModules {
  readonly kernels: Kernels;
  readonly memory: SharedMemory;
  readonly columns: NodeColumns;
}

/** The environment that all blocks of the signature index share: pointers to node columns, and the log of changes. */
export class NodeEnv {
  readonly pointer: number;
  readonly #modules: NodeEnvModules;
  readonly #view: DataView;
  #logPointer = 0;
  #logCapacity = 0;
  #version = -1;
  #slots = -1;
  #isOrdered = true;
  #hasMoved = false;
  #highestSlot = -1;

  /** `fit` is undefined if no plugin scores by what is allocated. */
  constructor(modules: NodeEnvModules, fit: AllocationForm | undefined) {
    this.#modules = modules;
    const { memory } = modules;
    this.pointer = memory.allocate(ENVIRONMENT_BYTES, 'environment of the signature index');
    this.#view = new DataView(memory.memory.buffer, this.pointer, ENVIRONMENT_BYTES);
    const weights = ['cpu', 'memory'].map(
      (name) => fit?.resources.find((resource) => resource.name === name)?.weight ?? 0,
    );
    const [cpu = 0, memoryWeight = 0] = weights;
    this.#view.setFloat64(64, cpu, true);
    this.#view.setFloat64(72, memoryWeight, true);
    this.#view.setFloat64(80, cpu + memoryWeight === 0 ? 0 : 1 / (cpu + memoryWeight), true);
    this.#view.setInt32(96, STRATEGIES[fit?.strategy ?? 'LeastAllocated'], true);
    const table = memory.allocate(PERCENT_TABLE_LENGTH * Int32Array.BYTES_PER_ELEMENT, 'scores by percent');
    new Int32Array(memory.memory.buffer, table, PERCENT_TABLE_LENGTH).set(fit?.scoreOfPercent ?? []);
    this.#view.setUint32(100, table, true);
  }

  /** Takes over moved columns and new slots; must be called before kernels read the environment. */
  renew(slotCount: number): void {
    if (this.#slots !== slotCount) {
      this.#slots = slotCount;
      this.#view.setInt32(88, slotCount, true);
    }
    const { version } = this.#modules.columns.table;
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

  /** The number below which slots in use lie, as the kernels know it. */
  get slots(): number {
    return this.#slots;
  }

  get stopReason(): number {
    return this.#view.getInt32(FIELD.stopReason, true);
  }

  get logEnd(): bigint {
    return this.#view.getBigInt64(FIELD.logEnd, true);
  }

  get isOrdered(): boolean {
    return this.#isOrdered;
  }

  /** Records that a new node is in this slot; a slot that is reused breaks the order. */
  nodeCame(slot: number): void {
    if (slot > this.#highestSlot) {
      this.#highestSlot = slot;
      return;
    }
    this.#isOrdered = false;
    this.#view.setInt32(92, 0, true);
  }

  /** Logs that the node's row has been written or its verdict has changed. */
  touch(slot: number, slotCount: number): void {
    this.renew(slotCount);
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
    const { fixed } = columns;
    const [pods, cpu, memory] = ['pods', 'cpu', 'memory'].map((name) => columns.resource(name));
    const pointers = [
      ...[pods, cpu, memory].flatMap((resource) => [
        resource?.allocatable.pointer ?? 0,
        resource?.requested.pointer ?? 0,
      ]),
      fixed.nonZeroMilliCPU.pointer,
      fixed.nonZeroMemoryBytes.pointer,
      fixed.headroom.pointer,
      fixed.inverseMilliCPU.pointer,
      fixed.inverseMemoryBytes.pointer,
      fixed.order.pointer,
      this.#logPointer,
      this.#logCapacity - 1,
    ];
    pointers.forEach((pointer, i) => {
      this.#view.setUint32(i * 4, pointer, true);
    });
    this.#view.setInt32(92, this.#isOrdered ? 1 : 0, true);
  }
}
