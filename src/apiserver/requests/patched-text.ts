/** A patched object as messages quote it: members that the patch has touched are sorted, others are in Go's order. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../kinds/object/json.ts';

/** The members below which something is patched, by name. */
interface Touched {
  readonly [key: string]: Touched;
}

/** `sorts`: the whole, or the parts that the patch reaches. */
export function patchedText(object: JsonObject, touched: Touched | 'all'): string {
  return JSON.stringify(sorted(object, touched)).replace(/[<>&]/g, escaped);
}

/** Go escapes what browsers could take for markup. */
function escaped(character: string): string {
  return `\\u00${character.charCodeAt(0).toString(16)}`;
}

function sorted(value: JsonValue | undefined, touched: Touched | 'all' | undefined): JsonValue | undefined {
  if (touched === undefined) return value;
  if (Array.isArray(value)) {
    return value.map((item, i) => sorted(item, touched === 'all' ? 'all' : touched[String(i)]) as JsonValue);
  }
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key], touched === 'all' ? 'all' : touched[key])]));
}

/** The levels that a merge patch reaches. */
export function touchedByMerge(patch: JsonObject): Touched {
  const below = Object.entries(patch).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
  return Object.fromEntries(below.map(([key, value]) => [key, touchedByMerge(value)]));
}

/** The levels that lead to the places of a JSON patch. */
export function touchedByPaths(paths: readonly string[]): Touched {
  const root: { [key: string]: Touched } = {};
  for (const path of paths) {
    let at = root;
    for (const part of path.split('/').slice(1, -1)) {
      at[part] ??= {};
      at = at[part] as { [key: string]: Touched };
    }
  }
  return root;
}
