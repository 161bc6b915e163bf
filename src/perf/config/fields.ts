import { DecodeFailure, type Decoder } from '../../config/decode/decoder.ts';
import { describe } from '../../config/decode/value.ts';

type Decoded<D> = D extends Decoder<infer T> ? T : never;
type Fields = Readonly<Record<string, Decoder<unknown>>>;
type DecodedFields<F extends Fields> = { readonly [K in keyof F]?: Decoded<F[K]> | undefined };

/** Decodes an object with these fields and no others. As in Go's JSON decoder, the case of names does not matter. */
export function fields<F extends Fields>(known: F): Decoder<DecodedFields<F>> {
  const names = new Map(Object.keys(known).map((name) => [name.toLowerCase(), name]));
  return (value, { path, strict }) => {
    if (value.kind === 'null') return undefined;
    if (value.kind !== 'object') throw new DecodeFailure(`${path}: expected an object, got ${describe(value)}`);
    const result: Record<string, unknown> = {};
    for (const { key, value: member } of value.members) {
      const name = names.get(key.toLowerCase());
      const field = `${path}.${key}`;
      if (name === undefined)
        throw new DecodeFailure(`${field}: unknown field (known: ${Object.keys(known).join(', ')})`);
      if (Object.hasOwn(result, name)) throw new DecodeFailure(`${field}: is given twice`);
      const decoded = (known[name] as Decoder<unknown>)(member, { path: field, strict });
      if (decoded !== undefined) result[name] = decoded;
    }
    return result as DecodedFields<F>;
  };
}

/** Decodes a map from arbitrary names to values of one kind. */
export function mapOf<T>(item: Decoder<T>): Decoder<ReadonlyMap<string, T>> {
  return (value, { path, strict }) => {
    if (value.kind === 'null') return undefined;
    if (value.kind !== 'object') throw new DecodeFailure(`${path}: expected an object, got ${describe(value)}`);
    const result = new Map<string, T>();
    for (const { key, value: member } of value.members) {
      const decoded = item(member, { path: `${path}.${key}`, strict });
      if (decoded !== undefined) result.set(key, decoded);
    }
    return result;
  };
}

/** Decodes a value and tests it; `wanted` completes the message `expected ...`. */
export function checked<T>(decode: Decoder<T>, wanted: string, holds: (decoded: T) => boolean): Decoder<T> {
  return (value, at) => {
    const decoded = decode(value, at);
    if (decoded === undefined || holds(decoded)) return decoded;
    throw new DecodeFailure(`${at.path}: expected ${wanted}, got ${describe(value)}`);
  };
}
