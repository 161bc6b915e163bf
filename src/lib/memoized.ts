/** The function with its results kept for as long as the argument lives; the argument must never change. */
export function memoized<Key extends object, Value extends object | string | number>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    let value = values.get(key);
    if (value === undefined) {
      value = compute(key);
      values.set(key, value);
    }
    return value;
  };
}
