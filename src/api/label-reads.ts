import type { NodeSelectorTerm } from './node-selector.ts';

/** The labels of a node that node selectors read. */
export interface LabelReads {
  readonly keys: readonly string[];
  /** By key the values that are told apart: nodes with any other value are alike. Of keys without an entry all are. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** What a `nodeSelector` and terms read of labels; null if the terms read other fields of a node, too. */
export function labelReadsOf(
  nodeSelector: Readonly<Record<string, string>> | undefined,
  terms: readonly NodeSelectorTerm[],
): LabelReads | null {
  const values = new Map<string, string[]>();
  /** The keys of which all values are told apart. */
  const whole = new Set<string>();
  const read = (key: string, told: readonly string[]): void => {
    const known = values.get(key);
    if (known === undefined) values.set(key, [...told]);
    else known.push(...told);
  };
  for (const key in nodeSelector) read(key, [nodeSelector[key] as string]);
  for (const { matchExpressions, matchFields } of terms) {
    if (matchFields?.length) return null;
    for (const { key, operator, values: listed } of matchExpressions ?? []) {
      read(key, listed ?? []);
      if (operator === 'Gt' || operator === 'Lt') whole.add(key);
    }
  }
  const keys = [...values.keys()];
  for (const key of whole) values.delete(key);
  return { keys, values };
}
