/**
 * NodeResourcesBalancedAllocation (upstream: noderesources/balanced_allocation.go). Every double operation is
 * upstream's in upstream's order, so scores equal Go's on amd64.
 */
import { toInteger } from '../arithmetic/integral';
import { ENTRY_BYTES, allocatable, podRequest, requested } from '../memory/resource-entry';

@inline
function fraction(entry: usize, offset: usize, withPod: bool, capacity: f64): f64 {
  const total = withPod ? requested(entry, offset) + podRequest(entry) : requested(entry, offset);
  const quotient = total / capacity;
  return quotient > 1 ? 1 : quotient;
}

/** Standard deviation of the requested fractions as a score: 100 is even. An integral double. */
@inline
function evenness(entries: usize, entryCount: i32, offset: usize, withPod: bool): f64 {
  let present = 0;
  let sum = 0.0;
  // Alternating difference: after two fractions it is f1 - f0.
  let difference = 0.0;
  for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
    const capacity = allocatable(entry, offset);
    if (capacity == 0) continue;
    const f = fraction(entry, offset, withPod, capacity);
    sum += f;
    difference = f - difference;
    present++;
  }
  let deviation = 0.0;
  if (present == 2) {
    deviation = abs(difference / 2);
  } else if (present > 2) {
    const mean = sum / f64(present);
    let squares = 0.0;
    for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
      const capacity = allocatable(entry, offset);
      if (capacity == 0) continue;
      const distance = fraction(entry, offset, withPod, capacity) - mean;
      squares += distance * distance;
    }
    deviation = sqrt(squares / f64(present));
  }
  return trunc((1 - deviation) * 100);
}

@inline
export function balancedRow(entries: usize, entryCount: i32, i: i32): i32 {
  const offset = usize(i) << 3;
  const gain = evenness(entries, entryCount, offset, true) - evenness(entries, entryCount, offset, false);
  return toInteger(50 + trunc((50 + gain) * 0.5));
}

export function scoreBalancedAllocation(entries: usize, entryCount: i32, out: usize, from: i32, to: i32): void {
  for (let i = from; i < to; i++) store<i32>(out + (usize(i) << 2), balancedRow(entries, entryCount, i));
}
