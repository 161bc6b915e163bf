import { expect } from 'vitest';
import { type Kernels, RESOURCE_ENTRY_BYTES, SELECT_RESULT_BYTES } from '../../src/kernels/abi.ts';
import { instantiate, type KernelKind } from '../../src/kernels/load.ts';
import type { ResourceAnswers, ResourceSlots, ScoreAnswers, ScoreSlots } from './cases.ts';

const SLOT_CAPACITY = 64;
const RESOURCE_CAPACITY = 4;
const FIRST_BYTE = 65_536;
const ARENA_BYTES = 65_536;

/** The half-open range of slots that a kernel is asked for. */
export interface SlotRange {
  readonly from: number;
  readonly to: number;
}

/** Asks one kernel build; every call is checked to write nothing but its own range of its own output. */
export class KernelRunner {
  readonly kernels: Kernels;
  readonly #memory = new WebAssembly.Memory({ initial: 2, maximum: 2, shared: true });
  #used = FIRST_BYTE;
  readonly #mask = this.#allocate(SLOT_CAPACITY);
  readonly #table = this.#allocate(101 * 4);
  readonly #entries = this.#allocate(RESOURCE_CAPACITY * RESOURCE_ENTRY_BYTES);
  readonly #f64 = Array.from({ length: 2 * RESOURCE_CAPACITY }, () => this.#allocate(SLOT_CAPACITY * 8));
  readonly #raw = this.#allocate(SLOT_CAPACITY * 4);
  readonly #feasible = this.#allocate(SLOT_CAPACITY * 4);
  readonly #order = this.#allocate(SLOT_CAPACITY * 4);
  readonly #out = this.#allocate(SLOT_CAPACITY * 4);

  constructor(kind: KernelKind) {
    this.kernels = instantiate(kind, this.#memory);
  }

  /** The results of the resource kernels for the range; the first entry belongs to slot `from`. */
  askResources(slots: ResourceSlots, range: SlotRange): ResourceAnswers {
    const { kernels: k } = this;
    const { from, to } = range;
    const out = this.#out;
    const entries = this.#entries;
    const count = slots.resources.length;
    const exact = slots.exact ? 1 : 0;
    this.#writeResources(slots);
    let feasibleCount = 0;
    return {
      feasible: this.#scores(range, () => {
        feasibleCount = k.filterFit(entries, count, this.#mask, out, from, to);
      }),
      feasibleCount,
      reasons: slots.resources.map(({ podRequest }, index) => {
        const [allocatable, requested] = this.#columns(index);
        return [...this.#written(range, 1, () => k.fitReasons(allocatable, requested, podRequest, out, from, to))];
      }),
      least: this.#scores(range, () => k.scoreLeastAllocated(entries, count, out, exact, from, to)),
      most: this.#scores(range, () => k.scoreMostAllocated(entries, count, out, exact, from, to)),
      ratio: this.#scores(range, () =>
        k.scoreRequestedToCapacityRatio(entries, count, this.#table, out, exact, from, to),
      ),
      balanced: this.#scores(range, () => k.scoreBalancedAllocation(entries, count, out, from, to)),
    };
  }

  askScores(slots: ScoreSlots, value: number, range: SlotRange): ScoreAnswers {
    const { kernels: k } = this;
    const { from, to } = range;
    const [raw, feasible, order, out] = [this.#raw, this.#feasible, this.#order, this.#out];
    const { max, weight, best } = slots;
    this.#i32(raw).set(slots.raw);
    this.#i32(feasible).set(slots.feasible.map((is) => (is ? -1 : 0)));
    this.#i32(order).set(slots.order);
    const total = this.#f64[0] as number;
    this.#i32(total).set(slots.total);
    const selected = this.#scores({ from: 0, to: SELECT_RESULT_BYTES / 4 }, () =>
      k.selectBest(total, feasible, order, out, from, to),
    );
    let tieCount = 0;
    const ties = this.#scores({ from: 0, to: Math.max(0, to - from) }, () => {
      tieCount = k.collectTies(total, feasible, best, out, from, to);
    });
    return {
      maxFeasible: k.maxFeasible(raw, feasible, from, to),
      normalized: this.#scores(range, () => k.normalize(raw, max, 0, out, from, to)),
      reversed: this.#scores(range, () => k.normalize(raw, max, 1, out, from, to)),
      weighted: this.#scores(range, () => k.addWeighted(raw, weight, out, from, to), slots.total),
      summed: this.#scores(range, () => k.sumWeighted(total, raw, weight, out, from, to)),
      filled: this.#scores(range, () => k.fill(out, value, from, to)),
      selected: selected as unknown as ScoreAnswers['selected'],
      ties: ties.slice(0, tieCount),
    };
  }

  #writeResources(slots: ResourceSlots): void {
    new Uint8Array(this.#memory.buffer, this.#mask).set(slots.mask);
    this.#i32(this.#table).set(slots.table);
    const entries = new DataView(this.#memory.buffer, this.#entries);
    for (const [index, { allocatable, requested, podRequest, weight }] of slots.resources.entries()) {
      const pointers = this.#columns(index);
      new Float64Array(this.#memory.buffer, pointers[0]).set(allocatable);
      new Float64Array(this.#memory.buffer, pointers[1]).set(requested);
      const entry = index * RESOURCE_ENTRY_BYTES;
      entries.setUint32(entry, pointers[0], true);
      entries.setUint32(entry + 4, pointers[1], true);
      entries.setFloat64(entry + 8, podRequest, true);
      entries.setFloat64(entry + 16, weight, true);
    }
  }

  /** The i32 output in the range after `call`; before it, it holds `initial`, or rubbish. */
  #scores(range: SlotRange, call: () => void, initial?: readonly number[]): number[] {
    const bytes = this.#written(range, 4, call, initial);
    return [...new Int32Array(bytes.buffer, 0, bytes.length / 4)];
  }

  #written(range: SlotRange, width: number, call: () => void, initial?: readonly number[]): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#memory.buffer);
    all.fill(0xa5, this.#out, this.#out + SLOT_CAPACITY * 4);
    if (initial !== undefined) this.#i32(this.#out).set(initial);
    const start = this.#out + range.from * width;
    const end = Math.max(start, this.#out + range.to * width);
    const before = all.slice();
    call();
    const after = all.slice();
    const written = after.slice(start, end);
    after.set(before.subarray(start, end), start);
    expect(Buffer.compare(after, before), 'bytes outside the range are as they were').toBe(0);
    return written;
  }

  #columns(resource: number): [allocatable: number, requested: number] {
    return [this.#f64[2 * resource] as number, this.#f64[2 * resource + 1] as number];
  }

  #i32(pointer: number): Int32Array {
    return new Int32Array(this.#memory.buffer, pointer);
  }

  #allocate(bytes: number): number {
    const pointer = this.#used;
    this.#used += Math.ceil(bytes / 8) * 8;
    expect(this.#used).toBeLessThanOrEqual(FIRST_BYTE + ARENA_BYTES);
    return pointer;
  }
}
