const SPECIAL = /^(?:([+-]?)inf(?:inity)?|nan)$/i;
const DECIMAL = /^[+-]?(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:e[+-]?\d(?:_?\d)*)?$/i;
const HEX_DIGITS = String.raw`[\da-f](?:_?[\da-f])*`;
const HEX_MANTISSA = String.raw`(?:_?(${HEX_DIGITS})(?:\.(${HEX_DIGITS})?)?|\.(${HEX_DIGITS}))`;
const HEXADECIMAL = new RegExp(String.raw`^([+-]?)0x${HEX_MANTISSA}p([+-]?\d(?:_?\d)*)$`, 'i');

/** The bits of a double's digits, and the exponent of the smallest double. */
const DIGIT_BITS = 53;
const SMALLEST_EXPONENT = -1074;

/** The number that Go's `ParseFloat` reads; null where it fails, which it does for numbers that are too large, too. */
export function parseDouble(text: string): number | null {
  const special = SPECIAL.exec(text);
  if (special !== null) {
    if (special[1] === undefined) return Number.NaN;
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  const number = DECIMAL.test(text) ? Number(text.replaceAll('_', '')) : parseHexadecimal(text);
  return number === null || !Number.isFinite(number) ? null : number;
}

function parseHexadecimal(text: string): number | null {
  const match = HEXADECIMAL.exec(text);
  if (match === null) return null;
  const [sign = '', whole = '', fraction = '', onlyFraction = '', power = ''] = match
    .slice(1)
    .map((part = '') => part.replaceAll('_', ''));
  const behindPoint = fraction + onlyFraction;
  const digits = BigInt(`0x${whole}${behindPoint}`);
  const number = rounded(digits, Number(power) - 4 * behindPoint.length);
  return sign === '-' ? -number : number;
}

/** The double next to `digits` times two to the power of `exponent`; of two that are as near, the even one. */
function rounded(digits: bigint, exponent: number): number {
  if (digits === 0n) return 0;
  const bits = digits.toString(2).length;
  const kept = Math.min(DIGIT_BITS, bits + exponent - SMALLEST_EXPONENT);
  if (kept < 0) return 0;
  const dropped = BigInt(Math.max(0, bits - kept));
  const below = digits >> dropped;
  const twice = (digits - (below << dropped)) * 2n;
  const unit = 1n << dropped;
  const isUp = twice > unit || (twice === unit && below % 2n === 1n);
  return Number(isUp ? below + 1n : below) * 2 ** (exponent + Number(dropped));
}

/** A double as Go's `%g` writes it: the shortest digits, with an exponent below 1e-4 and from 1e6 on. */
export function shortestText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const text = value.toExponential();
  const exponent = Number(text.slice(text.indexOf('e') + 1));
  return exponent < -4 || exponent >= 6 ? text.replace(/e([+-])(\d)$/, 'e$10$2') : String(value);
}
