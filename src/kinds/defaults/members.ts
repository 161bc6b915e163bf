import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';

/** Sets a member that is absent. */
export function fill(object: JsonObject, name: string, value: JsonValue): void {
  if (object[name] === undefined || object[name] === null) object[name] = value;
}

/** Sets a text that is absent or empty. */
export function fillText(object: JsonObject, name: string, value: string): void {
  if (!object[name]) object[name] = value;
}

/** The object that a member is, if it is one. */
export function objectAt(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = object?.[name];
  return isJsonObject(value) ? value : undefined;
}

/** The object that a member is; an empty one is made when it is absent. */
export function objectMadeAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  if (isJsonObject(value)) return value;
  const made: JsonObject = {};
  object[name] = made;
  return made;
}

/** The objects of a list; none if it is absent. */
export function objectsAt(object: JsonObject | undefined, name: string): readonly JsonObject[] {
  const value = object?.[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function textAt(object: JsonObject | undefined, name: string): string {
  const value = object?.[name];
  return typeof value === 'string' ? value : '';
}

/** The items of a list as texts; none if it is absent. */
export function textsAt(object: JsonObject | undefined, name: string): readonly string[] {
  const value = object?.[name];
  return Array.isArray(value) ? value.map(String) : [];
}
