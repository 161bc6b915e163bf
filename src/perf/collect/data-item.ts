/** One measurement as perf-dash reads it (kubernetes test/utils/perftype): items of equal labels form one graph. */
export interface DataItem {
  /** The values by bucket: `Average`, `Perc50`, ... */
  readonly data: Readonly<Record<string, number>>;
  readonly unit: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The percentiles, under perf-dash's names. */
export function percentileBuckets(valueAt: (percent: number) => number): DataItem['data'] {
  return Object.fromEntries([50, 90, 95, 99].map((percent) => [`Perc${percent}`, valueAt(percent)]));
}

/** The value of a label that does not apply. perf-dash omits an item that lacks a label which another item has. */
const NOT_APPLICABLE = 'not applicable';

/** The items, each with all labels that any of them has. */
export function withAllLabels(items: readonly DataItem[]): DataItem[] {
  const names = new Set(items.flatMap(({ labels }) => Object.keys(labels)));
  const missing = Object.fromEntries([...names].map((name) => [name, NOT_APPLICABLE]));
  return items.map((item) => ({ ...item, labels: { ...missing, ...item.labels } }));
}
