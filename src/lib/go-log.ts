/**
 * The natural logarithm as Go's math.Log computes it, bit for bit. It is fdlibm's method (FreeBSD e_log.c), which
 * consists of additions, multiplications and one division, so every machine gives the same result. `Math.log` may
 * differ in the last place.
 *
 * x = 2^k * (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2); ln x = k ln 2 + ln(1 + f), the latter by a polynomial in
 * s = f / (2 + f). The order of the operations below decides the last bit: do not simplify.
 */
export function goLog(x: number): number {
  if (Number.isNaN(x) || x < 0) return Number.NaN;
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (x === Number.POSITIVE_INFINITY) return x;

  const { fraction, exponent } = split(x);
  const isLow = fraction < Math.SQRT1_2;
  const f = (isLow ? fraction * 2 : fraction) - 1;
  const k = isLow ? exponent - 1 : exponent;

  const s = f / (2 + f);
  const s2 = s * s;
  const s4 = s2 * s2;
  const odd = s2 * (L1 + s4 * (L3 + s4 * (L5 + s4 * L7)));
  const even = s4 * (L2 + s4 * (L4 + s4 * L6));
  const r = odd + even;
  const halfSquare = 0.5 * f * f;
  return k * LN2_HIGH - (halfSquare - (s * (halfSquare + r) + k * LN2_LOW) - f);
}

/** ln 2 in two parts; the first has so few digits that k times it is exact. */
const LN2_HIGH = 6.931471803691238e-1;
const LN2_LOW = 1.9082149292705877e-10;

/** Coefficients of the polynomial, lowest power first. */
const L1 = 6.666666666666735e-1;
const L2 = 3.999999999940942e-1;
const L3 = 2.857142874366239e-1;
const L4 = 2.2222198432149784e-1;
const L5 = 1.818357216161805e-1;
const L6 = 1.5313837699209373e-1;
const L7 = 1.4798198605116586e-1;

const SUBNORMAL_SCALE_BITS = 52;
const MIN_NORMAL = 2 ** -1022;
const bits = new DataView(new ArrayBuffer(8));

/** x = fraction * 2^exponent with 0.5 <= fraction < 1 (C's frexp), for finite x > 0. */
function split(x: number): { fraction: number; exponent: number } {
  const shift = x < MIN_NORMAL ? SUBNORMAL_SCALE_BITS : 0;
  bits.setFloat64(0, x * 2 ** shift);
  const high = bits.getUint32(0);
  // 1022 is the exponent field of a number in [0.5, 1).
  bits.setUint32(0, (high & 0x000fffff) | (1022 << 20));
  return { fraction: bits.getFloat64(0), exponent: (high >>> 20) - 1022 - shift };
}
