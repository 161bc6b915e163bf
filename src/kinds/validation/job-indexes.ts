/** Lists of indexes of a job: `1,3-5,7`, in ascending order (pkg/apis/batch/validation, validateIndexesFormat). */

type Interval = readonly [first: number, last: number];

interface Indexes {
  /** How many indexes a well-formed list has. */
  readonly total: number;
  readonly problem?: string;
}

export function indexesOf(text: string, completions: number): Indexes {
  let total = 0;
  let last: number | undefined;
  for (const part of text === '' ? [] : text.split(',')) {
    const interval = intervalOf(part, completions);
    if (typeof interval === 'string') return { total: 0, problem: interval };
    const [first, end] = interval;
    if (last !== undefined && last >= first) return { total: 0, problem: disorder(last, first) };
    total += end - first + 1;
    last = end;
  }
  return { total };
}

/** An interval of indexes, or what is wrong with its text. */
function intervalOf(text: string, completions: number): Interval | string {
  const limits = text.split('-');
  if (limits.length > 2) {
    const rule = "an index interval can have at most two parts separated by '-'";
    return `the fragment ${JSON.stringify(text)} violates the requirement that ${rule}`;
  }
  const numbers: number[] = [];
  for (const limit of limits) {
    if (!/^[+]?\d+$/.test(limit)) return `cannot convert string to integer for index: ${JSON.stringify(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${JSON.stringify(limit)}`;
    numbers.push(Number(limit));
  }
  const [first = 0, end = first] = numbers;
  return numbers.length === 2 && first >= end ? disorder(first, end) : [first, end];
}

function disorder(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}

/** The first index that two lists have in common. Intervals that cannot be read are told elsewhere. */
export function firstOverlap(a: string, b: string, completions: number): number | undefined {
  const [first, second] = [a, b].map((text) =>
    (text === '' ? [] : text.split(','))
      .map((part) => intervalOf(part, completions))
      .filter((interval): interval is Interval => typeof interval !== 'string'),
  ) as [Interval[], Interval[]];
  for (const [start, end] of first) {
    const found = second.find((interval) => start <= interval[1] && interval[0] <= end);
    if (found !== undefined) return Math.max(start, found[0]);
  }
  return undefined;
}
