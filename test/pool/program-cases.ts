/** Instructions of programs beside the kernel calls that they stand for, over columns filled by a seed. */
import fc from 'fast-check';
import { BLOCK_BYTES, COLUMNS, FAN, FIELD } from '../../src/engine/index/layout.ts';
import { type Kernels, RESOURCE_ENTRY_BYTES, SELECT_RESULT_BYTES } from '../../src/kernels/abi.ts';
import { instantiate, type KernelKind } from '../../src/kernels/load.ts';
import { Program, type Relocatable } from '../../src/kernels/program.ts';
import { HISTOGRAM_SIZE } from '../../src/kernels/registers.ts';
import { Prng } from '../../src/lib/prng.ts';
import { type Column, ColumnTable } from '../../src/memory/column-table.ts';
import { SharedMemory } from '../../src/memory/shared-memory.ts';

const ENTRIES = 3;

/** A memory with inputs, which is equal byte for byte for equal seeds and numbers of slots. */
export class ProgramWorld {
  readonly memory = new SharedMemory();
  readonly table = new ColumnTable(this.memory);
  readonly kernels: Kernels;
  readonly program: Program;
  readonly mask = this.table.add('u8');
  readonly feasible = this.table.add('i32');
  readonly order = this.table.add('i32');
  /** Two totals of 16 bits to a row; programs only read it. */
  readonly totals = this.table.add('i32');
  /** A block that knows nothing but verdict ids. */
  readonly block = this.memory.allocate(BLOCK_BYTES);
  readonly verdictIds = this.table.add('u16');
  readonly rows: SampleRows;
  readonly whole = [this.table.add('i32'), this.table.add('i32'), this.table.add('i32')] as const;
  readonly amounts = Array.from({ length: 2 * ENTRIES }, () => this.table.add('f64'));
  readonly entries: { readonly pointer: number; readonly count: number };
  readonly percents = this.memory.allocate(101 * 4);
  readonly out = this.memory.allocate(64);

  constructor(kind: KernelKind, slotCount: number, seed: number, isBuild = false) {
    this.program = new Program(this.memory, isBuild);
    this.kernels = instantiate(kind, this.memory.memory);
    this.table.reserve(slotCount);
    this.rows = new SampleRows(this.memory, slotCount);
    this.entries = { pointer: this.memory.allocate(ENTRIES * RESOURCE_ENTRY_BYTES), count: ENTRIES };
    this.#fill(slotCount, new Prng(seed));
  }

  /** Writes an instruction whose answer is the number of slots: every node is accepted, nothing is requested. */
  countSlots(): number {
    this.mask.values.fill(1);
    return this.program.filterFit({ ...this.entries, count: 0 }, this.mask, this.feasible);
  }

  /** Every byte that a program may write. */
  columns(slotCount: number): string[] {
    const columns: readonly Column[] = [this.feasible, ...this.whole];
    const written = columns.map(({ values }) => Array.from(values.subarray(0, slotCount)).join());
    return [...written, this.rows.maxima(slotCount).join()];
  }

  view(words: number): Int32Array {
    return new Int32Array(this.memory.memory.buffer, this.out, words);
  }

  #fill(slotCount: number, prng: Prng): void {
    const { buffer } = this.memory.memory;
    const entries = new DataView(buffer, this.entries.pointer);
    for (let entry = 0; entry < ENTRIES; entry++) {
      const at = entry * RESOURCE_ENTRY_BYTES;
      entries.setUint32(at, this.amounts[2 * entry]?.pointer ?? 0, true);
      entries.setUint32(at + 4, this.amounts[2 * entry + 1]?.pointer ?? 0, true);
      entries.setFloat64(at + 8, prng.below(50), true);
      entries.setFloat64(at + 16, 1 + prng.below(3), true);
    }
    new Int32Array(buffer, this.percents, 101).forEach((_, i, percents) => {
      percents[i] = i;
    });
    new DataView(buffer, this.block).setUint32(FIELD.ids, this.verdictIds.pointer, true);
    for (let slot = 0; slot < slotCount; slot++) {
      this.verdictIds.values[slot] = prng.below(HISTOGRAM_SIZE);
      this.mask.values[slot] = prng.below(4) === 0 ? 0 : 1;
      this.feasible.values[slot] = prng.below(3) === 0 ? 0 : -1;
      this.order.values[slot] = (slot * 7919) % 10_007;
      for (const column of this.whole) column.values[slot] = prng.below(12);
      this.totals.values[slot] = (prng.below(9) - 1) * 65_537;
      for (const column of this.amounts) column.values[slot] = prng.below(200);
    }
  }
}

/** Rows in as many groups of 16 as there are slots, and behind them a level of their maxima. */
class SampleRows implements Relocatable {
  pointer: number;
  readonly byteLength: number;
  readonly offset: number;
  readonly #memory: SharedMemory;

  constructor(memory: SharedMemory, slotCount: number) {
    this.#memory = memory;
    this.offset = slotCount * FAN * COLUMNS * 2;
    this.byteLength = this.offset + slotCount * COLUMNS * 2;
    this.pointer = memory.allocate(this.byteLength);
    const rows = new Int16Array(memory.memory.buffer, this.pointer, this.offset / 2);
    for (let i = 0; i < rows.length; i++) rows[i] = ((i * 7919) % 1009) - 1;
  }

  maxima(slotCount: number): Int16Array {
    return new Int16Array(this.#memory.memory.buffer, this.pointer + this.offset, slotCount * COLUMNS);
  }

  relocate(): void {
    const before = this.pointer;
    this.pointer = this.#memory.allocate(this.byteLength);
    new Uint8Array(this.#memory.memory.buffer).copyWithin(this.pointer, before, before + this.byteLength);
  }
}

/** What an instruction answered; null for one that does not. */
type Answer = number | readonly number[] | null;

export interface InstructionCase {
  /** Writes it into the world's program; the way to its answer after the run. */
  write(world: ProgramWorld): () => Answer;
  /** The kernel itself. */
  call(world: ProgramWorld, from: number, to: number): Answer;
}

const silent = (write: () => void): (() => null) => {
  write();
  return () => null;
};

const index = fc.nat(2) as fc.Arbitrary<0 | 1 | 2>;
const small = fc.integer({ min: -3, max: 120 });

const filters: fc.Arbitrary<InstructionCase> = fc.constant({
  write: ({ program, entries, mask, feasible }) => {
    const register = program.filterFit(entries, mask, feasible);
    return () => program.number(register);
  },
  call: ({ kernels, entries, mask, feasible }, from, to) =>
    kernels.filterFit(entries.pointer, entries.count, mask.pointer, feasible.pointer, from, to),
});

const resources: fc.Arbitrary<InstructionCase> = fc.tuple(index, fc.nat(1), fc.nat(3)).map(
  ([i, exact, which]): InstructionCase => ({
    write: ({ program: p, entries, whole, percents }) =>
      silent(() => {
        if (which === 0) p.scoreLeastAllocated(entries, whole[i], exact);
        else if (which === 1) p.scoreMostAllocated(entries, whole[i], exact);
        else if (which === 2) p.scoreRequestedToCapacityRatio(entries, percents, whole[i], exact);
        else p.scoreBalancedAllocation(entries, whole[i]);
      }),
    call: ({ kernels: k, entries: { pointer, count }, whole, percents }, from, to) => {
      const out = whole[i].pointer;
      if (which === 0) k.scoreLeastAllocated(pointer, count, out, exact, from, to);
      else if (which === 1) k.scoreMostAllocated(pointer, count, out, exact, from, to);
      else if (which === 2) k.scoreRequestedToCapacityRatio(pointer, count, percents, out, exact, from, to);
      else k.scoreBalancedAllocation(pointer, count, out, from, to);
      return null;
    },
  }),
);

const sums: fc.Arbitrary<InstructionCase> = fc.oneof(
  fc.tuple(index, small).map(
    ([i, value]): InstructionCase => ({
      write: ({ program, whole }) => silent(() => program.fill(whole[i], value)),
      call: ({ kernels, whole }, from, to) => {
        kernels.fill(whole[i].pointer, value, from, to);
        return null;
      },
    }),
  ),
  fc.tuple(index, fc.constantFrom(0, 1, 7, 100), fc.nat(1), index).map(
    ([i, max, reverse, j]): InstructionCase => ({
      write: ({ program, whole }) => silent(() => program.normalize(whole[i], max, reverse, whole[j])),
      call: ({ kernels, whole }, from, to) => {
        kernels.normalize(whole[i].pointer, max, reverse, whole[j].pointer, from, to);
        return null;
      },
    }),
  ),
  fc.tuple(index, small, index).map(
    ([i, weight, j]): InstructionCase => ({
      write: ({ program, whole }) => silent(() => program.addWeighted(whole[i], weight, whole[j])),
      call: ({ kernels, whole }, from, to) => {
        kernels.addWeighted(whole[i].pointer, weight, whole[j].pointer, from, to);
        return null;
      },
    }),
  ),
  fc.tuple(index, index, small, index).map(
    ([i, j, weight, k]): InstructionCase => ({
      write: ({ program, whole }) => silent(() => program.sumWeighted(whole[i], whole[j], weight, whole[k])),
      call: ({ kernels, whole }, from, to) => {
        kernels.sumWeighted(whole[i].pointer, whole[j].pointer, weight, whole[k].pointer, from, to);
        return null;
      },
    }),
  ),
);

const findings: fc.Arbitrary<InstructionCase> = fc.oneof(
  index.map(
    (i): InstructionCase => ({
      write: ({ program, whole, feasible }) => {
        const register = program.maxFeasible(whole[i], feasible);
        return () => program.number(register);
      },
      call: ({ kernels, whole, feasible }, from, to) =>
        kernels.maxFeasible(whole[i].pointer, feasible.pointer, from, to),
    }),
  ),
  index.map(
    (i): InstructionCase => ({
      write: ({ program, whole, feasible, order }) => {
        const register = program.selectBest(whole[i], feasible, order);
        return () => {
          const { total, ties, slot } = program.best(register);
          return [total, ties, slot];
        };
      },
      call: (world, from, to) => {
        const { kernels, whole, feasible, order, out } = world;
        kernels.selectBest(whole[i].pointer, feasible.pointer, order.pointer, out, from, to);
        return [...world.view(SELECT_RESULT_BYTES / 4)];
      },
    }),
  ),
  fc.constant<InstructionCase>({
    write: ({ program, totals, order }) => {
      const register = program.selectBestTotal(totals, order, false);
      return () => {
        const { total, ties, slot } = program.best(register);
        return ties === 0 ? [0] : [ties, total, slot];
      };
    },
    call: (world, from, to) => {
      const { kernels, totals, order, out } = world;
      kernels.selectBestTotal(totals.pointer, order.pointer, 0, out, from, to);
      const [total = -1, ties = 0, slot = -1] = world.view(SELECT_RESULT_BYTES / 4);
      return ties === 0 ? [0] : [ties, total, slot];
    },
  }),
);

const totals: fc.Arbitrary<InstructionCase> = fc.constantFrom<InstructionCase>(
  {
    write: ({ program, block, totals: { pointer } }) => {
      const register = program.countVerdicts(block, 0, pointer, 2);
      return () => [...program.histogram(register)];
    },
    call: (world, from, to) => {
      const {
        kernels,
        block,
        totals: { pointer },
        out,
      } = world;
      const counts = world.view(HISTOGRAM_SIZE).fill(0);
      kernels.countVerdicts(block, 0, pointer, 2, out, from, to);
      return [...counts];
    },
  },
  {
    write: ({ program, rows }) => silent(() => program.writeMaxima(rows, rows.offset)),
    call: ({ kernels, rows: { pointer, offset } }, from, to) => {
      kernels.writeMaxima(pointer, pointer + offset, from, to);
      return null;
    },
  },
);

/** Any program; it may add to what columns held before. */
export const arbitraryInstructions: fc.Arbitrary<readonly InstructionCase[]> = fc.array(
  fc.oneof(filters, resources, sums, findings, totals),
  { maxLength: 14, size: 'max' },
);
