import { isJsonObject, type JsonValue } from '../object/json.ts';

/** Members of objects come first, then list items by keys, by value, and by index. */
const KINDS = 'fkvi';

/**
 * The path elements in their order: by kind, then names by their characters, and keys and values as what they are, so
 * that port 80 comes before port 443. Upstream: structured-merge-diff, fieldpath/element.go and value/fields.go.
 */
export function sortedElements(elements: Iterable<string>): string[] {
  return Array.from(elements, parsed)
    .sort(compareElements)
    .map(({ element }) => element);
}

/** An element that has been read once, however often it is compared. */
interface Parsed {
  readonly element: string;
  readonly kind: number;
  /** The keys by their names; empty if it has none. */
  readonly keys: readonly (readonly [string, unknown])[];
  readonly value: unknown;
}

function parsed(element: string): Parsed {
  const kind = KINDS.indexOf(element[0] as string);
  const value = element.startsWith('f:') ? element : jsonOf(element);
  if (!element.startsWith('k:') || !isJsonObject(value)) return { element, kind, keys: [], value };
  return { element, kind, keys: Object.entries(value).sort(([a], [b]) => compareTexts(a, b)), value: '' };
}

/** What is no JSON, which clients may send, is ordered as text. */
function jsonOf(element: string): JsonValue {
  try {
    return JSON.parse(element.slice(2)) as JsonValue;
  } catch {
    return element;
  }
}

function compareElements(a: Parsed, b: Parsed): number {
  return a.kind - b.kind || compareKeys(a.keys, b.keys) || compareValues(a.value, b.value);
}

/** Keys have an order by their names; the first name or value that differs decides. */
function compareKeys(a: Parsed['keys'], b: Parsed['keys']): number {
  for (const [i, [name, value]] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    const order = compareTexts(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return compareTexts(JSON.stringify(a) ?? '', JSON.stringify(b) ?? '');
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
