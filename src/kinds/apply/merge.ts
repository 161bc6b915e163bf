import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import { setMember } from '../schema/decode.ts';
import type { ListType, MergeType } from './merge-type.ts';
import { elementOf, itemsOf, memberTypeOf, shapeOf, type Value } from './typed-value.ts';

/** The live value with what is applied on top of it (merge.go of structured-merge-diff). */
export function merged(live: Value, applied: Value, type: MergeType): Value {
  if (applied === undefined) return live;
  if (live === undefined) return applied;
  const shape = shapeOf(type, live, applied);
  if (shape.as === 'leaf') return applied;
  if (shape.as === 'list') {
    if (!Array.isArray(applied) || (applied.length === 0 && itemsOf(live).length === 0)) return applied;
    return mergedList(itemsOf(live), applied, shape.type);
  }
  if (!isJsonObject(applied) || !isJsonObject(live)) return applied;
  const result: JsonObject = {};
  for (const name of new Set([...Object.keys(live), ...Object.keys(applied)])) {
    const value = merged(live[name], applied[name], memberTypeOf(shape.type, name));
    if (value !== undefined) setMember(result, name, value);
  }
  return result;
}

/** Items are in the order of the applied list; those that only the live list has keep their places between them. */
function mergedList(live: readonly JsonValue[], applied: readonly JsonValue[], type: ListType): JsonValue[] {
  const [liveNames, appliedNames] = [live, applied].map((list) => list.map((item) => elementOf(type, item) ?? ''));
  const [oldItems, newItems] = [indexed(liveNames!, live), indexed(appliedNames!, applied)];
  const shared = appliedNames!.filter((name) => oldItems.has(name));
  const done = new Set<string>();
  const result: JsonValue[] = [];
  const put = (value: Value): void => {
    if (value !== undefined) result.push(value);
  };
  let nextShared = 0;
  let l = 0;
  let r = 0;
  while (l < live.length || r < applied.length) {
    const name = liveNames![l];
    if (name !== undefined && r < applied.length) {
      if (name === appliedNames![r]) {
        done.add(name);
        put(merged(oldItems.get(name), newItems.get(name), type.elem));
        l++;
        r++;
        nextShared++;
        continue;
      }
      if (newItems.has(name) && nextShared < shared.length && shared[nextShared] !== name) {
        l++;
        continue;
      }
    }
    if (name !== undefined) {
      if (!newItems.has(name)) {
        put(live[l++]);
        continue;
      }
      if (done.has(name)) l++;
    }
    const wanted = appliedNames![r];
    if (wanted !== undefined) {
      done.add(wanted);
      put(merged(oldItems.get(wanted), newItems.get(wanted), type.elem));
      r++;
      if (shared[nextShared] === wanted) nextShared++;
    }
  }
  return result;
}

function indexed(names: readonly string[], items: readonly JsonValue[]): Map<string, JsonValue> {
  const index = new Map<string, JsonValue>();
  for (const [i, name] of names.entries()) if (!index.has(name)) index.set(name, items[i]!);
  return index;
}
