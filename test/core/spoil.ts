/** Replaces parts of an object by unexpected values. */
import fc from 'fast-check';

const NAMELESS = Object.create(null) as object;

/** Missing, of the wrong type, or malformed; some fit by chance. */
export const arbitraryBadValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(undefined, null, Number.NaN, Number.POSITIVE_INFINITY, -1, 2 ** 53, 1.5, '', ' ', '9x'),
  fc.constantFrom<unknown[]>(true, [], {}, [null], [undefined], { a: null }, { a: undefined }, 'Not-Valid', '1e', 7n),
  fc.constantFrom<unknown[]>(Symbol('s'), () => 'line\nline', NAMELESS, new Date(Number.NaN), { toString: '' }),
  fc.constantFrom<unknown[]>(
    { matchExpressions: [{ key: 'a', operator: 'Near', values: ['b'] }] },
    { matchExpressions: [{ operator: 'In' }] },
    { matchLabels: { a: 3 } },
    { cpu: null },
    { cpu: 'many', memory: undefined },
  ),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true }),
);

type Path = readonly (string | number)[];

/** A copy of the value with `bad` at one of its places: counted through all places, the value itself the first. */
export function spoiled<T>(value: T, place: number, bad: unknown): T {
  const paths = [...pathsOf(value, [])];
  return withAt(value, paths[place % paths.length] ?? [], bad) as T;
}

function* pathsOf(value: unknown, path: Path): Iterable<Path> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) yield* pathsOf(member, [...path, key]);
}

function withAt(value: unknown, [key, ...rest]: Path, bad: unknown): unknown {
  if (key === undefined) return bad;
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === key ? withAt(item, rest, bad) : item));
  const members = value as Record<string, unknown>;
  return { ...members, [key]: withAt(members[key], rest, bad) };
}
