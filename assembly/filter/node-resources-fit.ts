/** NodeResourcesFit, filter side (upstream: noderesources/fit.go). */
import { packEven, sumLanes } from '../arithmetic/lanes';
import {
  ENTRY_BYTES,
  allocatable,
  allocatableColumn,
  podRequest,
  podRequestPair,
  requested,
  requestedColumn,
} from '../memory/resource-entry';

/** -1 if the slot is masked in and every resource fits, else 0. */
@inline
function fitRow(entries: usize, entryCount: i32, mask: usize, i: i32): i32 {
  if (load<u8>(mask + usize(i)) == 0) return 0;
  const offset = usize(i) << 3;
  for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
    if (podRequest(entry) > allocatable(entry, offset) - requested(entry, offset)) return 0;
  }
  return -1;
}

@inline
function fitPair(request: v128, allocatable: v128, requested: v128): v128 {
  return f64x2.le(request, f64x2.sub(allocatable, requested));
}

export function filterFit(entries: usize, entryCount: i32, mask: usize, feasible: usize, from: i32, to: i32): i32 {
  let count = 0;
  let i = from;
  if (ASC_FEATURE_SIMD) {
    let counts = i32x4.splat(0);
    for (; i + 8 <= to; i += 8) {
      const offset = usize(i) << 3;
      const accepted = i16x8.extend_low_i8x16_s(i8x16.ne(v128.load64_zero(mask + usize(i)), i8x16.splat(0)));
      let first = i32x4.extend_low_i16x8_s(accepted);
      let second = i32x4.extend_high_i16x8_s(accepted);
      for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
        const request = podRequestPair(entry);
        const free = allocatableColumn(entry) + offset;
        const used = requestedColumn(entry) + offset;
        const fit0 = fitPair(request, v128.load(free), v128.load(used));
        const fit2 = fitPair(request, v128.load(free, 16), v128.load(used, 16));
        const fit4 = fitPair(request, v128.load(free, 32), v128.load(used, 32));
        const fit6 = fitPair(request, v128.load(free, 48), v128.load(used, 48));
        first = v128.and(first, packEven(fit0, fit2));
        second = v128.and(second, packEven(fit4, fit6));
      }
      const rows = feasible + (usize(i) << 2);
      v128.store(rows, first);
      v128.store(rows, second, 16);
      counts = i32x4.sub(counts, i32x4.add(first, second));
    }
    count = sumLanes(counts);
  }
  for (; i < to; i++) {
    const row = fitRow(entries, entryCount, mask, i);
    store<i32>(feasible + (usize(i) << 2), row);
    count -= row;
  }
  return count;
}

@inline
function reasonRow(allocatable: usize, requested: usize, podRequest: f64, i: i32): i32 {
  const offset = usize(i) << 3;
  const capacity = load<f64>(allocatable + offset);
  if (podRequest > capacity) return 2;
  return i32(podRequest > capacity - load<f64>(requested + offset));
}

@inline
function reasonPair(allocatable: usize, requested: usize, podRequest: v128, offset: usize): v128 {
  const capacity = v128.load(allocatable + offset);
  const exceeds = f64x2.gt(podRequest, capacity);
  const insufficient = f64x2.gt(podRequest, f64x2.sub(capacity, v128.load(requested + offset)));
  return v128.bitselect(i64x2.splat(2), v128.and(insufficient, i64x2.splat(1)), exceeds);
}

export function fitReasons(
  allocatable: usize,
  requested: usize,
  podRequest: f64,
  out: usize,
  from: i32,
  to: i32,
): void {
  let i = from;
  if (ASC_FEATURE_SIMD) {
    const request = f64x2.splat(podRequest);
    for (; i + 4 <= to; i += 4) {
      const offset = usize(i) << 3;
      const low = reasonPair(allocatable, requested, request, offset);
      const high = reasonPair(allocatable, requested, request, offset + 16);
      const words = packEven(low, high);
      const halves = i16x8.narrow_i32x4_s(words, words);
      store<i32>(out + usize(i), i32x4.extract_lane(i8x16.narrow_i16x8_s(halves, halves), 0));
    }
  }
  for (; i < to; i++) store<u8>(out + usize(i), reasonRow(allocatable, requested, podRequest, i));
}
