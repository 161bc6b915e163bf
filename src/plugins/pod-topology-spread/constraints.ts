import { type LabelReads, labelReadsOf } from '../../api/label-reads.ts';
import { compileLabelSelector, SELECT_EVERYTHING, SELECT_NOTHING, type Selector } from '../../api/label-selector.ts';
import type { Node } from '../../api/node.ts';
import { compileRequiredNodeAffinity, type RequiredNodeAffinity } from '../../api/node-selector.ts';
import type { Pod } from '../../api/pod.ts';
import { DO_NOT_SCHEDULE, findUntoleratedTaint, type Toleration } from '../../api/taints.ts';
import { type TopologySpreadConstraint, topologyValue } from '../../api/topology-spread.ts';
import type { SpreadConstraint } from '../../framework/column-forms.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeParts } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

/** The action of hard constraints, which filter, and of soft ones, which score. */
export type Action = 'DoNotSchedule' | 'ScheduleAnyway';

/**
 * Compiles the constraints for this action, in order; `error` if a selector is malformed (upstream's
 * filterTopologySpreadConstraints).
 */
export function compileConstraints(
  constraints: readonly TopologySpreadConstraint[],
  pod: Pod,
  action: Action,
): SpreadConstraint[] | { readonly error: string } {
  const compiled: SpreadConstraint[] = [];
  for (const constraint of constraints) {
    if (constraint.whenUnsatisfiable !== action) continue;
    const selector = compileLabelSelector(constraint.labelSelector);
    if ('error' in selector) return selector;
    const { topologyKey, maxSkew, minDomains, nodeAffinityPolicy, nodeTaintsPolicy, matchLabelKeys } = constraint;
    const own = ownLabels(matchLabelKeys ?? [], pod);
    compiled.push({
      topologyKey,
      maxSkew,
      minDomains: minDomains ?? 1,
      selector: withOwnLabels(selector, own),
      selectorKey: JSON.stringify([constraint.labelSelector ?? null, ...own]),
      honorsNodeAffinity: (nodeAffinityPolicy ?? 'Honor') === 'Honor',
      honorsNodeTaints: nodeTaintsPolicy === 'Honor',
    });
  }
  return compiled;
}

/** A selector that matches what both match. */
export function intersect(a: Selector, b: Selector): Selector {
  if (a === SELECT_EVERYTHING) return b;
  if (b === SELECT_EVERYTHING) return a;
  return { requires: a.requires ?? b.requires, matches: (labels) => a.matches(labels) && b.matches(labels) };
}

/**
 * Adds the pod's own values of matchLabelKeys. The API server has done so already for the constraints of the pod, but
 * not for default constraints, nor for older pods.
 */
function withOwnLabels(selector: Selector, own: ReadonlyMap<string, string>): Selector {
  if (own.size === 0 || selector === SELECT_NOTHING) return selector;
  const requires = [...own].map(([key, value]) => ({ key, values: [value] }))[0];
  return intersect(
    { requires, matches: (labels) => [...own].every(([key, value]) => labels?.[key] === value) },
    selector,
  );
}

function ownLabels(keys: readonly string[], { metadata }: Pod): Map<string, string> {
  const own = new Map<string, string>();
  for (const key of keys) {
    const value = Object.hasOwn(metadata?.labels ?? {}, key) ? metadata?.labels?.[key] : undefined;
    if (value !== undefined) own.set(key, value);
  }
  return own;
}

/** The nodes that take part in the counts of a constraint: its node inclusion policies for one pod. */
export class NodeInclusion {
  readonly #requiredAffinity: RequiredNodeAffinity;
  readonly #tolerations: readonly Toleration[];
  /** The labels that the required affinity reads; null if it reads more. */
  readonly #affinityReads: LabelReads | null;

  constructor(pod: Pod) {
    const { nodeSelector, affinity } = pod.spec ?? {};
    const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    this.#affinityReads = labelReadsOf(nodeSelector, required?.nodeSelectorTerms ?? []);
    this.#requiredAffinity = compileRequiredNodeAffinity(pod.spec);
    this.#tolerations = pod.spec?.tolerations ?? [];
  }

  /** The parts of a node that `includes` reads; null if it may read any. */
  looksAt({ honorsNodeAffinity, honorsNodeTaints }: SpreadConstraint): NodeParts | null {
    if (!honorsNodeAffinity) return { taints: honorsNodeTaints, labels: [] };
    const reads = this.#affinityReads;
    return reads && { taints: honorsNodeTaints, labels: reads.keys, values: reads.values };
  }

  includes({ honorsNodeAffinity, honorsNodeTaints }: SpreadConstraint, node: Node): boolean {
    if (honorsNodeAffinity && !this.#requiredAffinity.match(node)) return false;
    if (!honorsNodeTaints) return true;
    return findUntoleratedTaint(node.spec?.taints, this.#tolerations, DO_NOT_SCHEDULE) === undefined;
  }
}

export function hasAllTopologyKeys(node: Node, constraints: readonly SpreadConstraint[]): boolean {
  for (const { topologyKey } of constraints) if (topologyValue(node, topologyKey) === undefined) return false;
  return true;
}

/** Whether the pod is counted: terminating pods are not, and a selector that selects everything counts none. */
export function countsPod(selector: Selector, namespace: string, other: PodInfo): boolean {
  if (selector === SELECT_EVERYTHING || selector === SELECT_NOTHING) return false;
  const { metadata } = other.pod;
  return other.namespace === namespace && !metadata?.deletionTimestamp && selector.matches(metadata?.labels);
}

export function countMatchingPods({ pods }: NodeInfo, selector: Selector, namespace: string): number {
  let count = 0;
  for (const pod of pods) if (countsPod(selector, namespace, pod)) count++;
  return count;
}
