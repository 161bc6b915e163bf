/**
 * Integers held in doubles. Both builds do these operations in the same order, so that they agree bit for bit even
 * where the stated limits are left.
 */

/** 1.5 * 2^52: adding it moves an integral double of less than 2^51 into the low bits of the sum's mantissa. */
export const MANTISSA_SHIFT: f64 = 6755399441055744.0;

/** An integral double as i32: the low 32 bits, like Go's int64 cut to int32. */
@inline
export function toInteger(value: f64): i32 {
  return i32(reinterpret<i64>(value + MANTISSA_SHIFT));
}

/** 1 / divisor for `truncatedQuotient`; 0 for 0, which makes that quotient 0. */
@inline
export function inverseOf(divisor: f64): f64 {
  return divisor != 0 ? 1 / divisor : 0;
}

/**
 * trunc(dividend / divisor) of integers without the division. The half moves the quotient at least 0.5 / divisor away
 * from every integer, more than the rounding of the inverse and of the product can amount to while |dividend| < 2^50.
 */
@inline
export function truncatedQuotient(dividend: f64, inverse: f64): f64 {
  return trunc((dividend + copysign(0.5, dividend)) * inverse);
}
