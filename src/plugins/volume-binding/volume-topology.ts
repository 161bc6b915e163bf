/** From which nodes storage can be reached. Compiled once per object: objects are replaced, never changed. */

import { compileRequirement, type LabelMatcher } from '../../api/label-requirement.ts';
import { compileLabelSelector, SELECT_EVERYTHING, SELECT_NOTHING, type Selector } from '../../api/label-selector.ts';
import type { Labels } from '../../api/meta.ts';
import type { Node } from '../../api/node.ts';
import { compileRequiredNodeAffinity } from '../../api/node-selector.ts';
import type { CSIStorageCapacity, PersistentVolume, StorageClass, TopologySelectorTerm } from '../../api/storage.ts';

const volumeSelectors = new WeakMap<PersistentVolume, Selector>();
const classSelectors = new WeakMap<StorageClass, Selector>();
const capacitySelectors = new WeakMap<CSIStorageCapacity, Selector>();

/** Whether a pod on the node can use the volume (component-helpers' CheckNodeAffinity). */
export function isReachable(volume: PersistentVolume, node: Node): boolean {
  return memoized(volumeSelectors, volume, compileVolume).matches(node.metadata?.labels);
}

/** Whether volumes of the class can be created for the node (v1helper.MatchTopologySelectorTerms). */
export function isAllowedTopology(storageClass: StorageClass, node: Node): boolean {
  return memoized(classSelectors, storageClass, compileClass).matches(node.metadata?.labels);
}

/** Whether the space that the object reports can be reached from the node. */
export function hasAccess(capacity: CSIStorageCapacity, node: Node): boolean {
  return memoized(capacitySelectors, capacity, compileCapacity).matches(node.metadata?.labels);
}

function memoized<K extends object>(memo: WeakMap<K, Selector>, key: K, compile: (key: K) => Selector): Selector {
  let selector = memo.get(key);
  if (selector === undefined) {
    selector = compile(key);
    memo.set(key, selector);
  }
  return selector;
}

function compileVolume(volume: PersistentVolume): Selector {
  const required = volume.spec?.nodeAffinity?.required;
  if (!required) return SELECT_EVERYTHING;
  const affinity = compileRequiredNodeAffinity({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
  });
  // A volume's affinity is about labels alone: the node is shown without its name.
  return { matches: (labels) => affinity.match({ metadata: { labels } }) };
}

function compileClass({ allowedTopologies }: StorageClass): Selector {
  if (!allowedTopologies || allowedTopologies.length === 0) return SELECT_EVERYTHING;
  const terms = allowedTopologies.flatMap((term) => compileTerm(term) ?? []);
  return { matches: (labels = {}) => terms.some((matches) => matches(labels)) };
}

/** null for a term that is empty or malformed: it matches no node. */
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

function compileCapacity({ nodeTopology }: CSIStorageCapacity): Selector {
  const compiled = compileLabelSelector(nodeTopology);
  return 'error' in compiled ? SELECT_NOTHING : compiled;
}
