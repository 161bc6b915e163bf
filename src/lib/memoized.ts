/** Where results are kept by their arguments. */
interface Results<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/**
 * The function with its results kept, by default for as long as the argument lives. The argument must never change. A
 * `RecentMap` is the place for results of arguments of which there are ever new ones.
 */
export function memoized<Key extends object, Value extends object | string | number | boolean>(
  compute: (key: Key) => Value,
  results: Results<Key, Value> = new WeakMap<Key, Value>(),
): (key: Key) => Value {
  return (key) => {
    let value = results.get(key);
    if (value === undefined) {
      value = compute(key);
      results.set(key, value);
    }
    return value;
  };
}
