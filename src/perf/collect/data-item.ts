/** One measurement as perf-dash reads it (kubernetes test/utils/perftype): items of equal labels form one graph. */
export interface DataItem {
  /** By bucket: `Average`, `Perc50`, ... */
  readonly data: Readonly<Record<string, number>>;
  readonly unit: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** perf-dash shows nothing of an item that lacks a label which another has. */
const NOT_APPLICABLE = 'not applicable';

/** The items, each with all the labels that any of them has. */
export function withAllLabels(items: readonly DataItem[]): DataItem[] {
  const names = new Set(items.flatMap(({ labels }) => Object.keys(labels)));
  const missing = Object.fromEntries([...names].map((name) => [name, NOT_APPLICABLE]));
  return items.map((item) => ({ ...item, labels: { ...missing, ...item.labels } }));
}
