import type { Labels } from '../../api/meta.ts';
import { topologyValue } from '../../api/topology-spread.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { MAX_NODE_SCORE } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type AffinityTerm, affinityTermsOf, termMatches, type WeightedAffinityTerm } from './terms.ts';

export interface PreferredTerms {
  /** Unrolled. */
  readonly affinity: readonly WeightedAffinityTerm[];
  /** Unrolled. */
  readonly antiAffinity: readonly WeightedAffinityTerm[];
  /** Labels of the namespace of the pod that is being scheduled. */
  readonly namespaceLabels: Labels | undefined;
  /** What a required affinity term of another pod counts; 0 switches them off. */
  readonly hardPodAffinityWeight: number;
}

/** Weights of all terms that speak for (or against) each domain, in both directions (upstream's scoring.go). */
export class PreferredAffinity {
  readonly #pod: PodInfo;
  readonly #terms: PreferredTerms;
  /** By topology key, then by value. A pair stays when its weights cancel out. */
  readonly #weights = new Map<string, Map<string, number>>();

  constructor(pod: PodInfo, terms: PreferredTerms) {
    this.#pod = pod;
    this.#terms = terms;
  }

  /** No term has matched anywhere: nothing to score. */
  get isEmpty(): boolean {
    return this.#weights.size === 0;
  }

  add(other: PodInfo, node: NodeInfo): void {
    const { affinity, antiAffinity, namespaceLabels, hardPodAffinityWeight } = this.#terms;
    for (const term of affinity) this.#addTerm(term, term.weight, other, undefined, node);
    for (const term of antiAffinity) this.#addTerm(term, -term.weight, other, undefined, node);

    const theirs = affinityTermsOf(other);
    if (hardPodAffinityWeight > 0) {
      for (const term of theirs.requiredAffinity) {
        this.#addTerm(term, hardPodAffinityWeight, this.#pod, namespaceLabels, node);
      }
    }
    for (const term of theirs.preferredAffinity) this.#addTerm(term, term.weight, this.#pod, namespaceLabels, node);
    for (const term of theirs.preferredAntiAffinity) {
      this.#addTerm(term, -term.weight, this.#pod, namespaceLabels, node);
    }
  }

  /** The raw score; may be negative. */
  score({ node }: NodeInfo): number {
    let score = 0;
    for (const [topologyKey, weights] of this.#weights) {
      const value = topologyValue(node, topologyKey);
      if (value !== undefined) score += weights.get(value) ?? 0;
    }
    return score;
  }

  #addTerm(
    term: AffinityTerm,
    weight: number,
    target: PodInfo,
    namespaceLabels: Labels | undefined,
    node: NodeInfo,
  ): void {
    const value = topologyValue(node.node, term.topologyKey);
    if (value === undefined || !termMatches(term, target, namespaceLabels)) return;
    let weights = this.#weights.get(term.topologyKey);
    if (weights === undefined) {
      weights = new Map();
      this.#weights.set(term.topologyKey, weights);
    }
    weights.set(value, (weights.get(value) ?? 0) + weight);
  }
}

/** The range of scores stretched to 0..100, in floating point as upstream; all equal: 0. */
export function normalizeAffinityScores(raw: readonly number[]): number[] {
  const min = raw.reduce((least, score) => Math.min(least, score), Number.POSITIVE_INFINITY);
  const max = raw.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  if (min === max) return raw.map(() => 0);
  return raw.map((score) => Math.trunc(MAX_NODE_SCORE * ((score - min) / (max - min))));
}
