/** NodeResourcesFit, filter side (upstream: noderesources/fit.go). */
import { ENTRY_BYTES, allocatable, podRequest, requested } from '../memory/resource-entry';

/** -1 if the slot is masked in and every resource fits, else 0. */
@inline
export function fitRow(entries: usize, entryCount: i32, mask: usize, i: i32): i32 {
  if (load<u8>(mask + usize(i)) == 0) return 0;
  const offset = usize(i) << 3;
  for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
    if (podRequest(entry) > allocatable(entry, offset) - requested(entry, offset)) return 0;
  }
  return -1;
}

@inline
export function reasonRow(allocatable: usize, requested: usize, podRequest: f64, i: i32): i32 {
  const offset = usize(i) << 3;
  const capacity = load<f64>(allocatable + offset);
  if (podRequest > capacity) return 2;
  return i32(podRequest > capacity - load<f64>(requested + offset));
}

export function filterFit(entries: usize, entryCount: i32, mask: usize, feasible: usize, from: i32, to: i32): i32 {
  let count = 0;
  for (let i = from; i < to; i++) {
    const row = fitRow(entries, entryCount, mask, i);
    store<i32>(feasible + (usize(i) << 2), row);
    count -= row;
  }
  return count;
}

export function fitReasons(
  allocatable: usize,
  requested: usize,
  podRequest: f64,
  out: usize,
  from: i32,
  to: i32,
): void {
  for (let i = from; i < to; i++) store<u8>(out + usize(i), reasonRow(allocatable, requested, podRequest, i));
}
