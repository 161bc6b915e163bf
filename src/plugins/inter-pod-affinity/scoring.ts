import type { Labels } from '../../api/meta.ts';
import { topologyValue } from '../../api/topology-spread.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { MAX_NODE_SCORE } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type AffinityTerm, affinityTermsOf, termMatches, type UnrolledTerms } from './terms.ts';

/** The sum of the weights of all terms that match in each domain, in both directions (upstream's scoring.go). */
export class PreferredAffinity {
  readonly #pod: PodInfo;
  readonly #terms: UnrolledTerms;
  /** The weight of required affinity terms of other pods; 0 if they do not count. */
  readonly #hardPodAffinityWeight: number;
  /** The sums by topology key, then by value. A pair remains if its weights add up to 0. */
  readonly #weights = new Map<string, Map<string, number>>();

  constructor(pod: PodInfo, terms: UnrolledTerms, hardPodAffinityWeight: number) {
    this.#pod = pod;
    this.#terms = terms;
    this.#hardPodAffinityWeight = hardPodAffinityWeight;
  }

  /** Whether no term has matched in any domain. */
  get isEmpty(): boolean {
    return this.#weights.size === 0;
  }

  add(other: PodInfo, node: NodeInfo): void {
    const { preferredAffinity, preferredAntiAffinity, namespaceLabels } = this.#terms;
    for (const term of preferredAffinity) this.#addTerm(term, term.weight, other, undefined, node);
    for (const term of preferredAntiAffinity) this.#addTerm(term, -term.weight, other, undefined, node);

    const theirs = affinityTermsOf(other);
    const hardPodAffinityWeight = this.#hardPodAffinityWeight;
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

  /** The raw score, which may be negative. */
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

/** Stretches the range of scores to 0..100, in floating point as upstream; equal scores become 0. */
export function normalizeAffinityScores(raw: readonly number[]): number[] {
  const min = raw.reduce((least, score) => Math.min(least, score), Number.POSITIVE_INFINITY);
  const max = raw.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  if (min === max) return raw.map(() => 0);
  return raw.map((score) => Math.trunc(MAX_NODE_SCORE * ((score - min) / (max - min))));
}
