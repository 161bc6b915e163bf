import { parseQuantity } from '../../api/quantity.ts';
import { type FunctionDeclaration, functionOf, global, member } from '../check/declarations.ts';
import { isInt } from '../values/scalars.ts';
import { BOOL, DOUBLE, INT, objectType, STRING } from '../values/types.ts';
import { CelError, Opaque, type Outcome, type Value } from '../values/value.ts';

export const QUANTITY = objectType('kubernetes.Quantity');

/** apimachinery's message for whatever is no quantity. */
const MALFORMED = `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`;

/** The digits that upstream keeps in 64 bits, where it does so at all: more, or finer ones, become a big decimal. */
const MOST_DIGITS = 18;
const FINEST_SCALE = -9;
/** Powers of ten beyond this are not told apart. */
const MOST_SCALE = 1000;

const DECIMAL_SCALES: ReadonlyMap<string, number> = new Map(
  ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map((suffix, i) => [suffix, 3 * i + FINEST_SCALE]),
);
const BINARY_SUFFIXES = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const FORM = /^([+-]?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+)|([A-Za-z]*))$/;

/**
 * An exact amount, `digits` * 10^`scale`. Some functions answer by the form in which upstream keeps the amount: a whole
 * number counts as an integer only if it is kept in 64 bits (`isShort`) and was written without decimals.
 */
export class QuantityValue extends Opaque {
  readonly type = QUANTITY;
  override readonly refusesOtherTypes = true;
  readonly digits: bigint;
  readonly scale: number;
  readonly isShort: boolean;

  constructor(digits: bigint, scale: number, isShort: boolean) {
    super();
    this.digits = digits;
    this.scale = scale;
    this.isShort = isShort;
  }

  get nano(): bigint {
    return this.digits * 10n ** BigInt(this.scale - FINEST_SCALE);
  }

  equals(other: QuantityValue): boolean {
    return this.nano === other.nano;
  }
}

/** Reads a quantity into the form that upstream's ParseQuantity chooses. */
export function quantityOf(text: string): QuantityValue | CelError {
  let nano: bigint;
  try {
    ({ nano } = parseQuantity(text));
  } catch {
    return new CelError(MALFORMED);
  }
  const [, sign = '', stripped = '', decimals = '', exponent, suffix = ''] = FORM.exec(text) ?? [];
  const signOf = (digits: bigint): bigint => (sign === '-' ? -digits : digits);
  const whole = stripped === '' ? '0' : stripped;
  const power = 10 * (BINARY_SUFFIXES.indexOf(suffix) + 1);
  if (power > 0) {
    const spare = 14 - whole.length - (3 * power) / 10;
    const isShort = decimals === '' && spare >= 0;
    if (isShort) return new QuantityValue(signOf(BigInt(whole) << BigInt(power)), 0, true);
    // Only amounts with these suffixes are cut off at 64 bits.
    return new QuantityValue(nano, FINEST_SCALE, false);
  }
  const given = exponent === undefined ? (DECIMAL_SCALES.get(suffix) ?? 0) : Number(exponent);
  const scale = Math.max(-MOST_SCALE, Math.min(MOST_SCALE, given)) - decimals.length;
  const digits = signOf(BigInt(whole + decimals));
  const isShort = whole.length + decimals.length <= MOST_DIGITS && scale >= FINEST_SCALE;
  if (isShort) return new QuantityValue(digits, scale, true);
  return new QuantityValue(
    scale < FINEST_SCALE ? nano : digits * 10n ** BigInt(scale - FINEST_SCALE),
    FINEST_SCALE,
    false,
  );
}

const quantity = (value: Value): QuantityValue => value as QuantityValue;
const nanoOf = (value: Value): bigint => quantity(value).nano;

/** The amount as an integer; null where upstream does not convert it, although it may be whole. */
function integerOf(value: Value): bigint | null {
  const { digits, scale, isShort } = quantity(value);
  if (!isShort || scale < 0) return null;
  const units = digits * 10n ** BigInt(scale);
  return isInt(units) ? units : null;
}

function asInteger(value: Value): Outcome {
  return integerOf(value) ?? new CelError('cannot convert value to integer');
}

/** As upstream, the digits are multiplied by a power of ten, which may be inexact. */
function asApproximateFloat(value: Value): number {
  const { digits, scale } = quantity(value);
  return scale === 0 ? Number(digits) : Number(digits) * Number(`1e${scale}`);
}

/** Whether a text is a quantity, without an error. */
const isQuantity = (text: Value): boolean => quantityOf(text as string) instanceof QuantityValue;

function moved(sign: 1n | -1n): (a: Value, b: Value) => Outcome {
  return (a, b) => {
    const added = typeof b === 'bigint' ? new QuantityValue(b, 0, true) : quantity(b);
    return sumOf(quantity(a), new QuantityValue(sign * added.digits, added.scale, added.isShort));
  };
}

/** The sum at the finer scale of both. */
function sumOf(a: QuantityValue, b: QuantityValue): QuantityValue {
  const isShort = a.isShort && b.isShort;
  if (isShort && b.digits === 0n) return a;
  if (isShort && a.digits === 0n) return b;
  const scale = Math.min(a.scale, b.scale);
  const [left, right] = [a, b].map((each) => each.digits * 10n ** BigInt(each.scale - scale)) as [bigint, bigint];
  return new QuantityValue(left + right, scale, isShort && isInt(left) && isInt(right) && isInt(left + right));
}

function order(a: Value, b: Value): Outcome {
  if (nanoOf(a) === nanoOf(b)) return 0n;
  return nanoOf(a) < nanoOf(b) ? -1n : 1n;
}

/** Quantities as apiserver/pkg/cel/library/quantity.go has them. `sign` has the type that upstream gives it. */
export const quantityFunctions: readonly FunctionDeclaration[] = [
  functionOf(
    'quantity',
    global('', [STRING], QUANTITY, (text) => quantityOf(text as string)),
  ),
  functionOf('isQuantity', global('', [STRING], BOOL, isQuantity)),
  functionOf(
    'sign',
    global('', [QUANTITY], INT, (value) => BigInt(Number(nanoOf(value) > 0n) - Number(nanoOf(value) < 0n))),
  ),
  functionOf(
    'isGreaterThan',
    member('', [QUANTITY, QUANTITY], BOOL, (a, b) => nanoOf(a) > nanoOf(b)),
  ),
  functionOf(
    'isLessThan',
    member('', [QUANTITY, QUANTITY], BOOL, (a, b) => nanoOf(a) < nanoOf(b)),
  ),
  functionOf('compareTo', member('', [QUANTITY, QUANTITY], INT, order)),
  functionOf('asInteger', member('', [QUANTITY], INT, asInteger)),
  functionOf(
    'isInteger',
    member('', [QUANTITY], BOOL, (value) => integerOf(value) !== null),
  ),
  functionOf('asApproximateFloat', member('', [QUANTITY], DOUBLE, asApproximateFloat)),
  functionOf(
    'add',
    member('', [QUANTITY, QUANTITY], QUANTITY, moved(1n)),
    member('', [QUANTITY, INT], QUANTITY, moved(1n)),
  ),
  functionOf(
    'sub',
    member('', [QUANTITY, QUANTITY], QUANTITY, moved(-1n)),
    member('', [QUANTITY, INT], QUANTITY, moved(-1n)),
  ),
];
