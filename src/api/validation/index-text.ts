/** Lists of indexes as the API writes them, ascending: `1,3-5,7` (pkg/apis/batch/validation/validation.go). */

interface Interval {
  readonly first: number;
  readonly last: number;
}

type Failed = { readonly error: string };

/** How many indexes the text names, or its error. All must be below `completions`. */
export function countIndexes(text: string, completions: number): number | Failed {
  if (text === '') return 0;
  let total = 0;
  let previous: number | undefined;
  for (const part of text.split(',')) {
    const interval = parseInterval(part, completions);
    if ('error' in interval) return interval;
    if (previous !== undefined && previous >= interval.first) return notGrowing(previous, interval.first);
    total += interval.last - interval.first + 1;
    previous = interval.last;
  }
  return total;
}

/** The first index that both texts name; undefined when there is none. Malformed parts are ignored. */
export function firstCommonIndex(a: string, b: string, completions: number): number | undefined {
  const [left, right] = [wellFormed(a, completions), wellFormed(b, completions)];
  for (let [i, j] = [0, 0]; i < left.length && j < right.length; ) {
    const [x, y] = [left[i] as Interval, right[j] as Interval];
    if (x.first <= y.last && y.first <= x.last) return Math.max(x.first, y.first);
    if (x.first <= y.first) i++;
    else j++;
  }
  return undefined;
}

function wellFormed(text: string, completions: number): Interval[] {
  if (text === '') return [];
  return text.split(',').flatMap((part) => {
    const interval = parseInterval(part, completions);
    return 'error' in interval ? [] : [interval];
  });
}

function parseInterval(part: string, completions: number): Interval | Failed {
  const limits = part.split('-');
  if (limits.length > 2) {
    const rule = "the requirement that an index interval can have at most two parts separated by '-'";
    return { error: `the fragment ${JSON.stringify(part)} violates ${rule}` };
  }
  const first = parseIndex(limits[0] as string, completions);
  if (typeof first !== 'number') return first;
  if (limits[1] === undefined) return { first, last: first };
  const last = parseIndex(limits[1], completions);
  if (typeof last !== 'number') return last;
  return first < last ? { first, last } : notGrowing(first, last);
}

function parseIndex(text: string, completions: number): number | Failed {
  if (!/^\+?\d{1,18}$/.test(text)) {
    return { error: `cannot convert string to integer for index: ${JSON.stringify(text)}` };
  }
  const index = Number(text);
  return index < completions ? index : { error: `too large index: ${JSON.stringify(text)}` };
}

function notGrowing(previous: number, current: number): Failed {
  return { error: `non-increasing order, previous: ${previous}, current: ${current}` };
}
