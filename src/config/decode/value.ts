/**
 * A value of a document as it was written: numbers keep their text (`2.0` is no integer), members keep their order and
 * may repeat.
 */
export type Value =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'object'; readonly members: readonly Member[] };

export interface Member {
  readonly key: string;
  readonly value: Value;
}

export const NULL: Value = { kind: 'null' };

/** Converts plain JSON-like data. Undefined members are dropped. */
export function fromPlain(data: unknown): Value {
  switch (typeof data) {
    case 'boolean':
      return { kind: 'boolean', value: data };
    case 'number':
    case 'bigint':
      return { kind: 'number', text: String(data) };
    case 'string':
      return { kind: 'string', value: data };
    case 'object': {
      if (data === null) return NULL;
      if (Array.isArray(data)) return { kind: 'list', items: data.map(fromPlain) };
      const members = Object.entries(data).filter(([, member]) => member !== undefined);
      return { kind: 'object', members: members.map(([key, member]) => ({ key, value: fromPlain(member) })) };
    }
    default:
      return NULL;
  }
}

/** Converts back to plain data; the last of repeated members counts. */
export function toPlain(value: Value): unknown {
  switch (value.kind) {
    case 'null':
      return null;
    case 'boolean':
    case 'string':
      return value.value;
    case 'number':
      return Number(value.text);
    case 'list':
      return value.items.map(toPlain);
    case 'object':
      // `Object.fromEntries` defines members, so that a key such as __proto__ stays a key.
      return Object.fromEntries(value.members.map(({ key, value }) => [key, toPlain(value)]));
  }
}

/** Describes the value in a few words, for error messages. */
export function describe(value: Value): string {
  switch (value.kind) {
    case 'null':
      return 'null';
    case 'boolean':
      return String(value.value);
    case 'number':
      return `the number ${value.text}`;
    case 'string':
      return `the string ${JSON.stringify(value.value.length > 80 ? `${value.value.slice(0, 80)}…` : value.value)}`;
    case 'list':
      return 'a list';
    case 'object':
      return 'an object';
  }
}
