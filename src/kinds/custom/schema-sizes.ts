import { fixed, type SizeEstimate, UNKNOWN } from '../../cel/values/estimates.ts';
import { objectAt, textAt } from '../defaults/members.ts';
import { isJsonObject, type JsonObject } from '../object/json.ts';

/** The largest request that the API accepts bounds what a schema leaves open. */
const REQUEST_BYTES_MAX = 3 * 1024 * 1024;
const FIXED_LENGTHS: Readonly<Record<string, number>> = {
  ...{ date: 10, 'date-time': 30, duration: 64, bsonobjectid: 24, ipv4: 15, ipv6: 45, mac: 23, ssn: 11 },
};

/** How large what a path of a rule leads to may be: `self.tags.@items`. */
export function sizeIn(schema: JsonObject, path: readonly string[]): SizeEstimate | null {
  const [root, ...steps] = path;
  if (root !== 'self' && root !== 'oldSelf') return null;
  let at: JsonObject | undefined = schema;
  for (const step of steps) {
    if (step === '@keys') return { min: 0n, max: BigInt(REQUEST_BYTES_MAX - 2) };
    if (step === '@indices') return fixed(1);
    const additional: unknown = at?.['additionalProperties'];
    if (step === '@items') at = objectAt(at, 'items');
    else if (step === '@values') at = isJsonObject(additional as JsonObject) ? (additional as JsonObject) : undefined;
    else at = objectAt(objectAt(at, 'properties'), step);
    if (at === undefined) return null;
  }
  return { min: 0n, max: mostIn(at) };
}

/** The most characters, elements or entries of a value. Upstream: estimateMaxStringLengthPerRequest and its kin. */
function mostIn(schema: JsonObject): bigint {
  const stated = (name: string): number | undefined => {
    const value = schema[name];
    return typeof value === 'number' ? value : undefined;
  };
  switch (textAt(schema, 'type')) {
    case 'array': {
      const smallest = smallestText(objectAt(schema, 'items') ?? {});
      return BigInt(stated('maxItems') ?? Math.floor((REQUEST_BYTES_MAX - 2) / (smallest + 1)));
    }
    case 'string': {
      // A character may take four bytes.
      const length = stated('maxLength');
      if (length !== undefined) return BigInt(length) * 4n;
      const known = FIXED_LENGTHS[textAt(schema, 'format')];
      const choices = schema['enum'];
      if (known !== undefined) return BigInt(known);
      if (Array.isArray(choices)) return BigInt(Math.max(0, ...choices.map((choice) => String(choice).length)));
      return BigInt(REQUEST_BYTES_MAX - 2);
    }
    case 'object': {
      const additional = schema['additionalProperties'];
      if (!isJsonObject(additional)) return UNKNOWN.max;
      return BigInt(stated('maxProperties') ?? Math.floor((REQUEST_BYTES_MAX - 2) / (smallestText(additional) + 6)));
    }
    default:
      return 1n;
  }
}

/** How many times a part of the schema may occur in an object: the elements of all lists and maps around it. */
export function mostElements(schema: JsonObject): number {
  return Number(mostIn(schema));
}

/** The length of the shortest JSON text that the schema accepts. */
function smallestText(schema: JsonObject): number {
  switch (textAt(schema, 'type')) {
    case 'boolean':
      return 4;
    case 'integer':
    case 'number':
      return 1;
    case 'object': {
      const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
      const properties = objectAt(schema, 'properties') ?? {};
      let length = 2;
      for (const name of required) {
        const part = objectAt(properties, name);
        if (part !== undefined && part['default'] === undefined) length += name.length + 4 + smallestText(part);
      }
      return length;
    }
    default:
      return 2;
  }
}
