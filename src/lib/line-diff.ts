/** A run of lines that both texts have: `length` lines at `a` in the first and at `b` in the second. */
interface Match {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/** Lines `a1..a2` of the first text stand in the place of `b1..b2` of the second; equal ones, if `isEqual`. */
interface Change {
  readonly isEqual: boolean;
  readonly a1: number;
  readonly a2: number;
  readonly b1: number;
  readonly b2: number;
}

const CONTEXT_LINES = 3;
/** From this number of lines on, lines that make up more than a hundredth of the text start no match. */
const MANY_LINES = 200;

/**
 * The differences of two texts as hunks of a unified diff, without the names of files; '' if there are none. The lines
 * are matched as Python's difflib does (the longest common run first, then what is left and right of it), which Go's
 * port follows.
 */
export function lineDiff(before: string, after: string): string {
  const a = before.split('\n');
  const b = after.split('\n');
  const hunks = hunksOf(changesOf(a, b));
  return hunks.map((hunk) => hunkText(hunk, a, b)).join('');
}

function hunkText(hunk: readonly Change[], a: readonly string[], b: readonly string[]): string {
  const first = hunk[0] as Change;
  const last = hunk.at(-1) as Change;
  const lines = [`@@ -${rangeText(first.a1, last.a2)} +${rangeText(first.b1, last.b2)} @@`];
  for (const { isEqual, a1, a2, b1, b2 } of hunk) {
    if (isEqual) lines.push(...a.slice(a1, a2).map((line) => ` ${line}`));
    else lines.push(...a.slice(a1, a2).map((line) => `-${line}`), ...b.slice(b1, b2).map((line) => `+${line}`));
  }
  return `${lines.join('\n')}\n`;
}

/** Lines are counted from one; an empty range is named by the line before it. */
function rangeText(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

/** The changes with a few equal lines around them; changes that are near each other share a hunk. */
function hunksOf(changes: readonly Change[]): Change[][] {
  if (changes.every(({ isEqual }) => isEqual)) return [];
  const hunks: Change[][] = [];
  let hunk: Change[] = [];
  for (const [i, change] of changes.entries()) {
    const { isEqual, a1, a2, b1, b2 } = change;
    if (!isEqual) {
      hunk.push(change);
      continue;
    }
    const head: Change = { ...change, a2: Math.min(a2, a1 + CONTEXT_LINES), b2: Math.min(b2, b1 + CONTEXT_LINES) };
    const tail: Change = { ...change, a1: Math.max(a1, a2 - CONTEXT_LINES), b1: Math.max(b1, b2 - CONTEXT_LINES) };
    const [isFirst, isLast] = [i === 0, i === changes.length - 1];
    if (isFirst) hunk = [tail];
    else if (isLast) hunk.push(head);
    else if (a2 - a1 <= 2 * CONTEXT_LINES) hunk.push(change);
    else {
      hunks.push([...hunk, head]);
      hunk = [tail];
    }
  }
  return [...hunks, hunk];
}

function changesOf(a: readonly string[], b: readonly string[]): Change[] {
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  for (const match of [...matchesOf(a, b), { a: a.length, b: b.length, length: 0 }]) {
    if (i < match.a || j < match.b) changes.push({ isEqual: false, a1: i, a2: match.a, b1: j, b2: match.b });
    [i, j] = [match.a + match.length, match.b + match.length];
    if (match.length > 0) changes.push({ isEqual: true, a1: match.a, a2: i, b1: match.b, b2: j });
  }
  return changes;
}

/** The common runs in order; runs that touch are one. */
function matchesOf(a: readonly string[], b: readonly string[]): Match[] {
  const places = placesOf(b);
  const found: Match[] = [];
  const open = [{ aLow: 0, aHigh: a.length, bLow: 0, bHigh: b.length }];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const match = longestMatch(a, b, places, range);
    if (match.length === 0) continue;
    found.push(match);
    open.push({ ...range, aHigh: match.a, bHigh: match.b });
    open.push({ ...range, aLow: match.a + match.length, bLow: match.b + match.length });
  }
  found.sort((one, other) => one.a - other.a);
  const joined: Match[] = [];
  for (const match of found) {
    const last = joined.at(-1);
    const touches = last !== undefined && last.a + last.length === match.a && last.b + last.length === match.b;
    if (touches) joined[joined.length - 1] = { ...last, length: last.length + match.length };
    else joined.push(match);
  }
  return joined;
}

/** Where each line stands in the second text, without lines that are all over a long one. */
function placesOf(b: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [j, line] of b.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [j]);
    else known.push(j);
  }
  if (b.length < MANY_LINES) return places;
  const most = Math.floor(b.length / 100) + 1;
  for (const [line, { length }] of places) if (length > most) places.delete(line);
  return places;
}

interface Range {
  readonly aLow: number;
  readonly aHigh: number;
  readonly bLow: number;
  readonly bHigh: number;
}

/** The longest run in a range, the earliest among equals, grown by the equal lines beside it. */
function longestMatch(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  { aLow, aHigh, bLow, bHigh }: Range,
): Match {
  let best: Match = { a: aLow, b: bLow, length: 0 };
  let endingAt = new Map<number, number>();
  for (let i = aLow; i < aHigh; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] as string) ?? []) {
      if (j < bLow) continue;
      if (j >= bHigh) break;
      const length = (endingAt.get(j - 1) ?? 0) + 1;
      next.set(j, length);
      if (length > best.length) best = { a: i - length + 1, b: j - length + 1, length };
    }
    endingAt = next;
  }
  let [start, other, length] = [best.a, best.b, best.length];
  while (start > aLow && other > bLow && a[start - 1] === b[other - 1])
    [start, other, length] = [start - 1, other - 1, length + 1];
  while (start + length < aHigh && other + length < bHigh && a[start + length] === b[other + length]) length++;
  return { a: start, b: other, length };
}
