import { type FunctionDeclaration, functionOf, global, type Implementation } from '../check/declarations.ts';
import { Duration, isInt, MAX_UINT, Timestamp, Uint } from '../values/scalars.ts';
import { durationOf, timestampOf } from '../values/times.ts';
import { BYTES, DOUBLE, DURATION, INT, listOf, STRING, TIMESTAMP, typeParameter, UINT } from '../values/types.ts';
import { CelError, isList, NO_SUCH_OVERLOAD, type Outcome, type Value } from '../values/value.ts';

const T = typeParameter('T');

interface Operation {
  readonly integers: (a: bigint, b: bigint) => bigint;
  readonly doubles?: (a: number, b: number) => number;
}

/** Two numbers of one type; undefined if the arguments are none. */
function numbers(a: Value, b: Value, { integers, doubles }: Operation, zero: string | null): Outcome | undefined {
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    return zero !== null && b === 0n ? new CelError(zero) : intOf(integers(a, b));
  }
  if (a instanceof Uint && b instanceof Uint) {
    return zero !== null && b.value === 0n ? new CelError(zero) : uintOf(integers(a.value, b.value));
  }
  return typeof a === 'number' && typeof b === 'number' && doubles !== undefined ? doubles(a, b) : undefined;
}

function intOf(value: bigint): Outcome {
  return isInt(value) ? value : new CelError('integer overflow');
}

function uintOf(value: bigint): Outcome {
  return value > MAX_UINT || value < 0n ? new CelError('unsigned integer overflow') : new Uint(value);
}

const ADDITION: Operation = { integers: (a, b) => a + b, doubles: (a, b) => a + b };
const SUBTRACTION: Operation = { integers: (a, b) => a - b, doubles: (a, b) => a - b };

function add(a: Value, b: Value): Outcome {
  const sum = numbers(a, b, ADDITION, null);
  if (sum !== undefined) return sum;
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Uint8Array.from([...a, ...b]);
  if (isList(a) && isList(b)) return [...a, ...b];
  if (a instanceof Duration && b instanceof Duration) return durationOf(a.nanoseconds + b.nanoseconds);
  const isTime = (a instanceof Timestamp && b instanceof Duration) || (a instanceof Duration && b instanceof Timestamp);
  if (isTime) return timestampOf((a as Duration).nanoseconds + (b as Duration).nanoseconds);
  return NO_SUCH_OVERLOAD;
}

function subtract(a: Value, b: Value): Outcome {
  const difference = numbers(a, b, SUBTRACTION, null);
  if (difference !== undefined) return difference;
  if (b instanceof Duration && a instanceof Duration) return durationOf(a.nanoseconds - b.nanoseconds);
  if (!(a instanceof Timestamp)) return NO_SUCH_OVERLOAD;
  if (b instanceof Timestamp) return durationOf(a.nanoseconds - b.nanoseconds);
  return b instanceof Duration ? timestampOf(a.nanoseconds - b.nanoseconds) : NO_SUCH_OVERLOAD;
}

function negate(value: Value): Outcome {
  if (typeof value === 'bigint') return intOf(-value);
  return typeof value === 'number' ? -value : NO_SUCH_OVERLOAD;
}

function numeric(operation: Operation, zero: string | null): Implementation {
  return (a, b) => numbers(a, b, operation, zero) ?? NO_SUCH_OVERLOAD;
}

/** Arithmetic within 64 bits: what does not fit is an error. */
export const arithmetic: readonly FunctionDeclaration[] = [
  {
    name: '_+_',
    overloads: [
      global('add_bytes', [BYTES, BYTES], BYTES),
      global('add_double', [DOUBLE, DOUBLE], DOUBLE),
      global('add_duration_duration', [DURATION, DURATION], DURATION),
      global('add_duration_timestamp', [DURATION, TIMESTAMP], TIMESTAMP),
      global('add_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP),
      global('add_int64', [INT, INT], INT),
      global('add_list', [listOf(T), listOf(T)], listOf(T)),
      global('add_string', [STRING, STRING], STRING),
      global('add_uint64', [UINT, UINT], UINT),
    ],
    run: add,
  },
  {
    name: '_-_',
    overloads: [
      global('', [DOUBLE, DOUBLE], DOUBLE),
      global('', [DURATION, DURATION], DURATION),
      global('', [INT, INT], INT),
      global('', [TIMESTAMP, DURATION], TIMESTAMP),
      global('', [TIMESTAMP, TIMESTAMP], DURATION),
      global('', [UINT, UINT], UINT),
    ],
    run: subtract,
  },
  {
    ...ofNumbers('_*_', 'multiply', true),
    run: numeric({ integers: (a, b) => a * b, doubles: (a, b) => a * b }, null),
  },
  {
    ...ofNumbers('_/_', 'divide', true),
    run: numeric({ integers: (a, b) => a / b, doubles: (a, b) => a / b }, 'division by zero'),
  },
  { ...ofNumbers('_%_', 'modulo', false), run: numeric({ integers: (a, b) => a % b }, 'modulus by zero') },
  {
    ...functionOf('-_', global('', [DOUBLE], DOUBLE), global('', [INT], INT)),
    run: negate,
  },
];

function ofNumbers(operator: string, name: string, hasDoubles: boolean): FunctionDeclaration {
  const whole = [global(`${name}_int64`, [INT, INT], INT), global(`${name}_uint64`, [UINT, UINT], UINT)];
  return functionOf(operator, ...(hasDoubles ? [global(`${name}_double`, [DOUBLE, DOUBLE], DOUBLE)] : []), ...whole);
}
