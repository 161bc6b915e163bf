/**
 * Signed 64-bit integers that stay plain numbers while they are safe.
 *
 * An `Int64` is a `number` when |value| <= 2^53 - 1 and a `bigint` beyond, never anything else, so `===`, `<` and `>`
 * work between any two of them. Results wrap at 64 bits, as Go's int64 does: an overflow in kube-scheduler is an
 * overflow here.
 */
export type Int64 = number | bigint;

/** The canonical form of an exact integer: wrapped to 64 bits, a number if it is safe. */
export function int64(value: bigint): Int64 {
  const wrapped = BigInt.asIntN(64, value);
  return wrapped >= -MAX_SAFE && wrapped <= MAX_SAFE ? Number(wrapped) : wrapped;
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

export function add(a: Int64, b: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return int64(BigInt(a) + BigInt(b));
}

export function subtract(a: Int64, b: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return int64(BigInt(a) - BigInt(b));
}

export function multiply(a: Int64, b: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product === 0 ? 0 : product;
  }
  return int64(BigInt(a) * BigInt(b));
}

/** Truncates towards zero, like Go. The divisor must not be 0. */
export function divide(a: Int64, b: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number') {
    // Exact: a quotient of safe integers is further from the next integer than a double's rounding error.
    const quotient = Math.trunc(a / b);
    return quotient === 0 ? 0 : quotient;
  }
  return int64(BigInt(a) / BigInt(b));
}

/** The nearest double, as Go's float64(int64). */
export function toFloat64(a: Int64): number {
  return Number(a);
}
