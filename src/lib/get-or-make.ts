interface Entries<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of the key; where there is none, it is made and kept. */
export function getOrMake<Key, Value>(entries: Entries<Key, Value>, key: Key, make: () => Value): Value {
  let value = entries.get(key);
  if (value === undefined) {
    value = make();
    entries.set(key, value);
  }
  return value;
}
