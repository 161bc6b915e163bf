/** The reader of resource-entry.ts for two neighbouring slots at a time (f64x2). */

@inline
export function allocatablePair(entry: usize, offset: usize): v128 {
  return v128.load(usize(load<u32>(entry)) + offset);
}

@inline
export function requestedPair(entry: usize, offset: usize): v128 {
  return v128.load(usize(load<u32>(entry, 4)) + offset);
}

@inline
export function podRequestPair(entry: usize): v128 {
  return v128.load_splat<f64>(entry, 8);
}

@inline
export function weightPair(entry: usize): v128 {
  return v128.load_splat<f64>(entry, 16);
}

@inline
export function requestedWithPodPair(entry: usize, offset: usize): v128 {
  return f64x2.add(requestedPair(entry, offset), podRequestPair(entry));
}
