/** The nodes from which storage can be reached. */
import { compileRequirement, type LabelMatcher } from '../../api/label-requirement.ts';
import { compileLabelSelector, SELECT_EVERYTHING, SELECT_NOTHING, type Selector } from '../../api/label-selector.ts';
import type { Labels } from '../../api/meta.ts';
import type { Node } from '../../api/node.ts';
import { compileRequiredNodeAffinity } from '../../api/node-selector.ts';
import type { CSIStorageCapacity, PersistentVolume, StorageClass, TopologySelectorTerm } from '../../api/storage.ts';
import { memoized } from '../../lib/memoized.ts';
import type { RequiredLabel } from './label-buckets.ts';

/** Whether a pod on the node can use the volume (component-helpers' CheckNodeAffinity). */
export function isReachable(volume: PersistentVolume, node: Node): boolean {
  return volumeSelector(volume).matches(node.metadata?.labels);
}

/** A label that every node must have from which the volume can be reached; null if its affinity names none so. */
export function requiredLabelOfVolume({ spec }: PersistentVolume): RequiredLabel | null {
  const [term, another] = spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return another === undefined ? requiredLabel(term?.matchExpressions) : null;
}

/** A label that every node must have to which the storage is within reach; null if none is named so. */
export function requiredLabelOfCapacity({ nodeTopology }: CSIStorageCapacity): RequiredLabel | null {
  const [first] = Object.entries(nodeTopology?.matchLabels ?? {});
  if (first !== undefined) return { key: first[0], values: [first[1]] };
  return requiredLabel(nodeTopology?.matchExpressions);
}

interface LabelExpression {
  readonly key?: string | undefined;
  readonly operator?: string | undefined;
  readonly values?: readonly string[] | null | undefined;
}

function requiredLabel(expressions: readonly LabelExpression[] | null | undefined): RequiredLabel | null {
  const expression = expressions?.find(({ key, operator, values }) => key && operator === 'In' && values?.length);
  return expression === undefined ? null : { key: expression.key ?? '', values: expression.values ?? [] };
}

/** Whether volumes of the class can be created for the node (v1helper.MatchTopologySelectorTerms). */
export function isAllowedTopology(storageClass: StorageClass, node: Node): boolean {
  return classSelector(storageClass).matches(node.metadata?.labels);
}

/** Whether the node can reach the storage whose capacity the object reports. */
export function hasAccess(capacity: CSIStorageCapacity, node: Node): boolean {
  return capacitySelector(capacity).matches(node.metadata?.labels);
}

const volumeSelector = memoized((volume: PersistentVolume): Selector => {
  const required = volume.spec?.nodeAffinity?.required;
  if (!required) return SELECT_EVERYTHING;
  const affinity = compileRequiredNodeAffinity({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
  });
  // As upstream, only the labels of the node are matched, not its name.
  return { matches: (labels) => affinity.match({ metadata: { labels } }) };
});

const classSelector = memoized(({ allowedTopologies }: StorageClass): Selector => {
  if (!allowedTopologies || allowedTopologies.length === 0) return SELECT_EVERYTHING;
  const terms = allowedTopologies.flatMap((term) => compileTerm(term) ?? []);
  return { matches: (labels = {}) => terms.some((matches) => matches(labels)) };
});

/** Returns null for a term that is empty or malformed, and so matches no node. */
function compileTerm({ matchLabelExpressions = [] }: TopologySelectorTerm): LabelMatcher | null {
  if (matchLabelExpressions.length === 0) return null;
  const matchers: LabelMatcher[] = [];
  for (const { key, values } of matchLabelExpressions) {
    const compiled = compileRequirement(key, 'In', values ?? [], '');
    if (typeof compiled !== 'function') return null;
    matchers.push(compiled);
  }
  return (labels: Labels) => matchers.every((matches) => matches(labels));
}

const capacitySelector = memoized(({ nodeTopology }: CSIStorageCapacity): Selector => {
  const compiled = compileLabelSelector(nodeTopology);
  return 'error' in compiled ? SELECT_NOTHING : compiled;
});
