import { COLUMNS, FAN, FIELD, STOP } from '../../src/engine/index/layout.ts';
import { NodeEnv } from '../../src/engine/index/node-env.ts';
import { TotalsBlock } from '../../src/engine/index/totals-block.ts';
import type { TotalsRows } from '../../src/engine/index/totals-rows.ts';
import { type Kernels, SELECT_RESULT_BYTES } from '../../src/kernels/abi.ts';
import { instantiate, type KernelKind } from '../../src/kernels/load.ts';
import { Program } from '../../src/kernels/program.ts';
import { Prng } from '../../src/lib/prng.ts';
import { NodeColumns } from '../../src/memory/node-columns.ts';
import { SharedMemory } from '../../src/memory/shared-memory.ts';
import { NodeResourcesFit } from '../../src/plugins/node-resources/fit.ts';
import type { ScoringStrategy } from '../../src/plugins/node-resources/fit-args.ts';
import { InlineRunner } from '../../src/pool/inline-runner.ts';
import { allocateArray, ColumnWriter, type WrittenColumn } from '../../test/kernels/signature-index-columns.ts';
import type { ModelSignature } from '../../test/kernels/signature-index-model.ts';
import { fnv1a } from './fnv1a.ts';
import type { Sample } from './kernel-suite.ts';

const CPUS = [8, 16, 32, 64];
const GiB = 2 ** 30;
/** No node is ever full of pods. */
const PODS_PER_NODE = 1e9;
/** The pods are so many that the first look at all nodes is a small part of the time; and they fit. */
const PODS_PER_SLOT = 10;
/** The length of a run, as the host cuts it. */
const RUN_LENGTH = 4096;
const RESULT_WORDS = 3;
const STRATEGY: ScoringStrategy = {
  type: 'LeastAllocated',
  resources: [
    { name: 'cpu', weight: 1 },
    { name: 'memory', weight: 1 },
  ],
};

/** One of the sizes of pods; `sign` -1 for what takes one away again. */
function signatureOf(number: number, sign = 1): ModelSignature {
  const requests = { cpu: sign * (50 + 10 * (number % 10)), memory: sign * (1 + (number % 7)) * 2 ** 26 };
  return { requests, scored: requests, fitWeight: 1, balancedWeight: 1, verdicts: 0, totals: [-1, 300], raw: null };
}

/** A synthetic cluster of four node shapes, half full at most, under the signature index; the same for every kind. */
export class SampleIndex implements Sample {
  readonly kernels: Kernels;
  readonly count: number;
  readonly podCount: number;
  readonly env: NodeEnv;
  readonly totalsColumns: readonly WrittenColumn[];
  readonly order: number;
  /** i32 a slot. */
  readonly out: number;
  readonly selected: number;
  /** Some slots in any order: few enough to be followed one by one. */
  readonly touched: Int32Array;
  /** Takes away what the first signature brings. */
  readonly #leaver: WrittenColumn;
  readonly #memory = new SharedMemory();
  readonly #columns = new NodeColumns(this.#memory);
  /** What placing changes, as it was. */
  readonly #before = new Map<Float64Array | Int16Array, Float64Array | Int16Array>();
  /** For each pod a reference to its totals column, -1 for any slot, and a word that is not read. */
  readonly #queued: Int32Array;
  readonly #results: Int32Array;

  constructor(kind: KernelKind, count: number, signatureCount: number) {
    const memory = this.#memory;
    const { table, fixed } = this.#columns;
    const prng = new Prng(1);
    this.count = count;
    this.podCount = count * PODS_PER_SLOT;
    this.kernels = instantiate(kind, memory.memory);
    table.reserve(count);
    const [verdictIds, none] = [table.add('u16', 'verdictIds', 1), table.add('u16')];
    const fit = new NodeResourcesFit({ scoringStrategy: STRATEGY });
    this.env = new NodeEnv({ kernels: this.kernels, memory, columns: this.#columns }, fit.resourceScore);
    for (let slot = 0; slot < count; slot++) this.#fillNode(slot, prng);
    this.env.renew(count);
    const empty = { ids: none.pointer, totals: allocateArray(memory, Int16Array, 1).fill(-1).byteOffset };
    const { kernels, env } = this;
    const runner = new InlineRunner({ memory, kernels });
    const modules = { kernels, memory, env, empty, runner, program: new Program(memory), maxima: new Program(memory) };
    const block = () => new TotalsBlock(modules, true, table.capacity);
    const blocks = Array.from({ length: Math.ceil(signatureCount / COLUMNS) }, block);
    const writer = new ColumnWriter(memory, this.#columns, { strategy: STRATEGY, scoreOfPercent: [] }, [verdictIds]);
    this.totalsColumns = Array.from({ length: signatureCount }, (_, i) =>
      writer.write(signatureOf(i), blocks[Math.floor(i / COLUMNS)] as TotalsBlock, i % COLUMNS),
    );
    this.#leaver = writer.write(signatureOf(0, -1), block(), 0);
    this.out = memory.allocate(count * Int32Array.BYTES_PER_ELEMENT);
    this.selected = memory.allocate(SELECT_RESULT_BYTES);
    this.order = fixed.order.pointer;
    this.touched = Int32Array.from({ length: Math.max(1, count >> 3) }, () => prng.below(count));
    this.#queued = allocateArray(memory, Int32Array, this.podCount * 3).fill(-1);
    this.#results = allocateArray(memory, Int32Array, this.podCount * RESULT_WORDS);
    for (let i = 0; i < this.podCount; i++)
      this.#queued[i * 3] = referenceTo(this.totalsColumn(prng.below(signatureCount)));
    const requested = ['pods', 'cpu', 'memory'].map((name) => this.#columns.resource(name).requested);
    const { nonZeroMilliCPU, nonZeroMemoryBytes } = fixed;
    for (const { values } of [
      ...requested,
      nonZeroMilliCPU,
      nonZeroMemoryBytes,
      ...Object.values(this.#columns.derived),
    ]) {
      this.#before.set(values, values.slice());
    }
    this.reset();
  }

  /** Rows of a block, with those that fill up the last block. */
  get rowCount(): number {
    return Math.ceil(this.count / FAN) * FAN;
  }

  totalsColumn(number: number): WrittenColumn {
    return this.totalsColumns[number] as WrittenColumn;
  }

  hash(pointer: number, bytes: number): string {
    return fnv1a(new Uint8Array(this.#memory.memory.buffer, pointer, bytes));
  }

  /** No pod has been placed, and all totals are known. */
  reset(): void {
    for (const [values, before] of this.#before) values.set(before);
    for (const block of new Set(this.totalsColumns.map(({ block }) => block))) this.#rescan(block);
  }

  /** Places all pods, starting over; returns where the results are, as [pointer, byte length]. */
  placeAll(): readonly [number, number] {
    this.reset();
    for (let placed = 0; placed < this.podCount; ) {
      placed += this.kernels.placePods(
        this.env.pointer,
        this.#queued.byteOffset + placed * 12,
        Math.min(RUN_LENGTH, this.podCount - placed),
        this.#results.byteOffset + placed * RESULT_WORDS * 4,
      );
      if (this.env.stopReason === STOP.infeasible) throw new Error(`pod ${placed} of the sample fits nowhere`);
      if (this.env.stopReason === STOP.stale) this.#rescan(this.#blockAt(placed));
    }
    return [this.#results.byteOffset, this.#results.byteLength];
  }

  /** A pod comes to each touched node and goes again; the first block follows. */
  comeAndGo(): void {
    const { kernels, env, touched } = this;
    const { block } = this.totalsColumn(0);
    for (const { block: own, number } of [this.totalsColumn(0), this.#leaver]) {
      for (const slot of touched) kernels.chargeNode(env.pointer, own.pointer, number, slot);
      if (!kernels.syncBlock(env.pointer, block.pointer)) throw new Error('so few changes can be followed');
    }
  }

  #blockAt(pod: number): TotalsBlock {
    const reference = (this.#queued[pod * 3] ?? 0) >>> 0;
    return (this.totalsColumns.find((column) => referenceTo(column) === reference) as WrittenColumn).block;
  }

  #rescan(block: TotalsBlock): void {
    const { kernels, env, count } = this;
    block.view.setBigInt64(FIELD.cursor, env.logEnd, true);
    for (const column of this.totalsColumns) {
      if (column.block !== block) continue;
      const rows = rowsOf(block) + column.number * 2;
      kernels.scanTotals(env.pointer, block.pointer, column.number, rows, 2 * COLUMNS, 0, count);
      const feasible = kernels.countTotals(block.pointer, column.number, rows, 2 * COLUMNS, 0, count);
      block.view.setInt32(FIELD.feasible + column.number * 4, feasible, true);
    }
    kernels.buildTree(block.pointer, 1, this.rowCount);
  }

  #fillNode(slot: number, prng: Prng): void {
    const columns = this.#columns;
    const { nonZeroMilliCPU, nonZeroMemoryBytes } = columns.fixed;
    const cpus = CPUS[prng.below(CPUS.length)] ?? 0;
    const set = (name: string, allocatable: number, requested: number): void => {
      columns.setAmount(columns.resource(name).allocatable, slot, allocatable);
      columns.setAmount(columns.resource(name).requested, slot, requested);
    };
    const [cpu, memory] = [prng.below(cpus * 500), prng.below(cpus * 2) * GiB];
    set('pods', PODS_PER_NODE, 9);
    set('cpu', cpus * 1000, cpu);
    set('memory', cpus * 4 * GiB, memory);
    columns.setAmount(nonZeroMilliCPU, slot, cpu);
    columns.setAmount(nonZeroMemoryBytes, slot, memory);
    columns.fixed.order.values[slot] = slot;
    this.env.touch(slot, this.count);
  }
}

function referenceTo({ block, number }: WrittenColumn): number {
  return block.pointer + number;
}

export function rowsOf({ rows }: TotalsBlock): number {
  return (rows as TotalsRows).pointer;
}
