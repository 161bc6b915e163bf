/**
 * One resource of a pod, as the host lays it out (src/kernels/abi.ts describes the record; the layout test compares
 * both). `offset` is the byte offset of a slot in an f64 column. Functions that end in Pair read two neighbouring
 * slots, and belong to the SIMD build.
 */
@unmanaged
class ResourceEntry {
  allocatable: usize;
  requested: usize;
  podRequest: f64;
  weight: f64;
}

export const ENTRY_BYTES: usize = offsetof<ResourceEntry>();

@inline
export function allocatableColumn(entry: usize): usize {
  return changetype<ResourceEntry>(entry).allocatable;
}

@inline
export function requestedColumn(entry: usize): usize {
  return changetype<ResourceEntry>(entry).requested;
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
  return changetype<ResourceEntry>(entry).podRequest;
}

@inline
export function weight(entry: usize): f64 {
  return changetype<ResourceEntry>(entry).weight;
}

/** What would be requested on the node with the pod on it. */
@inline
export function requestedWithPod(entry: usize, offset: usize): f64 {
  return requested(entry, offset) + podRequest(entry);
}

/** `requestedWithPod` as a 64-bit integer, for sums that a double would round. */
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

@inline
export function allocatablePair(entry: usize, offset: usize): v128 {
  return v128.load(allocatableColumn(entry) + offset);
}

@inline
export function requestedPair(entry: usize, offset: usize): v128 {
  return v128.load(requestedColumn(entry) + offset);
}

@inline
export function podRequestPair(entry: usize): v128 {
  return v128.load_splat<f64>(entry, offsetof<ResourceEntry>('podRequest'));
}

@inline
export function weightPair(entry: usize): v128 {
  return v128.load_splat<f64>(entry, offsetof<ResourceEntry>('weight'));
}

@inline
export function requestedWithPodPair(entry: usize, offset: usize): v128 {
  return f64x2.add(requestedPair(entry, offset), podRequestPair(entry));
}
