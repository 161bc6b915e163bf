import { DEPTH_MAX } from './value-shape.ts';

/** The integers that a double holds exactly. */
const SAFE = Number.MAX_SAFE_INTEGER;

/** A JSON string, or a number with everything that belongs to it. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
const INTEGER = /^-?\d{16,}$/;
/** Stands before the digits of an integer that is read as a string first. */
const MARK = '\u0000integer ';

/**
 * The members whose integers are kept exactly: their last digits decide (see `ExactInteger`), or messages show them.
 */
const EXACT: ReadonlySet<string> = new Set(['int', 'ints', 'generation', 'count', 'minCount']);
/** Members whose values, or values of whose members, are quantities. */
const AMOUNTS: ReadonlySet<string> = new Set([
  ...['requests', 'limits', 'capacity', 'allocatable', 'overhead', 'hard', 'used', 'consumedCapacity'],
  ...['value', 'default', 'min', 'max', 'step', 'validValues'],
]);

/** Reads a JSON text that has integers which a double does not hold. They are texts, where their digits matter. */
export function parseExactly(text: string): unknown {
  const marked = text.replace(STRING_OR_NUMBER, (token) =>
    INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? JSON.stringify(MARK + token) : token,
  );
  const value: unknown = JSON.parse(marked, (_, entry: unknown) =>
    typeof entry === 'string' && entry.startsWith(MARK) ? BigInt(entry.slice(MARK.length)) : entry,
  );
  return withFittingIntegers(value);
}

/**
 * Makes each bigint inside of the value what its field wants: the text of its digits where they decide, in quantities
 * and in some integers of 64 bits, and a number elsewhere. The value is not copied.
 */
export function withFittingIntegers<T>(value: T): T {
  return adapted(value, { key: '', parentKey: '', depth: 0 }) as T;
}

/** Where a value is. */
interface Place {
  readonly key: string;
  readonly parentKey: string;
  readonly depth: number;
}

function adapted(value: unknown, { key, parentKey, depth }: Place): unknown {
  if (typeof value === 'bigint') return fittingFor(value, key, parentKey);
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return value;
  if (Array.isArray(value)) {
    const place = { key, parentKey, depth: depth + 1 };
    for (const [i, item] of value.entries()) {
      const next = adapted(item, place);
      if (next !== item) value[i] = next;
    }
    return value;
  }
  const members = value as Record<string, unknown>;
  for (const [name, entry] of Object.entries(members)) {
    const next = adapted(entry, { key: name, parentKey: key, depth: depth + 1 });
    if (next !== entry) members[name] = next;
  }
  return value;
}

function fittingFor(value: bigint, key: string, parentKey: string): number | string {
  const number = Number(value);
  if (number >= -SAFE && number <= SAFE) return number;
  return EXACT.has(key) || AMOUNTS.has(key) || AMOUNTS.has(parentKey) ? String(value) : number;
}
