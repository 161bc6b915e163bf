import type { Node } from '../../api/node.ts';
import { compileRequiredNodeAffinity, type NodeSelectorTerm } from '../../api/node-selector.ts';
import type { HintKeys } from '../../framework/events.ts';
import { everyKey, labelKeyOf, labelKeyOfSelector, labelKeysOf } from '../../framework/label-keys.ts';

/** A node whose name and labels no term asks for. */
const NO_NODE: Node = { metadata: { name: '/' } };

/**
 * Labels, or names of labels, that a node needs, or its name after a slash, with which no label begins. Pods of which a
 * term cannot be read have no keys, since their hint fails whatever the node is, and then lets the pod be tried.
 */
export const NODE_KEYS: HintKeys = {
  ofPod({ pod: { spec = {} } }) {
    const { nodeSelector, affinity } = spec;
    const label = labelKeyOfSelector({ matchLabels: nodeSelector });
    // A node without this label is not asked for the terms.
    if (label !== null) return [label];
    const { nodeSelectorTerms } = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? {};
    if (nodeSelectorTerms === undefined || compileRequiredNodeAffinity(spec).matchStrictly(NO_NODE)) return null;
    return everyKey(nodeSelectorTerms.flatMap(keysOfTerm));
  },
  ofEvent(_before, after) {
    const node = after as Node;
    return [`/${node.metadata?.name}`, ...Object.keys(node.metadata?.labels ?? {}), ...labelKeysOf(node)];
  },
};

/** One of the keys is that of any node that the term matches; null: there are no such keys. */
function keysOfTerm({ matchExpressions, matchFields }: NodeSelectorTerm): readonly (string | null)[] {
  const label = matchExpressions?.find(({ operator }) => operator === 'In');
  if (label !== undefined) return (label.values ?? []).map((value) => labelKeyOf(label.key, value));
  const name = matchFields?.find(({ key, operator }) => key === 'metadata.name' && operator === 'In');
  if (name !== undefined) return (name.values ?? []).map((value) => `/${value}`);
  const other = matchExpressions?.find(
    ({ operator }) => operator === 'Exists' || operator === 'Gt' || operator === 'Lt',
  );
  return [other?.key ?? null];
}
