/**
 * The class index as the host lays it out (src/engine/index/layout.ts has the same numbers, drawn).
 *
 * A *lane* holds the total of one pod class on every node; eight lanes make a *group*, whose rows (i16 x 8, one per
 * node) are updated together. Above the rows stands a tree: each level has, lane by lane, the maximum of 16 rows below.
 */

import { checkBounds } from '../memory/bounds';

export const LANES: i32 = 8;
/** Bytes of one row: eight i16. */
export const ROW_BYTES: usize = 16;
/** Rows below one row of the next level: 1 << FAN_SHIFT. */
export const FAN_SHIFT: i32 = 4;
export const FAN: i32 = 16;
/** The total of a node on which the class does not fit. */
export const INFEASIBLE: i32 = -1;

/** Why `placePods` stopped early. */
export const STOP_NONE: i32 = 0;
export const STOP_INFEASIBLE: i32 = 1;
export const STOP_STALE: i32 = 2;
export const STOP_NORMALIZE: i32 = 3;

/** A rescan of one lane costs about this share of a row update per node. */
const RESCAN_SHARE: i64 = 12;

// --- the environment: one per cluster -----------------------------------------------------------------------------

@inline
export function columnOf(env: usize, offset: usize): usize {
  return usize(load<u32>(env + offset));
}

export const ALLOCATABLE_PODS: usize = 0;
export const REQUESTED_PODS: usize = 4;
export const ALLOCATABLE_CPU: usize = 8;
export const REQUESTED_CPU: usize = 12;
export const ALLOCATABLE_MEMORY: usize = 16;
export const REQUESTED_MEMORY: usize = 20;
export const NON_ZERO_CPU: usize = 24;
export const NON_ZERO_MEMORY: usize = 28;
export const HEADROOM: usize = 32;
export const INVERSE_CPU: usize = 36;
export const INVERSE_MEMORY: usize = 40;
export const ORDER: usize = 44;
export const LOG: usize = 48;

@inline
export function logMask(env: usize): i64 {
  return i64(load<u32>(env, 52));
}

@inline
export function logEnd(env: usize): i64 {
  return load<i64>(env, 56);
}

@inline
export function appendLog(env: usize, slot: i32): void {
  const end = logEnd(env);
  store<i32>(columnOf(env, LOG) + (usize(end & logMask(env)) << 2), slot);
  store<i64>(env, end + 1, 56);
}

@inline
export function cpuWeight(env: usize): f64 {
  return load<f64>(env, 64);
}

@inline
export function memoryWeight(env: usize): f64 {
  return load<f64>(env, 72);
}

@inline
export function inverseWeight(env: usize): f64 {
  return load<f64>(env, 80);
}

/** Whether LeastAllocated weighs cpu and memory with 1. */
@inline
export function isPlain(env: usize): bool {
  return cpuWeight(env) == 1 && memoryWeight(env) == 1;
}

@inline
export function slotCount(env: usize): i32 {
  return load<i32>(env, 88);
}

/** Whether slots stand in the order in which their nodes were learned of. */
@inline
export function isOrdered(env: usize): bool {
  return load<i32>(env, 92) != 0;
}

export const STRATEGY_LEAST_ALLOCATED: i32 = 0;
export const STRATEGY_MOST_ALLOCATED: i32 = 1;

@inline
export function strategy(env: usize): i32 {
  return load<i32>(env, 96);
}

@inline
export function percentTable(env: usize): usize {
  return usize(load<u32>(env, 100));
}

@inline
export function stop(env: usize, reason: i32): void {
  store<i32>(env, reason, 104);
}

/** Whether some slot was ever without cpu or memory, which LeastAllocated then leaves out. */
@inline
export function hasLacking(env: usize): bool {
  return load<i32>(env, 108) != 0;
}

@inline
export function setLacking(env: usize): void {
  store<i32>(env, 1, 108);
}

// --- a group ------------------------------------------------------------------------------------------------------

@inline
export function rowsOf(group: usize): usize {
  return usize(load<u32>(group));
}

@inline
export function levelCount(group: usize): i32 {
  return load<i32>(group, 4);
}

/** Level 0 is the rows. */
@inline
export function levelOf(group: usize, level: i32): usize {
  return level == 0 ? rowsOf(group) : usize(load<u32>(group + (usize(level - 1) << 2), 36));
}

@inline
export function cursor(group: usize): i64 {
  return load<i64>(group, 8);
}

@inline
export function setCursor(group: usize, position: i64): void {
  store<i64>(group, position, 8);
}

@inline
export function lanesOf(group: usize): i32 {
  return load<i32>(group, 16);
}

/** Lanes for which feasible nodes are counted by code. */
@inline
export function trackedLanes(group: usize): i32 {
  return load<i32>(group, 20);
}

/** Lanes whose normalisation may have changed. */
@inline
export function dirtyLanes(group: usize): i32 {
  return load<i32>(group, 24);
}

@inline
export function setDirtyLanes(group: usize, lanes: i32): void {
  store<i32>(group, lanes, 24);
}

/** Lanes with resources beside pods, cpu and memory to filter by. */
@inline
export function extraLanes(group: usize): i32 {
  return load<i32>(group, 28);
}

/** Whether the lanes are scored by cpu and memory with LeastAllocated, and nothing else. */
@inline
export function isStandard(group: usize): bool {
  return load<i32>(group, 32) != 0;
}

export const CPU_REQUESTS: usize = 64;
export const MEMORY_REQUESTS: usize = 128;
export const SCORED_CPU: usize = 192;
export const SCORED_MEMORY: usize = 256;
export const BALANCED_CPU: usize = 320;
export const BALANCED_MEMORY: usize = 384;
export const FIT_WEIGHTS: usize = 960;
export const BALANCED_WEIGHTS: usize = 1024;
const FEASIBLE: usize = 480;
const CODES: usize = 512;
const TABLES: usize = 544;
const COUNTS: usize = 576;
const KIND_COUNTS: usize = 448;
export const FILTER_ENTRIES: usize = 608;
export const FIT_ENTRIES: usize = 672;
export const BALANCED_ENTRIES: usize = 736;
export const EXTRA_ENTRIES: usize = 800;
export const CHARGES: usize = 864;

@inline
function laneWord(group: usize, field: usize, lane: i32): usize {
  return group + field + (usize(lane) << 2);
}

/** Pointer and count of a list of records, 32 bytes apart. */
@inline
export function listOf(group: usize, field: usize, lane: i32): usize {
  return usize(load<u32>(laneWord(group, field, lane)));
}

@inline
export function listLength(group: usize, field: usize, lane: i32): i32 {
  return load<i32>(laneWord(group, field, lane), 32);
}

@inline
export function feasibleNodes(group: usize, lane: i32): i32 {
  return load<i32>(laneWord(group, FEASIBLE, lane));
}

@inline
export function setFeasibleNodes(group: usize, lane: i32, count: i32): void {
  store<i32>(laneWord(group, FEASIBLE, lane), count);
}

@inline
export function weightOf(group: usize, field: usize, lane: i32): i32 {
  return i32(doubleOf(group, field, lane));
}

@inline
export function doubleOf(group: usize, field: usize, lane: i32): f64 {
  return load<f64>(group + field + (usize(lane) << 3));
}

/** Which kind of node the slot holds, as the gate of the class tells nodes apart. */
@inline
export function codeOf(group: usize, lane: i32, slot: i32): usize {
  if (!ASC_NO_ASSERT) checkCodes(group, lane, slot, slot + 1);
  return usize(load<u16>(kindsOf(group, lane) + (usize(slot) << 1)));
}

/** In the guarded build: tables by kind have room for the kinds of these slots. */
export function checkCodes(group: usize, lane: i32, from: i32, to: i32): void {
  const table = tableOf(group, lane);
  const length = kindCount(group, lane);
  for (let slot = from; slot < to; slot++) {
    checkBounds(table, i32(load<u16>(kindsOf(group, lane) + (usize(slot) << 1))), length);
  }
}

/** What a node of this kind scores outside the resource kernels; INFEASIBLE when the gate rejects it. */
@inline
export function staticTotal(group: usize, lane: i32, slot: i32): i32 {
  return i32(load<i16>(tableOf(group, lane) + (codeOf(group, lane, slot) << 1)));
}

/** Kinds are numbered below this. */
@inline
export function kindCount(group: usize, lane: i32): i32 {
  return load<i32>(laneWord(group, KIND_COUNTS, lane));
}

@inline
export function kindsOf(group: usize, lane: i32): usize {
  return usize(load<u32>(laneWord(group, CODES, lane)));
}

@inline
export function tableOf(group: usize, lane: i32): usize {
  return usize(load<u32>(laneWord(group, TABLES, lane)));
}

/** Feasible nodes of a kind, for tracked lanes. */
@inline
export function countPointer(group: usize, lane: i32, code: usize): usize {
  return usize(load<u32>(laneWord(group, COUNTS, lane))) + (code << 2);
}

@inline
export function isStale(env: usize, group: usize): bool {
  const lag = logEnd(env) - cursor(group);
  return lag > logMask(env) || lag * RESCAN_SHARE > i64(slotCount(env)) * i64(popcnt(lanesOf(group))) + 64;
}
