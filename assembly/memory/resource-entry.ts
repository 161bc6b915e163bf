/**
 * One resource of a pod, as the host lays it out (the record is described in src/kernels/abi.ts). `offset` is the byte
 * offset of a slot in an f64 column.
 */
export const ENTRY_BYTES: usize = 24;

@inline
export function allocatableColumn(entry: usize): usize {
  return usize(load<u32>(entry));
}

@inline
export function requestedColumn(entry: usize): usize {
  return usize(load<u32>(entry, 4));
}

@inline
export function allocatable(entry: usize, offset: usize): f64 {
  return load<f64>(allocatableColumn(entry) + offset);
}

@inline
export function requested(entry: usize, offset: usize): f64 {
  return load<f64>(requestedColumn(entry) + offset);
}

@inline
export function podRequest(entry: usize): f64 {
  return load<f64>(entry, 8);
}

@inline
export function weight(entry: usize): f64 {
  return load<f64>(entry, 16);
}

/** What would be requested on the node with the pod on it. */
@inline
export function requestedWithPod(entry: usize, offset: usize): f64 {
  return requested(entry, offset) + podRequest(entry);
}

/** The same in 64-bit integers, for sums that a double would round. */
@inline
export function requestedWithPodExact(entry: usize, offset: usize): i64 {
  return i64(requested(entry, offset)) + i64(podRequest(entry));
}

@inline
export function totalWeight(entries: usize, entryCount: i32): f64 {
  let sum = 0.0;
  for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) sum += weight(entry);
  return sum;
}
