import type { Eventually } from './plugin.ts';

/**
 * Begins the work at once, and returns its value, or a function that waits for it. `begin` takes a callback and calls
 * it once, now or later.
 */
export function eventually<T>(begin: (done: (value: T) => void) => void): Eventually<T> {
  const ended: T[] = [];
  let take = (value: T): void => void ended.push(value);
  begin((value) => take(value));
  const atOnce = ended[0];
  if (ended.length > 0) return atOnce as T;
  return (done) => {
    if (ended.length > 0) done(ended[0] as T);
    else take = done;
  };
}
