import type { JsonValue } from '../object/json.ts';

/** A JSON value as Go's `%v` prints it: `map[a:1 b:[x y]]`, with sorted keys. */
export function goValueText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValueText).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const members = Object.keys(value).sort();
  return `map[${members.map((key) => `${key}:${goValueText(value[key])}`).join(' ')}]`;
}
