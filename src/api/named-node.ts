import type { NodeAffinity, NodeSelectorRequirement, NodeSelectorTerm } from './node-selector.ts';
import type { PodSpec } from './pod.ts';

const LONGEST_NAME = 253;
const [DASH, DOT] = [45, 46];

/**
 * The node that every required term of the pod's node affinity names, as the DaemonSet controller writes it for each
 * of its pods; null if there is no such node. The spec need not be checked yet.
 */
export function namedNodeOf(spec: PodSpec | undefined): string | null {
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (!Array.isArray(terms) || terms.length === 0) return null;
  let name: string | null = null;
  for (let i = 0; i < terms.length; i++) {
    const { matchFields } = terms[i] as NodeSelectorTerm;
    if (!Array.isArray(matchFields) || matchFields.length !== 1) return null;
    const named = nodeNamedBy(matchFields[0]);
    if (named === null || (name !== null && named !== name)) return null;
    name = named;
  }
  return name;
}

/**
 * The spec as it is without the node that it names. A term that asks nothing else fits every node, so that no required
 * term is left.
 */
export function withoutNamedNode(spec: PodSpec): PodSpec {
  const { requiredDuringSchedulingIgnoredDuringExecution: required, ...preferred } = spec.affinity?.nodeAffinity ?? {};
  const terms = (required?.nodeSelectorTerms ?? []).map(({ matchExpressions }) => ({ matchExpressions }));
  const isFree = terms.some(({ matchExpressions }) => !matchExpressions?.length);
  const nodeAffinity: NodeAffinity = isFree
    ? preferred
    : { ...preferred, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
  return { ...spec, affinity: { ...spec.affinity, nodeAffinity } };
}

/** Returns null for anything but one valid name, and no other members. */
function nodeNamedBy(requirement: NodeSelectorRequirement | undefined): string | null {
  const { key, operator, values } = requirement ?? {};
  if (key !== 'metadata.name' || operator !== 'In' || !Array.isArray(values) || values.length !== 1) return null;
  for (const member in requirement) if (member !== 'key' && member !== 'operator' && member !== 'values') return null;
  const name: unknown = values[0];
  return isPlainNodeName(name) ? name : null;
}

/** Whether a name has only lower-case letters and digits, with single dashes and dots between; most names are so. */
function isPlainNodeName(name: unknown): name is string {
  if (typeof name !== 'string' || name.length === 0 || name.length > LONGEST_NAME) return false;
  let isInner = false;
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i);
    const isAlphanumeric = (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57);
    if (!isAlphanumeric && !(isInner && (unit === DASH || unit === DOT))) return false;
    isInner = isAlphanumeric;
  }
  return isInner;
}
