import { LOOKS_AT_NOTHING, type NodeParts } from '../../framework/plugin.ts';

/** What two plugins together see of a node. */
export function mergedParts(a: NodeParts, b: NodeParts): NodeParts {
  if (a === LOOKS_AT_NOTHING) return b;
  const labels = [...new Set([...a.labels, ...b.labels])];
  const values = new Map<string, readonly string[]>();
  for (const key of labels) {
    const [ofA, ofB] = [toldBy(a, key), toldBy(b, key)];
    if (ofA !== null && ofB !== null) values.set(key, [...ofA, ...ofB]);
  }
  return { taints: a.taints || b.taints, labels, values };
}

/** The values of a label that are told apart; null if all are. */
function toldBy({ labels, values }: NodeParts, key: string): readonly string[] | null {
  return labels.includes(key) ? (values?.get(key) ?? null) : [];
}
