import type { Labels } from '../../api/meta.ts';
import type { Node } from '../../api/node.ts';
import { topologyValue } from '../../api/topology-spread.ts';
import type { AffinityViolation } from '../../framework/column-forms.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type AffinityTerm, affinityTermsOf, allTermsMatch, termMatches } from './terms.ts';
import { TopologyCounts } from './topology-counts.ts';

export interface RequiredTerms {
  /** Unrolled. */
  readonly affinity: readonly AffinityTerm[];
  /** Unrolled. */
  readonly antiAffinity: readonly AffinityTerm[];
  /** Labels of the namespace of the pod that is being scheduled. */
  readonly namespaceLabels: Labels | undefined;
}

/**
 * What the required terms of a pod, and those of the pods that run already, say of each domain (upstream's
 * filtering.go).
 */
export class RequiredAffinity {
  readonly #pod: PodInfo;
  readonly #terms: RequiredTerms;
  /** Pods that match all affinity terms at once, counted for each of the terms. */
  readonly #affinity: TopologyCounts;
  readonly #antiAffinity: TopologyCounts;
  /** Anti-affinity terms of other pods that match this one. */
  readonly #existingAntiAffinity: TopologyCounts;

  constructor(
    pod: PodInfo,
    terms: RequiredTerms,
    affinity = new TopologyCounts(),
    antiAffinity = new TopologyCounts(),
    existingAntiAffinity = new TopologyCounts(),
  ) {
    this.#pod = pod;
    this.#terms = terms;
    this.#affinity = affinity;
    this.#antiAffinity = antiAffinity;
    this.#existingAntiAffinity = existingAntiAffinity;
  }

  /** No node can violate anything. */
  get isTrivial(): boolean {
    const { affinity, antiAffinity } = this.#terms;
    return affinity.length === 0 && antiAffinity.length === 0 && this.#existingAntiAffinity.isEmpty;
  }

  /** `delta` +1 or -1: `other` comes to the node, or goes. */
  update(other: PodInfo, node: NodeInfo, delta: number): void {
    const { affinity, antiAffinity, namespaceLabels } = this.#terms;
    for (const term of affinityTermsOf(other).requiredAntiAffinity) {
      if (termMatches(term, this.#pod, namespaceLabels)) {
        this.#existingAntiAffinity.add(node.node, term.topologyKey, delta);
      }
    }
    if (allTermsMatch(affinity, other)) {
      for (const { topologyKey } of affinity) this.#affinity.add(node.node, topologyKey, delta);
    }
    for (const term of antiAffinity) {
      if (termMatches(term, other, undefined)) this.#antiAffinity.add(node.node, term.topologyKey, delta);
    }
  }

  violation(node: Node): AffinityViolation | null {
    if (!this.#satisfiesAffinity(node)) return 'affinity';
    for (const { topologyKey } of this.#terms.antiAffinity) {
      if (this.#antiAffinity.of(node, topologyKey) > 0) return 'antiAffinity';
    }
    return this.#existingAntiAffinity.hasAny(node) ? 'existingAntiAffinity' : null;
  }

  clone(): RequiredAffinity {
    return new RequiredAffinity(
      this.#pod,
      this.#terms,
      this.#affinity.clone(),
      this.#antiAffinity.clone(),
      this.#existingAntiAffinity.clone(),
    );
  }

  #satisfiesAffinity(node: Node): boolean {
    const { affinity } = this.#terms;
    let allHavePods = true;
    for (const { topologyKey } of affinity) {
      if (topologyValue(node, topologyKey) === undefined) return false;
      if (this.#affinity.of(node, topologyKey) <= 0) allHavePods = false;
    }
    // The first of a group that wants to be together finds nobody yet: it may go anywhere.
    return allHavePods || (this.#affinity.isEmpty && allTermsMatch(affinity, this.#pod));
  }
}
