import {
  type Complete,
  type DecodedFields,
  DecodeFailure,
  type Decoder,
  entriesOf,
  list,
  mapped,
  mismatch,
  objectBy,
  string,
  withAbsent,
} from '../../config/decode/decoder.ts';

export const strings = list(string, '');

/** Decodes an object with these fields and no others. As in Go's JSON decoder, the case of names does not matter. */
export function fields<F extends Readonly<Record<string, Decoder<unknown>>>>(known: F): Decoder<DecodedFields<F>> {
  const names = new Map(Object.keys(known).map((name) => [name.toLowerCase(), name]));
  return objectBy((members, { path, strict }) => {
    const result: Record<string, unknown> = {};
    for (const { key, value: member } of members) {
      const name = names.get(key.toLowerCase());
      const field = `${path}.${key}`;
      if (name === undefined)
        throw new DecodeFailure(`${field}: unknown field (known: ${Object.keys(known).join(', ')})`);
      if (Object.hasOwn(result, name)) throw new DecodeFailure(`${field}: is given twice`);
      const decoded = (known[name] as Decoder<unknown>)(member, { path: field, strict });
      if (decoded !== undefined) result[name] = decoded;
    }
    return withAbsent(result, known, path);
  });
}

/** Decodes a map from arbitrary names to values of one kind. */
export function mapOf<T>(item: Decoder<T>): Decoder<ReadonlyMap<string, T>> {
  return mapped(entriesOf(item), (entries) => {
    return new Map(entries.filter((entry): entry is [string, T] => entry[1] !== undefined));
  });
}

/** Decodes a value and tests it; `wanted` completes the message `expected ...`. */
export function checked<T>(decode: Decoder<T>, wanted: string, holds: (decoded: T) => boolean): Decoder<T> {
  return (value, at) => {
    const decoded = decode(value, at);
    if (decoded === undefined || holds(decoded)) return decoded;
    throw mismatch(at.path, wanted, value);
  };
}

/** Decodes a field that must be given, and must not be empty. */
export function needed<T>(decode: Decoder<T>, reason = 'is required'): Complete<T> {
  const absent = (path: string): never => {
    throw new DecodeFailure(`${path}: ${reason}`);
  };
  const decodeNeeded: Decoder<T> = (value, at) => {
    const decoded = decode(value, at);
    const isEmpty = decoded === undefined || decoded === '' || (Array.isArray(decoded) && decoded.length === 0);
    return isEmpty ? absent(at.path) : decoded;
  };
  return Object.assign(decodeNeeded as (...args: Parameters<Decoder<T>>) => T, { absent });
}

/** Decodes one of these words; '' stands for `absent`. */
export function oneOf<const W extends string>(words: readonly W[], absent: W | '' = ''): Complete<W> {
  const known = (word: string, path: string): W => {
    const found = words.find((each) => each === (word || absent));
    if (found !== undefined) return found;
    throw new DecodeFailure(`${path}: expected one of ${words.join(', ')}, got ${JSON.stringify(word)}`);
  };
  return Object.assign((...[value, at]: Parameters<Decoder<W>>) => known(string(value, at) ?? '', at.path), {
    absent: (path: string) => known('', path),
  });
}
