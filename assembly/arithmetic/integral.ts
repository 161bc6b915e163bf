/**
 * Integers held in doubles, one by one and in pairs (f64x2, for the SIMD build). Both builds do the operations in the
 * same order, so that they agree bit for bit even where the stated limits are left.
 */
import { packEven } from './lanes';

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

/** Four integral doubles as i32x4. */
@inline
export function toIntegers(low: v128, high: v128): v128 {
  const shift = f64x2.splat(MANTISSA_SHIFT);
  return packEven(f64x2.add(low, shift), f64x2.add(high, shift));
}

@inline
export function inverseOfPair(divisor: v128): v128 {
  return v128.and(f64x2.div(f64x2.splat(1), divisor), f64x2.ne(divisor, f64x2.splat(0)));
}

@inline
export function truncatedQuotientPair(dividend: v128, inverse: v128): v128 {
  const half = v128.or(v128.and(dividend, f64x2.splat(-0.0)), f64x2.splat(0.5));
  return f64x2.trunc(f64x2.mul(f64x2.add(dividend, half), inverse));
}
