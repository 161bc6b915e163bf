import { assert } from '../lib/assert.ts';
import type { Column, ColumnTable } from '../memory/column-table.ts';
import type { SharedMemory } from '../memory/shared-memory.ts';
import type { Kernels } from './abi.ts';
import { type BestSlot, type RegisterKind, Registers } from './registers.ts';

/** Kernels by the numbers that instructions name them by: assembly/pool/instruction.ts has the same order. */
const OPS = {
  filterFit: 0,
  filterDomains: 1,
  countFeasible: 2,
  fill: 3,
  scoreLeastAllocated: 4,
  scoreMostAllocated: 5,
  scoreRequestedToCapacityRatio: 6,
  scoreBalancedAllocation: 7,
  maxFeasible: 8,
  normalize: 9,
  addWeighted: 10,
  sumWeighted: 11,
  selectBest: 12,
  fillDoubles: 13,
  addDomainScores: 14,
  roundScores: 15,
  scoredRange: 16,
  normalizeSpread: 17,
  normalizeRange: 18,
  scanLane: 19,
  countLane: 20,
  selectBestTotal: 21,
} as const satisfies Partial<Record<keyof Kernels, number>>;

const INSTRUCTION_BYTES = 48;
const WORDS = INSTRUCTION_BYTES / Int32Array.BYTES_PER_ELEMENT;
const DOUBLES = INSTRUCTION_BYTES / Float64Array.BYTES_PER_ELEMENT;
const FIRST_ARGUMENT = 2;
const FIRST_DOUBLE = 4;
/** No profile has as many plugins. */
const INSTRUCTIONS_MAX = 64;

type I32 = Column<'i32'>;
type F64 = Column<'f64'>;

/** A place in shared memory that no instruction writes to. */
interface Place {
  readonly pointer: number;
}

/** Resource entries as abi.ts draws them. */
interface Entries extends Place {
  readonly count: number;
}

/**
 * Kernels to be run one after the other over the same slots: written down once, run by one thread over all slots or by
 * many over a part each. The methods are those of `Kernels` without the range; those that answer return the register
 * in which the answer stands after the run.
 *
 * A program must come to the same whatever its output columns hold before: what it adds to, it has set itself. So a run
 * that was broken off can be repeated.
 *
 *   byte  0   i32  op
 *   byte  4   u32  byte offset of its register among the results
 *   byte  8   6 x i32 or u32  whole numbers and pointers, in the kernel's order
 *   byte 32   2 x f64         doubles, in the kernel's order
 */
export class Program {
  readonly #memory: SharedMemory;
  readonly #registers = new Registers();
  #pointer!: number;
  #words!: Int32Array;
  #doubles!: Float64Array;
  #count = 0;
  /** Columns that it writes to, and for each the word that points to it. */
  readonly #outputs: Column[] = [];
  readonly #outputWords: number[] = [];

  constructor(memory: SharedMemory) {
    this.#memory = memory;
    this.#allocate();
  }

  get pointer(): number {
    return this.#pointer;
  }

  get instructionCount(): number {
    return this.#count;
  }

  /** Merged by those who run the program. */
  get results(): Registers {
    return this.#registers;
  }

  /** To be written anew. */
  clear(): void {
    this.#count = 0;
    this.#outputs.length = 0;
    this.#outputWords.length = 0;
    this.#registers.clear();
  }

  filterFit(entries: Entries, mask: Place, feasible: I32): number {
    return this.#ask('count', OPS.filterFit, entries.pointer, entries.count, mask.pointer, this.#out(3, feasible));
  }

  filterDomains(domains: Place, counts: Place, least: number, most: number, absent: number, feasible: I32): void {
    this.#tell(OPS.filterDomains, domains.pointer, counts.pointer, least, most, absent, this.#out(5, feasible));
  }

  countFeasible(feasible: Place): number {
    return this.#ask('count', OPS.countFeasible, feasible.pointer);
  }

  fill(out: I32, value: number): void {
    this.#tell(OPS.fill, this.#out(0, out), value);
  }

  scoreLeastAllocated({ pointer, count }: Entries, out: I32, exact: number): void {
    this.#tell(OPS.scoreLeastAllocated, pointer, count, this.#out(2, out), exact);
  }

  scoreMostAllocated({ pointer, count }: Entries, out: I32, exact: number): void {
    this.#tell(OPS.scoreMostAllocated, pointer, count, this.#out(2, out), exact);
  }

  scoreRequestedToCapacityRatio({ pointer, count }: Entries, table: number, out: I32, exact: number): void {
    this.#tell(OPS.scoreRequestedToCapacityRatio, pointer, count, table, this.#out(3, out), exact);
  }

  scoreBalancedAllocation({ pointer, count }: Entries, out: I32): void {
    this.#tell(OPS.scoreBalancedAllocation, pointer, count, this.#out(2, out));
  }

  maxFeasible(raw: Place, feasible: Place): number {
    return this.#ask('maximum', OPS.maxFeasible, raw.pointer, feasible.pointer);
  }

  normalize(raw: Place, max: number, reverse: number, out: I32): void {
    this.#tell(OPS.normalize, raw.pointer, max, reverse, this.#out(3, out));
  }

  addWeighted(raw: Place, weight: number, total: I32): void {
    this.#tell(OPS.addWeighted, raw.pointer, weight, this.#out(2, total));
  }

  sumWeighted(base: Place, raw: Place, weight: number, total: I32): void {
    this.#tell(OPS.sumWeighted, base.pointer, raw.pointer, weight, this.#out(3, total));
  }

  selectBest(total: Place, feasible: Place, order: Place): number {
    return this.#ask('best', OPS.selectBest, total.pointer, feasible.pointer, order.pointer);
  }

  fillDoubles(out: F64, value: number): void {
    this.#double(0, value);
    this.#tell(OPS.fillDoubles, this.#out(0, out));
  }

  addDomainScores(domains: Place, counts: Place, factor: number, addend: number, out: F64): void {
    this.#double(0, factor);
    this.#double(1, addend);
    this.#tell(OPS.addDomainScores, domains.pointer, counts.pointer, this.#out(2, out));
  }

  roundScores(raw: F64): void {
    this.#tell(OPS.roundScores, this.#out(0, raw));
  }

  scoredRange(raw: Place, scored: Place): number {
    return this.#ask('range', OPS.scoredRange, raw.pointer, scored.pointer);
  }

  normalizeSpread(raw: Place, scored: Place, least: number, most: number, out: I32): void {
    this.#double(0, least);
    this.#double(1, most);
    this.#tell(OPS.normalizeSpread, raw.pointer, scored.pointer, this.#out(2, out));
  }

  normalizeRange(raw: Place, least: number, most: number, out: I32): void {
    this.#double(0, least);
    this.#double(1, most);
    this.#tell(OPS.normalizeRange, raw.pointer, this.#out(1, out));
  }

  /** `out` takes i16 totals, `stride` bytes apart. */
  scanLane(env: number, group: number, lane: number, out: I32, stride: number): void {
    this.#tell(OPS.scanLane, env, group, lane, this.#out(3, out), stride);
  }

  /** Of a lane that is not tracked: threads cannot share counters by kind. */
  countLane(group: number, lane: number, totals: Place, stride: number): number {
    return this.#ask('count', OPS.countLane, group, lane, totals.pointer, stride);
  }

  selectBestTotal(totals: Place, order: Place, isOrdered: boolean): number {
    return this.#ask('best', OPS.selectBestTotal, totals.pointer, order.pointer, isOrdered ? 1 : 0);
  }

  /** What a `filterFit`, `countFeasible`, `countLane` or `maxFeasible` found. */
  number(register: number): number {
    return this.#registers.number(register);
  }

  /** What a `selectBest` or `selectBestTotal` found. */
  best(register: number): BestSlot {
    return this.#registers.best(register);
  }

  /** What a `scoredRange` found. */
  range(register: number): ReturnType<Registers['range']> {
    return this.#registers.range(register);
  }

  /**
   * The program and the columns that it writes get other bytes; those they had are never used again, because a thread
   * that has gone missing may still write there.
   */
  moveAway(table: ColumnTable): void {
    const words = this.#words;
    this.#allocate();
    this.#words.set(words);
    for (const column of new Set(this.#outputs)) table.relocate(column);
    this.#outputs.forEach((column, i) => {
      this.#words[this.#outputWords[i] ?? 0] = column.pointer;
    });
  }

  #allocate(): void {
    const bytes = INSTRUCTIONS_MAX * INSTRUCTION_BYTES;
    this.#pointer = this.#memory.allocate(bytes, 'program');
    const { buffer } = this.#memory.memory;
    this.#words = new Int32Array(buffer, this.#pointer, INSTRUCTIONS_MAX * WORDS);
    this.#doubles = new Float64Array(buffer, this.#pointer, INSTRUCTIONS_MAX * DOUBLES);
  }

  /** The pointer to a column that the next instruction writes, as its argument `index`. */
  #out(index: number, column: Column): number {
    this.#outputs.push(column);
    this.#outputWords.push(this.#count * WORDS + FIRST_ARGUMENT + index);
    return column.pointer;
  }

  /** A double of the next instruction. */
  #double(index: number, value: number): void {
    this.#doubles[this.#count * DOUBLES + FIRST_DOUBLE + index] = value;
  }

  #tell(op: number, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0): void {
    this.#write(op, 0, a, b, c, d, e, f);
  }

  #ask(kind: RegisterKind, op: number, a = 0, b = 0, c = 0, d = 0): number {
    const register = this.#registers.add(kind);
    this.#write(op, register, a, b, c, d, 0, 0);
    return register;
  }

  #write(op: number, register: number, a: number, b: number, c: number, d: number, e: number, f: number): void {
    assert(this.#count < INSTRUCTIONS_MAX, `a program has at most ${INSTRUCTIONS_MAX} instructions`);
    const at = this.#count * WORDS;
    const words = this.#words;
    words[at] = op;
    words[at + 1] = register;
    words[at + FIRST_ARGUMENT] = a;
    words[at + FIRST_ARGUMENT + 1] = b;
    words[at + FIRST_ARGUMENT + 2] = c;
    words[at + FIRST_ARGUMENT + 3] = d;
    words[at + FIRST_ARGUMENT + 4] = e;
    words[at + FIRST_ARGUMENT + 5] = f;
    this.#count++;
  }
}
