/**
 * The signature index as the host lays it out: src/engine/index/layout.ts draws the same records, and the layout test
 * compares the two.
 *
 * A *totals block* holds the totals of eight pod signatures on every node: one row (i16 x 8) per node, one column per
 * signature, so that a node that changes costs one update for all eight. Above the rows stands a tree: each level has,
 * column by column, the maximum of 16 rows below.
 */

import { checkBounds } from '../memory/bounds';

/** Columns of a block. */
export const COLUMNS: i32 = 8;
/** Bytes of one row: eight i16. */
export const ROW_BYTES: usize = 16;
/** Rows below one row of the next level: 1 << FAN_SHIFT. */
export const FAN_SHIFT: i32 = 4;
export const FAN: i32 = 16;
/** The total of a node on which a pod with the signature does not fit. */
export const INFEASIBLE: i32 = -1;

/** Why `placePods` stopped early. */
export const STOP_NONE: i32 = 0;
export const STOP_INFEASIBLE: i32 = 1;
export const STOP_STALE: i32 = 2;
export const STOP_NORMALIZE: i32 = 3;

export const STRATEGY_LEAST_ALLOCATED: i32 = 0;
export const STRATEGY_MOST_ALLOCATED: i32 = 1;

/** A rescan of one column costs about this share of a row update per node. */
const RESCAN_SHARE: i64 = 12;

/** One per cluster: pointers to node columns, the log of slots that changed, and how NodeResourcesFit scores. */
@unmanaged
export class NodeEnvironment {
  allocatablePods: usize;
  requestedPods: usize;
  allocatableCpu: usize;
  requestedCpu: usize;
  allocatableMemory: usize;
  requestedMemory: usize;
  nonZeroCpu: usize;
  nonZeroMemory: usize;
  headroom: usize;
  inverseCpu: usize;
  inverseMemory: usize;
  order: usize;
  log: usize;
  /** Capacity of the log, a power of two, less one. */
  logMask: u32;
  /** Entries ever written to the log. */
  logEnd: i64;
  cpuWeight: f64;
  memoryWeight: f64;
  /** 1 / their sum. */
  inverseWeight: f64;
  slotCount: i32;
  /** 1: slots stand in the order in which their nodes were learned of. */
  isOrdered: i32;
  strategy: i32;
  /** 101 scores, one per whole percent. */
  percentTable: usize;
  stopReason: i32;
  /** 1: some slot was ever without cpu or memory, which LeastAllocated then leaves out. */
  hasLacking: i32;
  /** Derived: allocatable less requests, and less non-zero requests; percents of cpu less of memory that are used. */
  freeCpu: usize;
  freeMemory: usize;
  spareCpu: usize;
  spareMemory: usize;
  skew: usize;
}

/** The head of a totals block; sets of columns have one bit per column. What follows has an offset below. */
@unmanaged
export class TotalsBlock {
  rows: usize;
  levelCount: i32;
  /** How far in the log the rows are. */
  cursor: i64;
  /** Columns in use. */
  columns: i32;
  /** Columns for which feasible nodes are counted by verdict id. */
  tracked: i32;
  /** Columns whose normalisation may have changed. */
  dirty: i32;
  /** Columns with resources beside pods, cpu and memory to filter by. */
  extras: i32;
  /** 1: the columns are scored by cpu and memory with LeastAllocated, and nothing else; 3: and all are tight. */
  isStandard: i32;
  /** Pointer to level 1 of the tree; those to the levels above it follow. */
  firstLevel: usize;
}

/** It is taken from the headroom of nodes that have no room for one more pod. */
export const FULL: i32 = 0x4000;
/** A column is tight if what is balanced has to fit: then no node that fits is used by more than 100 percent. */
const TIGHT: i32 = 2;
const IS_ALIKE: usize = 60;
// Arrays with one element per column: a class has no fields for them.
export const CPU_REQUESTS: usize = 64;
export const MEMORY_REQUESTS: usize = 128;
export const SCORED_CPU: usize = 192;
export const SCORED_MEMORY: usize = 256;
export const BALANCED_CPU: usize = 320;
export const BALANCED_MEMORY: usize = 384;
const VERDICT_COUNTS: usize = 448;
const FEASIBLE_NODES: usize = 480;
const VERDICT_IDS: usize = 512;
const STATIC_TOTALS: usize = 544;
const COUNTS_BY_VERDICT: usize = 576;
export const FILTER_ENTRIES: usize = 608;
export const FIT_ENTRIES: usize = 672;
export const BALANCED_ENTRIES: usize = 736;
export const EXTRA_ENTRIES: usize = 800;
export const CHARGES: usize = 864;
const FLIPS: usize = 928;
// Weights are i16.
export const FIT_WEIGHTS: usize = 960;
export const BALANCED_WEIGHTS: usize = 976;
/** The distance from the pointers of lists to their lengths. */
const LIST_LENGTHS: usize = 32;

/** A charge: what a pod with the signature adds to one f64 column when it is placed. */
@unmanaged
export class Charge {
  column: usize;
  amount: f64;
}

// --- the environment ------------------------------------------------------------------------------------------------

@inline
export function appendLog(env: NodeEnvironment, slot: i32): void {
  const end = env.logEnd;
  store<i32>(env.log + (usize(end & i64(env.logMask)) << 2), slot);
  env.logEnd = end + 1;
}

/** Whether LeastAllocated weighs cpu and memory with 1. */
@inline
export function isPlain(env: NodeEnvironment): bool {
  return env.cpuWeight == 1 && env.memoryWeight == 1;
}

// --- a totals block -------------------------------------------------------------------------------------------------

/** Level 0 is the rows. */
@inline
export function levelOf(block: TotalsBlock, level: i32): usize {
  if (level == 0) return block.rows;
  return load<usize>(changetype<usize>(block) + (usize(level - 1) << 2), offsetof<TotalsBlock>('firstLevel'));
}

/** Whether the requests and weights of all columns in use are the same. */
@inline
export function isAlike(block: TotalsBlock): bool {
  return load<i32>(changetype<usize>(block) + IS_ALIKE) != 0;
}

/** Whether all columns in use are tight. */
@inline
export function areTight(block: TotalsBlock): bool {
  return (block.isStandard & TIGHT) != 0;
}

/** Whether one column is tight. */
@inline
export function isTight(block: TotalsBlock, column: i32): bool {
  const at = changetype<usize>(block) + (usize(column) << 3);
  return (
    load<f64>(at, CPU_REQUESTS) == load<f64>(at, BALANCED_CPU) &&
    load<f64>(at, MEMORY_REQUESTS) == load<f64>(at, BALANCED_MEMORY)
  );
}

@inline
function wordOf(block: TotalsBlock, field: usize, column: i32): usize {
  return changetype<usize>(block) + field + (usize(column) << 2);
}

/** Pointer to a list of records. */
@inline
export function listOf(block: TotalsBlock, field: usize, column: i32): usize {
  return load<usize>(wordOf(block, field, column));
}

@inline
export function listLength(block: TotalsBlock, field: usize, column: i32): i32 {
  return load<i32>(wordOf(block, field, column), LIST_LENGTHS);
}

@inline
export function feasibleNodes(block: TotalsBlock, column: i32): i32 {
  return load<i32>(wordOf(block, FEASIBLE_NODES, column));
}

@inline
export function setFeasibleNodes(block: TotalsBlock, column: i32, count: i32): void {
  store<i32>(wordOf(block, FEASIBLE_NODES, column), count);
}

/** How often a node has become feasible or infeasible for a column of the block. */
@inline
export function flipsOf(block: TotalsBlock): i32 {
  return load<i32>(changetype<usize>(block) + FLIPS);
}

@inline
export function countFlip(block: TotalsBlock): void {
  store<i32>(changetype<usize>(block) + FLIPS, flipsOf(block) + 1);
}

@inline
export function weightOf(block: TotalsBlock, field: usize, column: i32): i32 {
  return i32(load<i16>(changetype<usize>(block) + field + (usize(column) << 1)));
}

/** The number of one column, twice, for kernels that take two nodes a step. */
@inline
export function doublesOf(block: TotalsBlock, field: usize, column: i32): v128 {
  return v128.load_splat<f64>(changetype<usize>(block) + field + (usize(column) << 3));
}

/** Which verdict the node in the slot has got, as the node verdicts of the signature number them. */
@inline
export function verdictIdOf(block: TotalsBlock, column: i32, slot: i32): usize {
  if (!ASC_NO_ASSERT) checkVerdictIds(block, column, slot, slot + 1);
  return usize(load<u16>(verdictIdsOf(block, column) + (usize(slot) << 1)));
}

/** In the guarded build: tables by verdict id have room for the ids of these slots. */
export function checkVerdictIds(block: TotalsBlock, column: i32, from: i32, to: i32): void {
  const table = staticTotalsOf(block, column);
  const length = verdictCount(block, column);
  for (let slot = from; slot < to; slot++) {
    checkBounds(table, i32(load<u16>(verdictIdsOf(block, column) + (usize(slot) << 1))), length);
  }
}

/** The address of the i16 total that a node with its verdict gets outside the resource kernels. */
@inline
export function staticTotalPointer(block: TotalsBlock, column: i32, slot: i32): usize {
  return staticTotalsOf(block, column) + (verdictIdOf(block, column, slot) << 1);
}

/** What a node with its verdict scores outside the resource kernels; INFEASIBLE when the verdict rejects it. */
@inline
export function staticTotal(block: TotalsBlock, column: i32, slot: i32): i32 {
  return i32(load<i16>(staticTotalPointer(block, column, slot)));
}

/** Verdict ids lie below this. */
@inline
export function verdictCount(block: TotalsBlock, column: i32): i32 {
  return load<i32>(wordOf(block, VERDICT_COUNTS, column));
}

/** u16 per slot. */
@inline
export function verdictIdsOf(block: TotalsBlock, column: i32): usize {
  return load<usize>(wordOf(block, VERDICT_IDS, column));
}

/** i16 per verdict id. */
@inline
export function staticTotalsOf(block: TotalsBlock, column: i32): usize {
  return load<usize>(wordOf(block, STATIC_TOTALS, column));
}

/** Pointer to the number of feasible nodes with this verdict, for tracked columns. */
@inline
export function countPointer(block: TotalsBlock, column: i32, verdictId: usize): usize {
  return load<usize>(wordOf(block, COUNTS_BY_VERDICT, column)) + (verdictId << 2);
}

@inline
export function isStale(env: NodeEnvironment, block: TotalsBlock): bool {
  const lag = env.logEnd - block.cursor;
  return lag > i64(env.logMask) || lag * RESCAN_SHARE > i64(env.slotCount) * i64(popcnt(block.columns)) + 64;
}
