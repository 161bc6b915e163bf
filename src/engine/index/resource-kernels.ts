import type { AllocationForm } from '../../framework/column-forms.ts';
import type { ActiveTrace } from '../../framework/tracing/active-trace.ts';
import type { Trace } from '../../framework/tracing/tracer.ts';
import { FIT_EXCEEDS_ALLOCATABLE, FIT_INSUFFICIENT, FIT_OK, type Kernels } from '../../kernels/abi.ts';
import type { Program } from '../../kernels/program.ts';
import { assert } from '../../lib/assert.ts';
import type { Column } from '../../memory/column-table.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import type { EngineModules } from './engine-modules.ts';
import type { KernelPlugins } from './kernel-plugins.ts';
import type { PodSignature } from './pod-signature.ts';
import type { ResourceEntry } from './resource-entries.ts';

/** One i32 score for each whole percent of utilisation, 0 to 100. */
const PERCENT_TABLE_LENGTH = 101;

type ResourceKernelsModules = Pick<EngineModules, 'kernels' | 'memory' | 'columns' | 'framework'>;

/** Writes the scores by percent for RequestedToCapacityRatio; returns their address. */
export function writePercentTable(memory: SharedMemory, form: AllocationForm | undefined): number {
  const table = memory.allocate(PERCENT_TABLE_LENGTH * Int32Array.BYTES_PER_ELEMENT, 'scores by percent');
  new Int32Array(memory.memory.buffer, table, PERCENT_TABLE_LENGTH).set(form?.scoreOfPercent ?? []);
  return table;
}

/** The answer of `fitReasons` for one slot. */
export function fitReasonAt({ allocatable, requested, podRequest }: ResourceEntry, slot: number): number {
  const capacity = allocatable.values[slot] as number;
  const request = Number(podRequest);
  if (request > capacity) return FIT_EXCEEDS_ALLOCATABLE;
  return request > capacity - (requested.values[slot] as number) ? FIT_INSUFFICIENT : FIT_OK;
}

/** The kernels that compute with a signature's requests, for a range of slots. */
export class ResourceKernels {
  readonly plugins: KernelPlugins;
  readonly #kernels: Kernels;
  readonly #columns: NodeColumns;
  readonly #percentTable: number;
  readonly #activeTrace: ActiveTrace;

  constructor({ kernels, memory, columns, framework }: ResourceKernelsModules, plugins: KernelPlugins) {
    this.#kernels = kernels;
    this.#columns = columns;
    this.plugins = plugins;
    this.#activeTrace = framework.activeTrace;
    this.#percentTable = writePercentTable(memory, plugins.allocation?.form);
  }

  /** Writes to `feasible` which slots have room and pass the verdicts' mask; returns how many do. */
  filter({ filterEntries, verdicts }: PodSignature, feasible: number, from: number, to: number): number {
    const trace = this.plugins.filter === undefined ? null : this.#traceOf(to - from);
    trace?.startPlugin('filter', this.plugins.filter?.name ?? '');
    const { pointer, count } = filterEntries;
    const feasibleCount = this.#kernels.filterFit(pointer, count, verdicts.mask.pointer, feasible, from, to);
    trace?.end();
    return feasibleCount;
  }

  /**
   * Whether one slot has room and passes the verdicts' mask, as `filter` finds it. A call of a kernel takes longer than
   * a comparison, and each memory compiles its entries anew once they have been called often.
   */
  accepts({ filterEntries, verdicts }: PodSignature, slot: number): boolean {
    if (verdicts.mask.values[slot] === 0) return false;
    for (const entry of filterEntries.entries) if (fitReasonAt(entry, slot) !== FIT_OK) return false;
    return true;
  }

  /** Writes why the slots lack room for one of a signature's resources, one byte for each slot. */
  fitReasons({ allocatable, requested, podRequest }: ResourceEntry, out: number, from: number, to: number): void {
    this.#kernels.fitReasons(allocatable.pointer, requested.pointer, Number(podRequest), out, from, to);
  }

  /** Writes the raw scores of a plugin with an allocation or balance form to the i32 column at `out`. */
  score(plugin: string, signature: PodSignature, out: number, from: number, to: number): void {
    const trace = this.#traceOf(to - from);
    trace?.startPlugin('score', plugin);
    this.#score(plugin, signature, out, from, to);
    trace?.end();
  }

  /** A single row is not traced, because it takes no longer than reading the clock. */
  #traceOf(slots: number): Trace | null {
    return slots > 1 ? this.#activeTrace.trace : null;
  }

  #score(
    plugin: string,
    { fitScoreEntries, balancedEntries }: PodSignature,
    out: number,
    from: number,
    to: number,
  ): void {
    const kernels = this.#kernels;
    const exact = this.#columns.needsExactScores ? 1 : 0;
    if (plugin === this.plugins.balance?.name) {
      kernels.scoreBalancedAllocation(balancedEntries.pointer, balancedEntries.count, out, from, to);
      return;
    }
    const { allocation } = this.plugins;
    assert(allocation?.name === plugin, `no kernel scores for ${plugin}`);
    const { pointer, count } = fitScoreEntries;
    switch (allocation.form.strategy) {
      case 'LeastAllocated':
        kernels.scoreLeastAllocated(pointer, count, out, exact, from, to);
        break;
      case 'MostAllocated':
        kernels.scoreMostAllocated(pointer, count, out, exact, from, to);
        break;
      case 'RequestedToCapacityRatio':
        kernels.scoreRequestedToCapacityRatio(pointer, count, this.#percentTable, out, exact, from, to);
        break;
    }
  }

  /** Adds `filter` to a program; returns the register of the count. */
  planFilter(program: Program, { filterEntries, verdicts }: PodSignature, feasible: Column<'i32'>): number {
    return program.filterFit(filterEntries, verdicts.mask, feasible);
  }

  /** Adds `score` to a program. */
  planScore(program: Program, plugin: string, signature: PodSignature, out: Column<'i32'>): void {
    const { fitScoreEntries, balancedEntries } = signature;
    const exact = this.#columns.needsExactScores ? 1 : 0;
    if (plugin === this.plugins.balance?.name) {
      program.scoreBalancedAllocation(balancedEntries, out);
      return;
    }
    const { allocation } = this.plugins;
    assert(allocation?.name === plugin, `no kernel scores for ${plugin}`);
    switch (allocation.form.strategy) {
      case 'LeastAllocated':
        program.scoreLeastAllocated(fitScoreEntries, out, exact);
        break;
      case 'MostAllocated':
        program.scoreMostAllocated(fitScoreEntries, out, exact);
        break;
      case 'RequestedToCapacityRatio':
        program.scoreRequestedToCapacityRatio(fitScoreEntries, this.#percentTable, out, exact);
        break;
    }
  }
}
