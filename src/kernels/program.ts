import { assert } from '../lib/assert.ts';
import { Column, type ColumnTable } from '../memory/column-table.ts';
import type { SharedMemory } from '../memory/shared-memory.ts';
import {
  type CommandName,
  type InstructionName,
  type InstructionWords,
  KERNEL_TABLE,
  type KernelEntry,
  OPCODES,
  type QueryName,
  type RegisterKind,
} from './kernel-table.ts';
import { type BestSlot, Registers } from './registers.ts';

/** The size of an instruction, as in the kernels. @internal */
export const INSTRUCTION_BYTES = 32;
const WORDS = INSTRUCTION_BYTES / Int32Array.BYTES_PER_ELEMENT;
const FIRST_ARGUMENT = 2;
/** The capacity of a program. A profile needs about two instructions per plugin. */
const INSTRUCTIONS_MAX = 64;

type I32 = Column<'i32'>;

/** A place in shared memory that no instruction writes to. */
interface Place {
  readonly pointer: number;
}

/** Bytes outside of columns to which instructions write. */
export interface Relocatable {
  readonly pointer: number;
  readonly byteLength: number;
  /** Moves to other bytes; the old bytes are never used again. */
  relocate(): void;
}

type Output = Column | Relocatable;

/** The move of the bytes [from, end). */
interface Move {
  readonly from: number;
  readonly end: number;
  readonly distance: number;
}

/** The methods of a program: one for every kernel with an opcode. */
type Instructions = { readonly [Name in InstructionName]: (...words: never[]) => unknown };

/** Resource entries as abi.ts draws them. */
interface Entries extends Place {
  readonly count: number;
}

/**
 * A list of kernel calls for the same slots. It is written once, and run by one thread for all slots, or by many
 * threads for a part each. The methods are those of `Kernels` without the range; a method with a result returns the
 * register that holds the result after the run.
 *
 * The results of a program must not depend on the previous values of its output columns, so that a run that was broken
 * off can be repeated.
 *
 *   byte  0   i32  opcode
 *   byte  4   u32  byte offset of its register among the results
 *   byte  8   5 x i32 or u32  whole numbers and pointers, in the kernel's order
 */
export class Program implements Instructions {
  /**
   * Whether the program builds an index. Its runs are rare, so threads sleep before each, and scan the same columns.
   */
  readonly isBuild: boolean;
  readonly #memory: SharedMemory;
  readonly #registers = new Registers();
  #pointer!: number;
  #words!: Int32Array;
  #count = 0;
  /** The bytes to which the program writes. */
  readonly #outputs: Output[] = [];

  constructor(memory: SharedMemory, isBuild = false) {
    this.isBuild = isBuild;
    this.#memory = memory;
    this.#allocate();
  }

  get pointer(): number {
    return this.#pointer;
  }

  get instructionCount(): number {
    return this.#count;
  }

  /** The registers into which a runner merges those of its threads. */
  get results(): Registers {
    return this.#registers;
  }

  /** Removes all instructions, so that the program can be written anew. */
  clear(): void {
    this.#count = 0;
    this.#outputs.length = 0;
    this.#registers.clear();
  }

  filterFit(entries: Entries, mask: Place, feasible: I32): number {
    return this.#query('filterFit', entries.pointer, entries.count, mask.pointer, this.#out(feasible));
  }

  fill(out: I32, value: number): void {
    this.#command('fill', this.#out(out), value);
  }

  scoreLeastAllocated({ pointer, count }: Entries, out: I32, exact: number): void {
    this.#command('scoreLeastAllocated', pointer, count, this.#out(out), exact);
  }

  scoreMostAllocated({ pointer, count }: Entries, out: I32, exact: number): void {
    this.#command('scoreMostAllocated', pointer, count, this.#out(out), exact);
  }

  scoreRequestedToCapacityRatio({ pointer, count }: Entries, table: number, out: I32, exact: number): void {
    this.#command('scoreRequestedToCapacityRatio', pointer, count, table, this.#out(out), exact);
  }

  scoreBalancedAllocation({ pointer, count }: Entries, out: I32): void {
    this.#command('scoreBalancedAllocation', pointer, count, this.#out(out));
  }

  maxFeasible(raw: Place, feasible: Place): number {
    return this.#query('maxFeasible', raw.pointer, feasible.pointer);
  }

  normalize(raw: Place, max: number, reverse: number, out: I32): void {
    this.#command('normalize', raw.pointer, max, reverse, this.#out(out));
  }

  addWeighted(raw: Place, weight: number, total: I32): void {
    this.#command('addWeighted', raw.pointer, weight, this.#out(total));
  }

  sumWeighted(base: Place, raw: Place, weight: number, total: I32): void {
    this.#command('sumWeighted', base.pointer, raw.pointer, weight, this.#out(total));
  }

  selectBest(total: Place, feasible: Place, order: Place): number {
    return this.#query('selectBest', total.pointer, feasible.pointer, order.pointer);
  }

  /** Writes i16 totals to `out`, the first at `offset` bytes, the next ones `stride` bytes apart. */
  scanTotals(env: number, block: number, column: number, out: Output, offset: number, stride: number): void {
    this.#command('scanTotals', env, block, column, this.#out(out) + offset, stride);
  }

  /** Counts the totals of a column that is not tracked, since threads cannot share counters by verdict id. */
  countTotals(block: number, column: number, totals: number, stride: number): number {
    return this.#query('countTotals', block, column, totals, stride);
  }

  /** Counts the totals by verdict id, of a column with verdict ids below HISTOGRAM_SIZE. */
  countVerdicts(block: number, column: number, totals: number, stride: number): number {
    return this.#query('countVerdicts', block, column, totals, stride);
  }

  /** Writes the maxima above the rows of a block, whose lowest level begins at `offset` bytes. */
  writeMaxima(rows: Relocatable, offset: number): void {
    this.#command('writeMaxima', rows.pointer, this.#out(rows) + offset);
  }

  selectBestTotal(totals: Place, order: Place, isOrdered: boolean): number {
    return this.#query('selectBestTotal', totals.pointer, order.pointer, isOrdered ? 1 : 0);
  }

  /** The result of `filterFit`, `countTotals` or `maxFeasible`. */
  number(register: number): number {
    return this.#registers.number(register);
  }

  /** The result of `countVerdicts`, valid until the next run. */
  histogram(register: number): Int32Array {
    return this.#registers.histogram(register);
  }

  /** The result of `selectBest` or `selectBestTotal`. */
  best(register: number): BestSlot {
    return this.#registers.best(register);
  }

  /**
   * Moves the program and its outputs to other bytes. The old bytes are never used again, because a missing thread may
   * still write there.
   */
  moveAway(table: ColumnTable): void {
    const words = this.#words;
    this.#allocate();
    this.#words.set(words);
    const moves = [...new Set(this.#outputs)].map((output): Move => {
      const { pointer: from } = output;
      const isColumn = output instanceof Column;
      const bytes = isColumn ? output.values.byteLength : output.byteLength;
      if (isColumn) table.relocate(output);
      else output.relocate();
      return { from, end: from + bytes, distance: output.pointer - from };
    });
    for (let at = 0; at < this.#count * WORDS; at += WORDS) this.#redirect(at, moves);
  }

  /** Changes the pointers of an instruction into bytes that have moved. */
  #redirect(at: number, moves: readonly Move[]): void {
    const entry = Object.values<KernelEntry>(KERNEL_TABLE).find(({ opcode }) => opcode === this.#words[at]);
    Object.values(entry?.arguments ?? {}).forEach((type, index) => {
      const word = at + FIRST_ARGUMENT + index;
      if (type !== 'pointer' || word >= at + WORDS) return;
      const pointer = (this.#words[word] ?? 0) >>> 0;
      const move = moves.find(({ from, end }) => pointer >= from && pointer < end);
      if (move !== undefined) this.#words[word] = pointer + move.distance;
    });
  }

  #allocate(): void {
    const bytes = INSTRUCTIONS_MAX * INSTRUCTION_BYTES;
    this.#pointer = this.#memory.allocate(bytes, 'program');
    const { buffer } = this.#memory.memory;
    this.#words = new Int32Array(buffer, this.#pointer, INSTRUCTIONS_MAX * WORDS);
  }

  /** Returns the pointer to an output of the next instruction, and keeps the output. */
  #out(output: Output): number {
    this.#outputs.push(output);
    return output.pointer;
  }

  // The overloads let the compiler check the words against the table, without an array at run time.
  #command<Name extends CommandName>(name: Name, ...words: InstructionWords<Name>): void;
  #command(name: CommandName, a = 0, b = 0, c = 0, d = 0, e = 0): void {
    this.#write(OPCODES[name], 0, a, b, c, d, e);
  }

  #query<Name extends QueryName<RegisterKind>>(name: Name, ...words: InstructionWords<Name>): number;
  #query(name: QueryName<RegisterKind>, a = 0, b = 0, c = 0, d = 0): number {
    const register = this.#registers.add(KERNEL_TABLE[name].register);
    this.#write(OPCODES[name], register, a, b, c, d, 0);
    return register;
  }

  #write(opcode: number, register: number, a: number, b: number, c: number, d: number, e: number): void {
    assert(this.#count < INSTRUCTIONS_MAX, `a program has at most ${INSTRUCTIONS_MAX} instructions`);
    const at = this.#count * WORDS;
    const words = this.#words;
    words[at] = opcode;
    words[at + 1] = register;
    words[at + FIRST_ARGUMENT] = a;
    words[at + FIRST_ARGUMENT + 1] = b;
    words[at + FIRST_ARGUMENT + 2] = c;
    words[at + FIRST_ARGUMENT + 3] = d;
    words[at + FIRST_ARGUMENT + 4] = e;
    this.#count++;
  }
}
