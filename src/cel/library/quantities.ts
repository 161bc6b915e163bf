import { parseQuantity } from '../../api/quantity.ts';
import { type FunctionDeclaration, functionOf, global, member } from '../check/declarations.ts';
import { BOOL, DOUBLE, INT, objectType, STRING } from '../values/types.ts';
import { CelError, Opaque, type Outcome, type Value } from '../values/value.ts';

export const QUANTITY = objectType('kubernetes.Quantity');

const NANO_PER_UNIT = 1_000_000_000n;
const MAX_INT = 2n ** 63n - 1n;
const MIN_INT = -(2n ** 63n);
/** apimachinery's message for whatever is no quantity. */
const MALFORMED = `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`;

/** An exact amount, in billionths. */
export class QuantityValue extends Opaque {
  readonly type = QUANTITY;
  override readonly refusesOtherTypes = true;
  readonly nano: bigint;

  constructor(nano: bigint) {
    super();
    this.nano = nano;
  }

  equals(other: QuantityValue): boolean {
    return this.nano === other.nano;
  }
}

export function quantityOf(text: string): QuantityValue | CelError {
  try {
    return new QuantityValue(parseQuantity(text).nano);
  } catch {
    return new CelError(MALFORMED);
  }
}

const nanoOf = (value: Value): bigint => (value as QuantityValue).nano;
const isWhole = (value: Value): boolean => {
  const units = nanoOf(value) / NANO_PER_UNIT;
  return nanoOf(value) % NANO_PER_UNIT === 0n && units <= MAX_INT && units >= MIN_INT;
};

function asInteger(value: Value): Outcome {
  return isWhole(value) ? nanoOf(value) / NANO_PER_UNIT : new CelError('cannot convert value to integer');
}

/** Whether a text is a quantity, without an error. */
const isQuantity = (text: Value): boolean => quantityOf(text as string) instanceof QuantityValue;

function moved(sign: 1n | -1n): (a: Value, b: Value) => Outcome {
  return (a, b) => new QuantityValue(nanoOf(a) + sign * (typeof b === 'bigint' ? b * NANO_PER_UNIT : nanoOf(b)));
}

function order(a: Value, b: Value): Outcome {
  if (nanoOf(a) === nanoOf(b)) return 0n;
  return nanoOf(a) < nanoOf(b) ? -1n : 1n;
}

/** Quantities as apiserver/pkg/cel/library/quantity.go has them. `sign` has the type that upstream gives it. */
export const quantityFunctions: readonly FunctionDeclaration[] = [
  functionOf(
    'quantity',
    global('string_to_quantity', [STRING], QUANTITY, (text) => quantityOf(text as string)),
  ),
  functionOf('isQuantity', global('is_quantity_string', [STRING], BOOL, isQuantity)),
  functionOf(
    'sign',
    global('quantity_sign', [QUANTITY], INT, (value) =>
      BigInt(Number(nanoOf(value) > 0n) - Number(nanoOf(value) < 0n)),
    ),
  ),
  functionOf(
    'isGreaterThan',
    member('quantity_is_greater_than', [QUANTITY, QUANTITY], BOOL, (a, b) => nanoOf(a) > nanoOf(b)),
  ),
  functionOf(
    'isLessThan',
    member('quantity_is_less_than', [QUANTITY, QUANTITY], BOOL, (a, b) => nanoOf(a) < nanoOf(b)),
  ),
  functionOf('compareTo', member('quantity_compare_to', [QUANTITY, QUANTITY], INT, order)),
  functionOf('asInteger', member('quantity_get_int', [QUANTITY], INT, asInteger)),
  functionOf('isInteger', member('quantity_is_integer', [QUANTITY], BOOL, isWhole)),
  functionOf(
    'asApproximateFloat',
    member('quantity_get_float', [QUANTITY], DOUBLE, (value) => Number(nanoOf(value)) / 1e9),
  ),
  functionOf(
    'add',
    member('quantity_add', [QUANTITY, QUANTITY], QUANTITY, moved(1n)),
    member('quantity_add_int', [QUANTITY, INT], QUANTITY, moved(1n)),
  ),
  functionOf(
    'sub',
    member('quantity_sub', [QUANTITY, QUANTITY], QUANTITY, moved(-1n)),
    member('quantity_sub_int', [QUANTITY, INT], QUANTITY, moved(-1n)),
  ),
];
