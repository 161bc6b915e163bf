/**
 * The value as JSON. Integers beyond 2^53 are marked, so that none looks like another value. They are rare, and to look
 * for them takes several times as long as all else.
 */
export function jsonWithIntegers(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? [String(each)] : each));
  }
}
