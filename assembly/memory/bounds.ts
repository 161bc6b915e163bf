/**
 * Bounds that the guarded build looks at, which is the one with assertions. Callers ask for that first: arguments that
 * read memory would be left in the other builds.
 *
 *     if (!ASC_NO_ASSERT) checkBounds(table, index, length);
 */

@external("env", "outOfBounds")
declare function outOfBounds(table: usize, index: i32, length: i32): void;

/** The host throws when a table is asked for what lies outside it. */
export function checkBounds(table: usize, index: i32, length: i32): void {
  if (u32(index) >= u32(length)) outOfBounds(table, index, length);
}
