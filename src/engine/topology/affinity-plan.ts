import type { Labels } from '../../api/meta.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { AffinityForm, AffinityViolation } from '../../framework/column-forms.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Kernels } from '../../kernels/abi.ts';
import type { Column } from '../../memory/column-table.ts';
import type { DomainCounter } from '../../memory/domain-counter.ts';
import { NO_DOMAIN } from '../../memory/topology-domains.ts';
import {
  type AffinityTerm,
  affinityTermsOf,
  allTermsMatch,
  termMatches,
  unrollNamespaces,
} from '../../plugins/inter-pod-affinity/terms.ts';
import type { TopologyIndex } from './topology-index.ts';
import { type AffinityScore, countOf, type DomainRule } from './topology-rules.ts';
import type { TopologyScratch } from './topology-scratch.ts';

const INT32_MAX = 2 ** 31 - 1;
const INT32_MIN = -(2 ** 31);

export type AffinityWeights = Pick<AffinityForm, 'hardPodAffinityWeight' | 'ignorePreferredTermsOfExistingPods'>;

interface WeightedCounter {
  readonly counter: DomainCounter;
  readonly weight: number;
}

/**
 * The pod (anti-)affinity that a pod signature meets, its own and that of the pods on nodes, as counters: what
 * `RequiredAffinity` and `PreferredAffinity` recount, kept. Every rule is about a count by domain, and the score is a
 * weighted sum of such counts.
 */
export class AffinityPlan {
  readonly #index: TopologyIndex;
  readonly #pod: PodInfo;
  readonly #namespaceLabels: Labels | undefined;
  readonly #weights: AffinityWeights;
  readonly #affinity: readonly DomainCounter[];
  readonly #antiAffinity: readonly DomainCounter[];
  readonly #matchesItself: boolean;
  readonly #existingAntiAffinity: DomainCounter[] = [];
  readonly #scores: WeightedCounter[] = [];
  /** The pod has no preferences, and those of others are switched off for such pods. */
  readonly #ignoresPreferences: boolean;
  /** How many of the terms that other pods own have been looked at. */
  #seenTerms = 0;

  constructor(index: TopologyIndex, pod: PodInfo, objects: ClusterObjects, weights: AffinityWeights) {
    this.#index = index;
    this.#pod = pod;
    this.#weights = weights;
    this.#namespaceLabels = objects.get('Namespace', pod.namespace)?.metadata?.labels;
    const terms = affinityTermsOf(pod);
    const affinity = unrollNamespaces(terms.requiredAffinity, objects);
    const allKey = `matchAll ${affinity.map(({ key }) => key).join('\n')}`;
    this.#affinity = affinity.map(({ topologyKey }) =>
      index.domainCounter(allKey, (other) => (allTermsMatch(affinity, other) ? 1 : 0), topologyKey),
    );
    this.#matchesItself = allTermsMatch(affinity, pod);
    this.#antiAffinity = unrollNamespaces(terms.requiredAntiAffinity, objects).map((term) => this.#matching(term));
    for (const term of unrollNamespaces(terms.preferredAffinity, objects)) {
      this.#scores.push({ counter: this.#matching(term), weight: term.weight });
    }
    for (const term of unrollNamespaces(terms.preferredAntiAffinity, objects)) {
      this.#scores.push({ counter: this.#matching(term), weight: -term.weight });
    }
    this.#ignoresPreferences = weights.ignorePreferredTermsOfExistingPods && this.#scores.length === 0;
  }

  get filters(): boolean {
    this.#lookAtNewTerms();
    return this.#affinity.length + this.#antiAffinity.length + this.#existingAntiAffinity.length > 0;
  }

  filter(kernels: Kernels, feasible: Column<'i32'>, slots: number): void {
    this.#lookAtNewTerms();
    if (!this.#isFirstOfGroup()) {
      for (const counter of this.#affinity) this.#restrict(kernels, counter, 1, INT32_MAX, 0, feasible, slots);
    } else {
      for (const counter of this.#affinity) this.#restrict(kernels, counter, INT32_MIN, INT32_MAX, 0, feasible, slots);
    }
    for (const counter of this.#antiAffinity) this.#restrict(kernels, counter, INT32_MIN, 0, -1, feasible, slots);
    for (const counter of this.#existingAntiAffinity)
      this.#restrict(kernels, counter, INT32_MIN, 0, -1, feasible, slots);
  }

  /** Changes when terms of other pods have come that speak of this one. */
  get size(): number {
    this.#lookAtNewTerms();
    return this.#existingAntiAffinity.length + this.#scores.length;
  }

  rules(): DomainRule[] {
    const anti = [...this.#antiAffinity, ...this.#existingAntiAffinity];
    return [
      ...this.#affinity.map((counter) => ({
        count: countOf(counter),
        absentFits: false,
        isExclusion: false,
        least: () => (this.#isFirstOfGroup() ? INT32_MIN : 1),
        most: () => INT32_MAX,
      })),
      ...anti.map((counter) => ({
        count: countOf(counter),
        absentFits: true,
        isExclusion: true,
        least: () => INT32_MIN,
        most: () => 0,
      })),
    ];
  }

  /** With no pod in any domain they say nothing, and score nothing. */
  scores(): AffinityScore[] {
    return this.#scores.map(({ counter, weight }) => ({ count: countOf(counter), weight }));
  }

  /** For a node that was rejected: by which rule; null when all accept it. */
  violation(slot: number): AffinityViolation | null {
    const isFirst = this.#isFirstOfGroup();
    for (const counter of this.#affinity) {
      const domain = counter.domains.domainOf(slot);
      if (domain === NO_DOMAIN || (!isFirst && counter.counts.get(domain) <= 0)) return 'affinity';
    }
    if (this.#antiAffinity.some((counter) => countAt(counter, slot) > 0)) return 'antiAffinity';
    return this.#existingAntiAffinity.some((counter) => countAt(counter, slot) > 0) ? 'existingAntiAffinity' : null;
  }

  /** Fills the scratch columns; false when no term speaks of any domain: then the plugin is skipped. */
  score(kernels: Kernels, scratch: TopologyScratch, feasible: Column<'i32'>, slots: number): boolean {
    const { raw, normalized, rangePointer } = scratch;
    scratch.scored = feasible;
    this.#lookAtNewTerms();
    const speaking = this.#scores.filter(({ counter }) => counter.total > 0);
    if (speaking.length === 0) return false;
    kernels.fillDoubles(raw.pointer, 0, 0, slots);
    for (const { counter, weight } of speaking) {
      const { domains, counts } = counter;
      counts.reserve(domains.count);
      kernels.addDomainScores(domains.column.pointer, counts.pointer, weight, 0, raw.pointer, 0, slots);
    }
    kernels.scoredRange(raw.pointer, feasible.pointer, rangePointer, 0, slots);
    const [least, most] = scratch.range();
    kernels.normalizeRange(raw.pointer, least, most, normalized.pointer, 0, slots);
    return true;
  }

  /** Nobody to be with yet, and the pod would do for itself: it may go to any node that has the labels. */
  #isFirstOfGroup(): boolean {
    return this.#matchesItself && this.#affinity.every((counter) => counter.total === 0);
  }

  #matching(term: AffinityTerm): DomainCounter {
    return this.#index.domainCounter(
      `match ${term.key}`,
      (other) => (termMatches(term, other, undefined) ? 1 : 0),
      term.topologyKey,
    );
  }

  #restrict(
    kernels: Kernels,
    { domains, counts }: DomainCounter,
    least: number,
    most: number,
    absent: number,
    feasible: Column<'i32'>,
    slots: number,
  ): void {
    counts.reserve(domains.count);
    kernels.filterDomains(domains.column.pointer, counts.pointer, least, most, absent, feasible.pointer, 0, slots);
  }

  /** Terms that pods on nodes have brought since the last time, if they speak of this pod. */
  #lookAtNewTerms(): void {
    const terms = this.#index.ownedTerms.list;
    for (; this.#seenTerms < terms.length; this.#seenTerms++) {
      const owned = terms[this.#seenTerms];
      if (owned === undefined || !termMatches(owned.term, this.#pod, this.#namespaceLabels)) continue;
      const { role, owners: counter, weight } = owned;
      if (role === 'requiredAntiAffinity') this.#existingAntiAffinity.push(counter);
      if (this.#ignoresPreferences) continue;
      const { hardPodAffinityWeight } = this.#weights;
      if (role === 'requiredAffinity' && hardPodAffinityWeight > 0) {
        this.#scores.push({ counter, weight: hardPodAffinityWeight });
      } else if (role === 'preferredAffinity') {
        this.#scores.push({ counter, weight });
      } else if (role === 'preferredAntiAffinity') {
        this.#scores.push({ counter, weight: -weight });
      }
    }
  }
}

function countAt({ domains, counts }: DomainCounter, slot: number): number {
  const domain = domains.domainOf(slot);
  return domain === NO_DOMAIN ? 0 : counts.get(domain);
}
