import type { Node } from '../../api/node.ts';
import { topologyValue } from '../../api/topology-spread.ts';
import type { AffinityViolation } from '../../framework/column-forms.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { affinityTermsOf, allTermsMatch, termMatches, type UnrolledTerms } from './terms.ts';
import { TopologyCounts } from './topology-counts.ts';

/** The matches of a pod's required terms, and of those of pods on nodes, in each domain (upstream's filtering.go). */
export class RequiredAffinity {
  readonly #pod: PodInfo;
  readonly #terms: UnrolledTerms;
  /** The pods that match all affinity terms at once, counted for each of the terms. */
  #affinity = new TopologyCounts();
  /** The pods that match each anti-affinity term. */
  #antiAffinity = new TopologyCounts();
  /** The anti-affinity terms of other pods that match this pod. */
  #existingAntiAffinity = new TopologyCounts();

  constructor(pod: PodInfo, terms: UnrolledTerms) {
    this.#pod = pod;
    this.#terms = terms;
  }

  /** Whether the pod has required terms; without, only pods with required anti-affinity matter to it. */
  get hasTerms(): boolean {
    const { requiredAffinity, requiredAntiAffinity } = this.#terms;
    return requiredAffinity.length + requiredAntiAffinity.length > 0;
  }

  /** Whether no node can violate any term. */
  get isTrivial(): boolean {
    return !this.hasTerms && this.#existingAntiAffinity.isEmpty;
  }

  /** `delta` is 1 if `other` is added to the node, and -1 if it is removed. */
  update(other: PodInfo, node: NodeInfo, delta: number): void {
    const { requiredAffinity, requiredAntiAffinity, namespaceLabels } = this.#terms;
    for (const term of affinityTermsOf(other).requiredAntiAffinity) {
      if (termMatches(term, this.#pod, namespaceLabels)) {
        this.#existingAntiAffinity.add(node.node, term.topologyKey, delta);
      }
    }
    if (allTermsMatch(requiredAffinity, other)) {
      for (const { topologyKey } of requiredAffinity) this.#affinity.add(node.node, topologyKey, delta);
    }
    for (const term of requiredAntiAffinity) {
      if (termMatches(term, other, undefined)) this.#antiAffinity.add(node.node, term.topologyKey, delta);
    }
  }

  violation(node: Node): AffinityViolation | null {
    if (!this.#satisfiesAffinity(node)) return 'affinity';
    for (const { topologyKey } of this.#terms.requiredAntiAffinity) {
      if (this.#antiAffinity.of(node, topologyKey) > 0) return 'antiAffinity';
    }
    return this.#existingAntiAffinity.hasAny(node) ? 'existingAntiAffinity' : null;
  }

  clone(): RequiredAffinity {
    const copy = new RequiredAffinity(this.#pod, this.#terms);
    copy.#affinity = this.#affinity.clone();
    copy.#antiAffinity = this.#antiAffinity.clone();
    copy.#existingAntiAffinity = this.#existingAntiAffinity.clone();
    return copy;
  }

  #satisfiesAffinity(node: Node): boolean {
    const { requiredAffinity } = this.#terms;
    let allHavePods = true;
    for (const { topologyKey } of requiredAffinity) {
      if (topologyValue(node, topologyKey) === undefined) return false;
      if (this.#affinity.of(node, topologyKey) <= 0) allHavePods = false;
    }
    // The first pod of a group whose terms match its own pods may go to any node.
    return allHavePods || (this.#affinity.isEmpty && allTermsMatch(requiredAffinity, this.#pod));
  }
}
