/** The arithmetic of integral.ts on f64x2 lanes. */
import { MANTISSA_SHIFT } from './integral';
import { packEven } from './lanes.simd';

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
