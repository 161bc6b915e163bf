import type { JsonObject } from '../object/json.ts';

/** Members of objects come first, then list items by keys, by value, and by index. */
const KINDS = 'fkvi';

/**
 * The order of path elements: by kind, then names by their characters, and keys and values as what they are, so that
 * port 80 comes before port 443. Upstream: structured-merge-diff, fieldpath/element.go and value/fields.go.
 */
export function compareElements(a: string, b: string): number {
  const kind = KINDS.indexOf(a[0] as string) - KINDS.indexOf(b[0] as string);
  if (kind !== 0) return kind;
  if (a.startsWith('f:')) return compareTexts(a, b);
  const [left, right] = [JSON.parse(a.slice(2)) as unknown, JSON.parse(b.slice(2)) as unknown];
  return a.startsWith('k:') ? compareKeys(left as JsonObject, right as JsonObject) : compareValues(left, right);
}

/** Keys have an order by their names; the first name or value that differs decides. */
function compareKeys(a: JsonObject, b: JsonObject): number {
  const [left, right] = [Object.keys(a).sort(), Object.keys(b).sort()];
  for (const [i, name] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    const order = compareTexts(name, other) || compareValues(a[name], b[other]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
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
